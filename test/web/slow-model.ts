import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A language model that answers on command, so that a run stays in progress. */
export interface SlowModel {
  readonly url: string;
  /** Resolves when a request is waiting. */
  asked(): Promise<void>;
  /** The number of requests that wait for an answer. */
  waiting(): number;
  /** Answers all waiting requests: nothing to do. */
  answer(): void;
  stop(): void;
}

export async function slowModel(): Promise<SlowModel> {
  const waiting = new Set<ServerResponse>();
  const listeners = new Set<() => void>();
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      waiting.add(response);
      for (const listener of listeners) listener();
    });
    response.on("close", () => waiting.delete(response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async asked() {
      if (waiting.size > 0) return;
      await new Promise<void>((resolve) => {
        listeners.add(() => resolve());
      });
      listeners.clear();
    },
    waiting: () => waiting.size,
    answer() {
      for (const response of waiting) response.writeHead(200, { "Content-Type": "application/json" }).end(ANSWER);
      waiting.clear();
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const ANSWER = JSON.stringify({
  id: "answer",
  object: "chat.completion",
  created: 0,
  model: "slow",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "NOOP: nothing to do" } }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});
