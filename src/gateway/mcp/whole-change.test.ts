import { createMCPClient } from "@ai-sdk/mcp";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { explain } from "../../garden/insight/why/explain.ts";
import { testGateway } from "../testing/test-gateway.ts";
import { fetchFrom } from "./testing/mcp-client.ts";

type Fetch = ReturnType<typeof fetchFrom>;
type Call = (tool: string, input: Record<string, unknown>) => Promise<{ text: string; isError: boolean }>;
interface Answer {
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean | undefined;
}

const ADDRESS = "http://127.0.0.1:4440/mcp";
const read = ({ content, isError }: Answer) => ({ text: content[0]!.text, isError: isError === true });

/** Two implementations of the protocol that share no code, each with the revisions that it speaks. */
const clients: readonly (readonly [string, (fetching: Fetch) => Promise<Call>])[] = [
  [
    "the official library, by the revision 2026-07-28",
    async (fetching) => {
      const client = new Client({ name: "one", version: "1" }, { versionNegotiation: { mode: "auto" } });
      await client.connect(new StreamableHTTPClientTransport(new URL(ADDRESS), { fetch: fetching }));
      expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
      return async (name, input) => read((await client.callTool({ name, arguments: input })) as unknown as Answer);
    },
  ],
  [
    "the client of the AI SDK, by an earlier one",
    async (fetching) => {
      const client = await createMCPClient({ transport: { type: "http", url: ADDRESS, fetch: fetching } });
      const tools = (await client.tools()) as unknown as Record<
        string,
        { execute(input: unknown, options: object): Promise<unknown> } | undefined
      >;
      return async (name, input) => {
        const tool = tools[name];
        if (!tool) return { text: `there is no tool ${name}`, isError: true };
        return read((await tool.execute(input, { toolCallId: "1", messages: [] })) as Answer);
      };
    },
  ],
];

test.each(clients)(
  "A-5 %s finds a note, proposes an edit, cannot approve it; the owner does, and `why` names both",
  async (_, connect) => {
    const gateway = await testGateway();
    const wish = { agent: "claude", actions: ["propose-edit"], folder: "notes/porch", per_minute: 3 };
    const made = await gateway.ask("token", "POST", "/tokens/agent", { body: wish });
    const { token } = (await made.json()) as { token: string };
    const call = await connect(fetchFrom(gateway, token));
    const { hits } = JSON.parse((await call("search-notes", { query: "porch" })).text) as { hits: { path: string }[] };
    const { path } = hits[0]!;
    const note = JSON.parse((await call("read-note", { path })).text) as { commit: string; text: string };
    const edit = { path, base: note.commit, text: `${note.text}\nIt is painted green.\n`, summary: "The colour" };
    const proposed = JSON.parse((await call("propose-edit", edit)).text) as { proposal_id: string };
    const id = proposed.proposal_id;

    const approval = {
      body: { verdict: "approve", digest: "0".repeat(40) },
      headers: { authorization: `Bearer ${token}` },
    };
    const byTool = await call("approve-proposal", { proposal: id }).catch((error: unknown) => ({
      text: String(error),
      isError: true,
    }));
    const byRoute = await gateway.ask("none", "PATCH", `/proposals/${id}`, approval);
    const shown = (await (await gateway.ask("token", "GET", `/proposals/${id}`)).json()) as {
      proposal: { digest: string };
    };
    const decision = { verdict: "approve", digest: shown.proposal.digest };
    const approved = await gateway.ask("token", "PATCH", `/proposals/${id}`, { body: decision });

    const { links } = await explain(gateway.garden, `${path}:5`);
    const told = JSON.parse((await call("why", { path, line: 5 })).text) as { links: unknown[] };
    expect({
      path,
      refused: [byTool.isError, byRoute.status],
      approved: approved.status,
      text: JSON.parse((await call("read-note", { path })).text).text,
      asked: links.find(({ kind }) => kind === "person")?.what.en,
      grant: links.find(({ kind }) => kind === "person")?.remarks.map(({ en }) => en),
      decided: links.find(({ kind }) => kind === "decision")?.what.en,
      told: told.links.length > 0,
    }).toEqual({
      path: "notes/porch/b.md",
      refused: [true, 403],
      approved: 200,
      text: "# B\n\nOn the porch.\n\nIt is painted green.\n",
      asked: "asked for by claude from outside, with its token mcp",
      grant: ["its grant: propose-edit in notes/porch, at most 3 a minute"],
      decided: "approved by owner",
      told: true,
    });
  },
);

test("A-3 the grant of an outside agent limits its changes, whatever the garden allows others, and the audit names it", async () => {
  const gateway = await testGateway();
  const wish = { agent: "claude", actions: ["propose-comment"], per_minute: 2 };
  const made = await gateway.ask("token", "POST", "/tokens/agent", { body: wish });
  const { token } = (await made.json()) as { token: string };
  const client = new Client({ name: "one", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(ADDRESS), { fetch: fetchFrom(gateway, token) }));
  const answers: string[] = [];
  for (const text of ["one", "two", "three"]) {
    const answer = await client.callTool({ name: "propose-comment", arguments: { note: "notes/a.md", text } });
    answers.push(answer.isError ? read(answer as unknown as Answer).text.split(":")[0]! : "made");
  }
  const log = (await (await gateway.ask("token", "GET", "/audit")).json()) as {
    records: { record: { kind: string; by: string } }[];
  };
  expect({
    answers,
    refused: log.records.some(({ record: { kind, by } }) => kind === "refused" && by === "claude"),
    made: log.records.some(({ record: { kind } }) => kind === "token-made"),
  }).toEqual({ answers: ["made", "made", "RATE_LIMITED"], refused: true, made: true });
});
