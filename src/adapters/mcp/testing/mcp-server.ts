import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEachTest } from "../../../base/testing/clean-up.ts";

/** A tool of the test server: its listing, and the handler of its calls. */
export interface ServedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly call: (args: Record<string, unknown>, answer: (result: unknown) => void, response: ServerResponse) => void;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: Record<string, unknown>;
    readonly protocolVersion?: string;
  };
}

const open: { close(): void }[] = [];
afterEachTest(() => {
  for (const server of open.splice(0)) server.close();
});

/** A minimal MCP server over streamable HTTP: JSON-RPC by POST, one JSON answer each. */
export async function mcpServer(
  tools: readonly ServedTool[],
): Promise<{ url: string; host: string; methods: string[] }> {
  const methods: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (request.method !== "POST") return void response.writeHead(405).end();
      const message = JSON.parse(Buffer.concat(chunks).toString()) as Message;
      methods.push(message.method ?? "?");
      if (message.id === undefined) return void response.writeHead(202).end();
      const send = (body: object): void => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...body }));
      };
      handle(message, tools, send, response);
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
  return { url: `http://127.0.0.1:${port}/mcp`, host: `127.0.0.1:${port}`, methods };
}

function handle(
  { method, params }: Message,
  tools: readonly ServedTool[],
  send: (body: object) => void,
  response: ServerResponse,
): void {
  const answer = (result: unknown): void => send({ result });
  if (method === "initialize")
    return answer({
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "test", version: "1" },
    });
  if (method === "tools/list") return answer({ tools: tools.map((tool) => ({ ...tool, call: undefined })) });
  const tool = method === "tools/call" ? tools.find(({ name }) => name === params?.name) : undefined;
  if (!tool) return send({ error: { code: -32601, message: `no ${method}` } });
  tool.call(params?.arguments ?? {}, answer, response);
}
