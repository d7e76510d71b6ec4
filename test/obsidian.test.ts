import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import vm from "node:vm";
import { beforeAll, expect, test } from "vitest";
import {
  addressProblem,
  committedLine,
  type GatewayProblem,
  type GatewaySettings,
  lineOrigin,
  reviewPage,
  type SendRequest,
  waitingProposals,
  whyPage,
} from "../integrations/obsidian/gateway-client.ts";
import { lineWords, problemWords, statusText } from "../integrations/obsidian/plugin-words.ts";
import { buildObsidianPlugin } from "../scripts/obsidian.js";
import { commandLineOwner } from "../src/domain/identity.ts";
import { decide } from "../src/garden/changes/proposals/decide.ts";
import { type TestGateway, testGateway } from "../src/gateway/testing/test-gateway.ts";

const ADDRESS = "http://127.0.0.1:7777";

/** The plugin's requests, answered by the real app; `asked` notes the method of each. */
async function plugged(
  gateway: TestGateway,
): Promise<{ settings: GatewaySettings; send: SendRequest; asked: string[] }> {
  const asked: string[] = [];
  const send: SendRequest = async (url, headers) => {
    asked.push(`GET ${url.slice(ADDRESS.length)}`);
    const answer = await gateway.ask("none", "GET", url.slice(ADDRESS.length), { headers });
    return { status: answer.status, text: await answer.text() };
  };
  const token = await gateway.token({ kind: "owner", name: "obsidian" });
  return { settings: { address: `${ADDRESS}/`, token, folder: "notes" }, send, asked };
}

test("I-3 the plugin for Obsidian lists what waits, and names who changed a line, by reading only", async () => {
  const gateway = await testGateway();
  const { settings, send, asked } = await plugged(gateway);
  const proposal = await gateway.proposal();
  const waiting = await waitingProposals(settings, send);
  expect(waiting).toEqual({
    proposals: [expect.objectContaining({ id: proposal.id, who: "archivist", target: proposal.target })],
    isMore: false,
  });
  expect(reviewPage(settings, proposal.id)).toBe(`${ADDRESS}/app/proposals/${proposal.id}`);
  const note = { path: "porch/b.md", text: "# B\n\nOn the porch.\nNew.\n", line: 1 };
  const answer = await lineOrigin(settings, send, note);
  expect(answer).toMatchObject({
    kind: "origin",
    line: 1,
    origin: { commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
  });
  expect(lineWords(answer, "en")).toMatch(/, by hand: /);
  expect(await lineOrigin(settings, send, { ...note, line: 4 })).toEqual({ kind: "uncommitted" });
  expect(await lineOrigin(settings, send, { ...note, path: "none.md" })).toEqual({ kind: "unknown" });
  expect(whyPage(settings, "porch/b.md", 3)).toBe(`${ADDRESS}/app/why?subject=notes%2Fporch%2Fb.md%3A3`);
  expect(asked.filter((one) => !one.startsWith("GET "))).toEqual([]);
});

test("I-3 the plugin names the agent whose approved proposal made a line", async () => {
  const gateway = await testGateway();
  const { settings, send } = await plugged(gateway);
  const edit = { action: "propose-edit", payload: { path: "notes/a.md", text: "# A\n\nOf the archivist.\n" } };
  const sent = await gateway.ask("agent", "POST", "/inbox/submit", { body: { intent: edit } });
  const { proposal_id: proposal, digest } = (await sent.json()) as { proposal_id: string; digest: string };
  await decide(gateway.garden, { proposal, verdict: "approve", digest, by: commandLineOwner });
  const answer = await lineOrigin(settings, send, { path: "a.md", text: "# A\n\nOf the archivist.\n", line: 3 });
  expect(answer).toMatchObject({ kind: "origin", origin: { author: "archivist", proposal } });
});

test.each<[string, Partial<GatewaySettings>, GatewayProblem["kind"]]>([
  ["a wrong token", { token: "no" }, "token"],
  ["no address", { address: "garden" }, "address"],
  ["plain HTTP to another machine", { address: "http://example.org" }, "plain-http"],
])("I-3 the plugin says what to do about %s", async (_, change, kind) => {
  const gateway = await testGateway();
  const { settings, send, asked } = await plugged(gateway);
  const thrown = await waitingProposals({ ...settings, ...change }, send).catch((error: unknown) => error);
  expect(thrown).toMatchObject({ kind });
  expect(problemWords(thrown as GatewayProblem, "uk")).not.toBe("");
  expect(asked.length).toBe(kind === "token" ? 1 : 0);
});

test.each<[string, string, number, number | undefined]>([
  ["a\nb\nc", "a\nb\nc", 2, 2],
  ["a\nnew\nb\nc", "a\nb\nc", 2, undefined],
  ["a\nnew\nb\nc", "a\nb\nc", 3, 2],
  ["b\nc", "a\nb\nc", 1, 2],
  ["a\r\nb", "a\nb", 2, 2],
  ["x", "", 1, undefined],
])("I-3 a line of the editor %j is found in the committed text %j", (edited, committed, line, expected) => {
  expect(committedLine(edited, committed, line)).toBe(expected);
});

test("I-3 the plugin sends its token to this machine and over HTTPS only", () => {
  const to = [
    "http://localhost:1",
    "http://[::1]:1",
    "https://garden.example",
    "http://127.0.0.1.evil.example",
    "file:///x",
  ];
  expect(to.map(addressProblem)).toEqual([undefined, undefined, undefined, "plain-http", "address"]);
  expect([statusText(undefined, false), statusText(3, true)]).toEqual(["🌸 –", "🌸 3+"]);
});

let built: string;
beforeAll(async () => {
  built = await buildObsidianPlugin(join(import.meta.dirname, "../node_modules/.obsidian-plugin"));
});

test("I-3 the built plugin is one CommonJS file that needs nothing but Obsidian, with a manifest of the rules", () => {
  const code = readFileSync(join(built, "main.js"), "utf8");
  const needed: string[] = [];
  const module = { exports: {} as { name?: string } };
  const require = (name: string): unknown => {
    needed.push(name);
    return new Proxy({}, { get: () => Object });
  };
  vm.runInNewContext(code, { module, exports: module.exports, require, URL });
  expect([needed, typeof module.exports, module.exports.name]).toEqual([["obsidian"], "function", "GardenBloomPlugin"]);
  expect(code).not.toMatch(/\b(?:POST|PATCH|PUT|DELETE)\b|innerHTML|\beval\b/);
  const manifest = createRequire(import.meta.url)(join(built, "manifest.json")) as Record<string, string>;
  const versions = JSON.parse(readFileSync("integrations/obsidian/versions.json", "utf8")) as Record<string, string>;
  expect(manifest["id"]).toMatch(/^(?!.*obsidian)[a-z-]+$/);
  expect(versions[manifest["version"]!]).toBe(manifest["minAppVersion"]);
});
