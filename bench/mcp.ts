import { commandLineOwner } from "../src/domain/identity.ts";
import { connectAgent } from "../src/garden/agents/access/connect-agent.ts";
import { closeGarden } from "../src/garden/core/garden.ts";
import { gatewayApp } from "../src/gateway/app.ts";
import type { Bench, Contender, Size } from "./harness.ts";
import { gardenIn } from "./ours-garden.ts";
import { notePath, type Repository, repositoryOf, scattered } from "./repository.ts";

/** A call of an outside agent that reads a note, and the same read by the route alone: the difference is the protocol. */
export const mcpReads = ({ files }: Size, scratch: string): Bench => {
  const repository = repositoryOf(files, 1, scratch);
  return {
    name: `read one of ${files} notes over MCP, as an outside agent`,
    unit: "ms of processor time",
    workers: 1,
    cpu: true,
    ours: reader("MCP", repository, files, (path) => ({
      url: "http://localhost/mcp",
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "read-note", arguments: { path } } },
    })),
    rivals: [
      reader("the route alone", repository, files, (path) => ({ url: `http://localhost/notes/${path}?history=0` })),
    ],
  };
};

const reader = (
  name: string,
  repository: Repository,
  files: number,
  asked: (path: string) => { readonly url: string; readonly body?: object },
): Contender => ({
  name,
  async open(folder) {
    const garden = await gardenIn(folder, repository);
    const { token } = await connectAgent(garden, { agent: "reader", by: commandLineOwner, name: "bench" });
    const app = gatewayApp(garden, { host: "localhost", allowedHosts: [] });
    const headers = {
      host: "localhost",
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    let count = 0;
    return {
      async once() {
        const { url, body } = asked(notePath(scattered(count++, files)));
        const sent = body ? { method: "POST", body: JSON.stringify(body) } : {};
        const answer = await app.fetch(new Request(url, { headers, ...sent }));
        const text = await answer.text();
        if (!answer.ok || text.includes('"isError":true')) throw new Error(`${name}: ${answer.status} ${text}`);
      },
      close: () => closeGarden(garden),
    };
  },
});
