import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type TestGateway, testGateway } from "../../testing/test-gateway.ts";

/** A garden, and an MCP client of the official library that is signed in as the archivist from outside. */
export async function outside(starts: readonly string[] = []) {
  const gateway = await testGateway();
  const made = await gateway.ask("token", "POST", "/agents/archivist/tokens", { body: { name: "laptop", starts } });
  const { token } = (await made.json()) as { token: string };
  const client = await connected(gateway, token);
  return { ...gateway, token, client };
}

/** Sends the requests of an MCP client to the gateway in this process, with this token. */
export const fetchFrom =
  ({ ask }: Pick<TestGateway, "ask">, token: string) =>
  async (address: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const asked = new Request(address, init);
    const headers = { ...Object.fromEntries(asked.headers), authorization: `Bearer ${token}` };
    const raw = asked.method === "POST" ? { raw: await asked.text() } : {};
    return ask("none", asked.method, new URL(asked.url).pathname, { headers, ...raw });
  };

export async function connected(gateway: Pick<TestGateway, "ask">, token: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), {
    fetch: fetchFrom(gateway, token),
  });
  await client.connect(transport);
  return client;
}

export async function called(client: Client, name: string, input: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: input });
  const [first] = content as readonly { readonly text: string }[];
  return { text: first!.text, isError: isError === true };
}
