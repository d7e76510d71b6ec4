import { spawn } from "node:child_process";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** The real `git http-backend` behind a small bridge on 127.0.0.1. Serves every repository under `root`, each visit after `pause`. */
export async function smartHttp(
  root: string,
  login?: { user: string; password: string },
  { loseAnswerOf, pause }: { readonly loseAnswerOf?: RegExp; readonly pause?: () => Promise<unknown> } = {},
): Promise<{ url: string; close: () => Promise<void>; asked: string[] }> {
  const asked: string[] = [];
  const serve: RequestListener = (request, response) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://x");
    asked.push(`${request.method} ${pathname}`);
    const wanted = login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString("base64")}`;
    if (wanted && request.headers.authorization !== wanted) {
      response.writeHead(401, { "WWW-Authenticate": 'Basic realm="garden"' }).end();
      return;
    }
    const backend = spawn("git", ["-c", "http.receivepack=true", "http-backend"], {
      env: {
        PATH: process.env["PATH"],
        HOME: root,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: "1",
        REMOTE_USER: login?.user ?? "guest",
        REQUEST_METHOD: request.method,
        PATH_INFO: decodeURIComponent(pathname),
        QUERY_STRING: search.slice(1),
        CONTENT_TYPE: request.headers["content-type"],
        GIT_PROTOCOL: request.headers["git-protocol"] as string | undefined,
        HTTP_CONTENT_ENCODING: request.headers["content-encoding"],
      },
      stdio: ["pipe", "pipe", "ignore"],
    });
    request.pipe(backend.stdin);
    backend.stdin.on("error", () => undefined);
    const chunks: Buffer[] = [];
    backend.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    backend.on("close", () => {
      if (request.method === "POST" && loseAnswerOf?.test(pathname)) return void request.socket.destroy();
      const answer = Buffer.concat(chunks);
      const end = answer.indexOf("\r\n\r\n");
      const headers = answer
        .subarray(0, end)
        .toString()
        .split("\r\n")
        .map((line) => line.split(": ", 2) as [string, string]);
      const status = headers.find(([name]) => name === "Status")?.[1] ?? "200";
      response.writeHead(
        Number.parseInt(status, 10),
        Object.fromEntries(headers.filter(([name]) => name !== "Status")),
      );
      response.end(answer.subarray(end + 4));
    });
  };
  const server = createServer((request, response) => {
    if (pause && request.method === "GET") void pause().then(() => serve(request, response));
    else serve(request, response);
  });
  const { port } = await listening(server);
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const listening = (server: Server): Promise<AddressInfo> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(server.address() as AddressInfo));
  });
