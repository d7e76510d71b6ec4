import { countTokens } from "gpt-tokenizer";
import { describe, expect, test } from "vitest";
import { explain } from "../../garden/insight/why/explain.ts";
import { testGateway } from "../testing/test-gateway.ts";
import { called, connected, outside } from "./testing/mcp-client.ts";

describe("MCP (A-5)", () => {
  test("A-5 an outside agent finds a note, proposes an edit, and `why` names it with its token", async () => {
    const { client, garden } = await outside();
    const read = JSON.parse((await called(client, "read-note", { path: "notes/a.md" })).text) as { commit: string };
    const edit = { path: "notes/a.md", text: "# A\n\nMore.\n", base: read.commit, summary: "Say more" };
    const made = JSON.parse((await called(client, "propose-edit", edit)).text) as Record<string, string>;
    const listed = await called(client, "list-proposals");
    const { links } = await explain(garden, made["proposal_id"]!);
    expect({
      status: made["status"],
      listed: listed.text.includes(made["proposal_id"]!),
      end: links.at(-1)!.what.en,
    }).toEqual({
      status: "pending",
      listed: true,
      end: "asked for by archivist from outside, with its token laptop",
    });
  });

  test("A-5 the tools are those that the contract allows, and none decides anything", async () => {
    const { client } = await outside();
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names.filter((name) => name.startsWith("propose-"))).toEqual([
      "propose-edit",
      "propose-comment",
      "propose-memory-update",
      "propose-logic-update",
    ]);
    expect(names.filter((name) => /approve|reject|decide|withdraw|apply|start/.test(name))).toEqual([]);
  });

  test("A-5 the list of all tools costs a client fewer than 6,000 tokens", async () => {
    const { offeredTools } = await import("./offered-tools.ts");
    const { z } = await import("zod");
    const listed = offeredTools.map(({ name, description, input }) => ({
      name,
      description,
      inputSchema: z.toJSONSchema(input),
    }));
    expect(countTokens(JSON.stringify(listed))).toBeLessThan(6000);
  });

  test.each([
    ["a tool that does not exist", "approve-proposal", { id: "prop_1" }, "not found"],
    ["a note that it may not see", "read-note", { path: "notes/none.md" }, "NOT_FOUND"],
    ["a change of a note that is not there", "propose-edit", { path: "notes/none.md", text: "x" }, "NOT_FOUND"],
    ["a path that leads out of the notes", "read-note", { path: "../settings" }, "path"],
    ["an agent that is an address", "read-memory", { agent: "../inbox" }, "agent"],
    ["an argument of the wrong type", "read-note", { path: 5 }, "path"],
  ])("A-5 %s is refused with the reason", async (_, name, input, reason) => {
    const { client } = await outside();
    const answer = await called(client, name, input).catch((error: unknown) => ({
      text: String(error),
      isError: true,
    }));
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain(reason);
  });

  test("A-5 a revoked token is refused at its next call", async () => {
    const { client, ask } = await outside();
    await ask("token", "DELETE", "/agents/archivist/tokens/laptop");
    await expect(called(client, "read-note", { path: "notes/a.md" })).rejects.toThrow();
  });

  test("A-5 runs start only of agents that the token names", async () => {
    const { client } = await outside(["gardener"]);
    const own = await called(client, "start-run", { agent: "archivist" });
    expect([own.isError, own.text]).toEqual([true, expect.stringContaining("may not start runs of archivist")]);
  });

  test.each(["cookie", "token", "guest", "webhook", "none"] as const)(
    "A-5 a caller of the kind %s is no agent and is refused",
    async (who) => {
      const { ask } = await testGateway();
      const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
      const answer = await ask(who, "POST", "/mcp", {
        body,
        headers: { accept: "application/json, text/event-stream" },
      });
      expect([401, 403]).toContain(answer.status);
    },
  );

  test("A-5 a program that the owner connects is an agent whose contract is its grant, and can ask a person", async () => {
    const gateway = await testGateway();
    const wish = { agent: "claude", folder: "notes/porch", actions: ["propose-comment"] };
    const made = await gateway.ask("token", "POST", "/tokens/agent", { body: wish });
    const client = await connected(gateway, ((await made.json()) as { token: string }).token);
    const { tools } = await client.listTools();
    const seen = await called(client, "read-note", { path: "notes/porch/b.md" });
    const hidden = await called(client, "read-note", { path: "notes/a.md" });
    const asked = await called(client, "ask-human", { question: "Which rose?" });
    const { run } = JSON.parse(asked.text) as { run: { agent_slug: string; by: string; input: unknown } };
    expect({
      proposes: tools.map(({ name }) => name).filter((name) => name.startsWith("propose-")),
      seen: !seen.isError && seen.text.includes("On the porch"),
      hidden: hidden.isError,
      asked: [run.agent_slug, run.by, run.input],
    }).toEqual({
      proposes: ["propose-comment"],
      seen: true,
      hidden: true,
      asked: ["claude", "claude", { question: "Which rose?" }],
    });
  });

  const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const hostile: readonly (readonly [string, string, Record<string, string>, number])[] = [
    ["no JSON", "{", {}, 400],
    ["JSON that is no message", '"tools/list"', {}, 400],
    ["an unknown revision", LIST, { "mcp-protocol-version": "1999-01-01" }, 400],
    [
      "a body of 5 MB",
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { x: "y".repeat(5e6) } }),
      {},
      413,
    ],
    ["another media type", LIST, { "content-type": "text/plain" }, 415],
    ["a client that takes no answer", LIST, { accept: "text/html" }, 406],
    ["a foreign origin", LIST, { origin: "https://evil.example" }, 403],
    ["a session that nobody opened", LIST, { "mcp-session-id": "stolen" }, 200],
  ];
  test("A-5 garbage, huge bodies, foreign origins and replayed sessions are answered by their status", async () => {
    const { ask, token } = await outside();
    const found = [];
    for (const [name, raw, more] of hostile) {
      const headers = { authorization: `Bearer ${token}`, accept: "application/json, text/event-stream", ...more };
      found.push([name, (await ask("none", "POST", "/mcp", { raw, headers })).status]);
    }
    expect(found).toEqual(hostile.map(([name, , , status]) => [name, status]));
  });
});
