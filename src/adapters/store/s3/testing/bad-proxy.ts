import http from "node:http";
import type { AddressInfo } from "node:net";

/** One fault of a request. `lost`: the server did it, and its answer is dropped. `slow`: the answer comes after two seconds. */
export type ProxyFault = "lost" | "slow" | "slow-down" | "cut" | undefined;

/** A real HTTP proxy before the server, with faults that the test chooses for each request. */
export async function badProxy(
  target: string,
  faultOf: (request: { readonly method: string; readonly number: number }) => ProxyFault,
): Promise<{ readonly url: string; readonly counts: Record<string, number>; close(): Promise<void> }> {
  const { hostname, port } = new URL(target);
  const counts: Record<string, number> = {};
  let number = 0;
  const server = http.createServer((request, response) => {
    const fault = faultOf({ method: request.method ?? "", number: number++ });
    counts[fault ?? "none"] = (counts[fault ?? "none"] ?? 0) + 1;
    if (fault === "cut") return void request.socket.destroy();
    if (fault === "slow-down") {
      request.resume();
      return void response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
    }
    const { method, url: path, headers } = request;
    const onward = http.request({ hostname, port, method, path, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        if (fault === "lost") return void request.socket.destroy();
        const send = (): void =>
          void response.writeHead(answer.statusCode ?? 500, answer.headers).end(Buffer.concat(parts));
        return fault === "slow" ? void setTimeout(send, 2000) : send();
      });
    });
    onward.on("error", () => request.socket.destroy());
    request.pipe(onward);
    return undefined;
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
