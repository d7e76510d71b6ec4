import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Trouble of one request: it arrives late, or its answer is lost after it has arrived. */
export interface Trouble {
  readonly lateMs?: number;
  readonly isAnswerLost?: boolean;
}

/** A proxy before a server of an engine that makes the troubles of a network. */
export async function ingressProxy(target: string, troubleOf: (body: string) => Trouble) {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      const { lateMs = 0, isAnswerLost = false } = troubleOf(body);
      await sleep(lateMs);
      const { method, headers, url } = request;
      const forward = ask(`${target}${url}`, { method, headers }, (answer) => {
        if (isAnswerLost) {
          answer.resume();
          answer.on("end", () => response.destroy());
          return;
        }
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      forward.on("error", () => response.destroy());
      forward.end(body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
