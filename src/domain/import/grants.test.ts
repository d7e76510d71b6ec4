import { expect, test } from "vitest";
import { type Contract, contractSchema } from "../contract/contract.ts";
import { tools } from "../contract/tool.ts";
import { actions } from "../proposal/action.ts";
import { type SourceGrants, widenings } from "./grants.ts";

const source: SourceGrants = {
  tools: ["read-notes", "create-proposal"],
  outputs: ["propose-note"],
  proposals: 3,
  seconds: 600,
  turns: 10,
  hosts: ["*.example.com", "api.test"],
  mcp: [{ name: "docs", url: "https://docs.test/mcp", tools: ["find"] }],
  crons: ["0 9 * * 1"],
  tags: {},
};

const contract: Contract = contractSchema.parse({
  name: "Sweep",
  slug: "sweep",
  version: "1.0.0",
  description: "Sweeps",
  model: "bloom/follower",
  max_steps: 10,
  tools: ["read-notes", "create-proposal"],
  safe_outputs: ["propose-note"],
  triggers: { manual: true, cron: "0 9 * * 1" },
  timezone: "UTC",
  budget: { proposals: 3 },
  timeouts: { run_s: 600 },
  network: { allow: ["a.example.com", "*.b.example.com", "api.test"] },
  mcp: [{ name: "docs", url: "https://docs.test/mcp", tools: ["find"] }],
  created_at: "2026-02-14",
  updated_at: "2026-02-14",
  created_by: "owner",
  status: "draft",
});

test("I-1 a contract that allows exactly what its source did is no widening", () => {
  expect(widenings(source, contract)).toEqual([]);
});

type Mutant = readonly [what: string, change: Partial<Contract>];

/** Each widening of a contract that is possible, one at a time. */
const mutants: readonly Mutant[] = [
  ...tools
    .filter((tool) => !source.tools.includes(tool))
    .map((tool): Mutant => [`the tool ${tool}`, { tools: [...contract.tools, tool] }]),
  ...actions
    .filter((action) => !source.outputs.includes(action))
    .map((action): Mutant => [`the output ${action}`, { safe_outputs: [...contract.safe_outputs, action] }]),
  ["one proposal more", { budget: { proposals: 4 } }],
  ["no limit of proposals", { budget: {} }],
  ["one second more", { timeouts: { run_s: 601 } }],
  ["no time limit", { timeouts: {} }],
  ["one turn more", { max_steps: 11 }],
  ["another host", { network: { allow: ["evil.test"] } }],
  ["a host that only ends alike", { network: { allow: ["evilexample.com"] } }],
  ["the domain above", { network: { allow: ["*.com"] } }],
  ["the hosts below one host", { network: { allow: ["*.api.test"] } }],
  ["another port", { network: { allow: ["api.test:8443"] } }],
  ["another MCP server", { mcp: [{ name: "other", url: "https://docs.test/mcp", tools: [] }] }],
  ["another address of a server", { mcp: [{ name: "docs", url: "https://evil.test/mcp", tools: ["find"] }] }],
  ["another tool of a server", { mcp: [{ name: "docs", url: "https://docs.test/mcp", tools: ["find", "drop"] }] }],
  ["another schedule", { triggers: { manual: true, cron: "* * * * *", events: null } }],
  ["the schedule in another time zone", { timezone: "Europe/Kyiv" }],
  ["an event", { triggers: { manual: true, cron: null, events: ["note/created"] } }],
  ["another agent's memory", { reads_memory_of: ["archivist"] }],
  ["proposals anywhere", { proposes: "anywhere" }],
  ["a branch of its own", { workspace: "session" }],
  ["another state than draft", { status: "active" }],
];

test.each(mutants)("I-1 the check names a contract that gained %s", (_, change) => {
  expect(widenings(source, { ...contract, ...change })).toHaveLength(1);
});

const labels: SourceGrants = { ...source, outputs: ["propose-tag"], tags: { add: ["bug", "plan"] } };
test.each<[string, SourceGrants["tags"], Contract["tags"], string[]]>([
  ["the labels to add", { add: ["bug", "plan"] }, { change: "add", only: ["bug"] }, []],
  ["any label to add", { add: "any" }, { change: "add" }, []],
  ["both ways", { add: "any", remove: "any" }, { change: "both" }, []],
  ["removal too", { add: "any" }, { change: "both" }, ["tags.remove: *"]],
  ["no limit at all", { add: ["bug"] }, undefined, ["tags.add: *", "tags.remove: *"]],
  ["another label", { add: ["bug"] }, { change: "add", only: ["bug", "wontfix"] }, ["tags.add: wontfix"]],
  ["removal instead", { add: ["bug"] }, { change: "remove", only: ["bug"] }, ["tags.remove: bug"]],
])("I-1 a contract with %s gains exactly what the check names", (_, tags, made, gained) => {
  const found = widenings({ ...labels, tags }, { ...contract, safe_outputs: ["propose-tag"], tags: made });
  expect(found.map(({ en }) => en.replace(/ is more.*/, ""))).toEqual(gained);
});

test("I-1 a source without limits allows any limit", () => {
  const free = { ...source, proposals: undefined, seconds: undefined, turns: undefined };
  expect(widenings(free, { ...contract, budget: {}, timeouts: {}, max_steps: 20 })).toEqual([]);
});
