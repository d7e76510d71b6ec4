import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEachTest } from "../../../base/testing/clean-up.ts";
import type { ReadingSource } from "../../../ports/reader.ts";
import { localReader } from "../local/local-reader.ts";

/** A request that arrived at the proxy. */
export interface Arrived {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

export type Behaviour = (response: ServerResponse, arrived: Arrived) => void | Promise<void>;

const open: { close(): void }[] = [];
afterEachTest(() => {
  for (const server of open.splice(0)) server.close();
});

/** A server with the interface of the NotebookLM proxy; the test supplies its behaviour. */
export async function proxyServer(
  behave: Behaviour,
): Promise<{ readonly url: string; readonly host: string; readonly arrived: Arrived[] }> {
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const received: Arrived = {
        method: request.method,
        path: request.url,
        authorization: request.headers.authorization,
        body: await jsonIn(request),
      };
      arrived.push(received);
      if (request.url === "/health") return void response.end("{}");
      await behave(response, received);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({
    close() {
      server.close();
      server.closeAllConnections();
    },
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, arrived };
}

async function jsonIn(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === "" ? undefined : (JSON.parse(text) as unknown);
}

export const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
};

/** Answers as a notebook with these sources would. */
export const notebookOf =
  (sources: readonly ReadingSource[]): Behaviour =>
  async (response, { body }) => {
    const { question } = body as { question: string };
    json(response, 200, await localReader().ask({ question, sources, signal: new AbortController().signal }));
  };
