import fc from "fast-check";
import { expect, test } from "vitest";
import { capabilitiesOf, commonCapabilities, contractWithin, coversFolder, grantsNoMore } from "./capabilities.ts";
import { type Capabilities, capabilities } from "./ceiling.ts";
import { type Contract, contractSchema } from "./contract.ts";
import { tools } from "./tool.ts";

const some = (...names: readonly string[]) => fc.subarray([...names]);
const limit = fc.option(fc.nat(20), { nil: undefined });
const folders = fc.option(some("a", "a/b", "a/b/c", "ab", "d", "d/e"), { nil: undefined });

const anyCapabilities: fc.Arbitrary<Capabilities> = fc
  .record({
    tools: some("read-notes", "write-note", "spawn-agent", "ask-human"),
    safe_outputs: some("propose-merge", "memory-update", "propose-note"),
    reads: folders,
    writes: folders,
    hosts: some("*.x.org", "a.x.org", "*.b.x.org", "x.org", "a.x.org:8080", "*.x.org:8080"),
    mcp: fc
      .record({
        name: fc.constantFrom("files", "mail"),
        url: fc.constantFrom("https://one.org/", "https://two.org/"),
        tools: some("list", "send"),
      })
      .map((server) => [server]),
    memories: some("echo", "fern"),
    tokens: limit,
    calls: limit,
    depth: fc.nat(5),
    agents: fc.nat(9),
    tags: fc.subarray([{ change: "add" }, { change: "both", only: ["a"] }, { change: "remove", only: ["a", "b"] }]),
    lineage: some("echo", "fern"),
  })
  .map((value) => capabilities.parse(JSON.parse(JSON.stringify(value))));

test("S-2 the common capabilities of two are within each of the two, whatever they are", () => {
  fc.assert(
    fc.property(anyCapabilities, anyCapabilities, (child, parent) => {
      const common = commonCapabilities(child, parent);
      expect([grantsNoMore(common, child), grantsNoMore(common, parent)]).toEqual([true, true]);
    }),
  );
});

test("S-2 capabilities shrink along a chain of sub-agents: the last is within the first", () => {
  fc.assert(
    fc.property(fc.array(anyCapabilities, { minLength: 2, maxLength: 5 }), (chain) => {
      const last = chain.reduce((ceiling, own) => commonCapabilities(own, ceiling));
      expect(chain.every((each) => grantsNoMore(last, each))).toBe(true);
    }),
  );
});

test("S-2 nothing that both allow is lost: a folder, a tool and a host of both stay", () => {
  fc.assert(
    fc.property(anyCapabilities, fc.constantFrom("a/b/c/n.md", "a/n.md", "ab/n.md", "d/e/n.md"), (one, note) => {
      const both = commonCapabilities(one, one);
      const sees = (each: Capabilities): boolean => each.reads?.some((folder) => coversFolder(folder, note)) ?? true;
      expect([sees(both), both.tools, new Set(both.hosts)]).toEqual([sees(one), one.tools, new Set(one.hosts)]);
    }),
  );
});

test("S-2 a note that the common capabilities show is one that each of the two shows", () => {
  const notes = ["a/n.md", "a/b/n.md", "a/b/c/n.md", "ab/n.md", "d/n.md", "d/e/n.md", "e/n.md"];
  const seen = ({ reads }: Capabilities): string[] =>
    notes.filter((note) => reads === undefined || reads.some((folder) => coversFolder(folder, note)));
  fc.assert(
    fc.property(anyCapabilities, anyCapabilities, (child, parent) => {
      const inBoth = seen(child).filter((note) => seen(parent).includes(note));
      expect(seen(commonCapabilities(child, parent))).toEqual(inBoth);
    }),
  );
});

const contractWith = (over: Partial<Contract>): Contract =>
  contractSchema.parse({
    name: "Fern",
    slug: "fern",
    version: "1.0.0",
    description: "Fern",
    model: "bloom/follower",
    created_at: "2026-01-01",
    updated_at: "2026-01-01",
    created_by: "owner",
    status: "active",
    tools: [...tools],
    safe_outputs: ["propose-note", "memory-update"],
    ...over,
  });

const anyFolder = fc.constantFrom("a/b", "d", undefined);
const anyScope = fc.constantFrom("folder" as const, "anywhere" as const);

test("S-2 the contract of a sub-agent's run grants what contract and ceiling both grant", () => {
  fc.assert(
    fc.property(anyCapabilities, limit, anyFolder, anyScope, (ceiling, tokens, folder, proposes) => {
      const contract = contractWith({
        network: { allow: ["a.x.org"] },
        mcp: [{ name: "files", url: "https://one.org/", tools: ["list", "send"] }],
        reads_memory_of: ["echo"],
        ...(folder !== undefined && { context: { folder, max_sources: 5 } }),
        proposes,
        budget: tokens === undefined || tokens === 0 ? {} : { tokens },
      });
      const within = capabilitiesOf(contractWithin(contract, ceiling), String);
      expect([grantsNoMore(within, ceiling), grantsNoMore(within, capabilitiesOf(contract, String))]).toEqual([
        true,
        true,
      ]);
    }),
  );
});

const base = capabilitiesOf(contractWith({ tags: { change: "add" } }), String);

test.each<[string, Partial<Capabilities>]>([
  ["a tool", { tools: [...base.tools, "format-disk"] }],
  ["an output", { safe_outputs: [...base.safe_outputs, "logic-update"] }],
  ["a host", { hosts: ["evil.org"] }],
  ["a server", { mcp: [{ name: "files", url: "https://one.org/", tools: [] }] }],
  ["a memory", { memories: ["echo"] }],
  ["a level", { depth: base.depth + 1 }],
  ["a sub-agent", { agents: base.agents + 1 }],
  ["the grants of one agent", { lineage: [] }],
  ["every tag", { tags: [] }],
])("S-2 capabilities with %s more are not within", (_, more) => {
  expect(grantsNoMore(base, base)).toBe(true);
  expect(grantsNoMore({ ...base, ...more }, base)).toBe(false);
});

test.each<[string, Partial<Capabilities>, Partial<Capabilities>]>([
  ["another folder", { reads: ["a"] }, { reads: ["b"] }],
  ["a folder whose name begins alike", { writes: ["a"] }, { writes: ["ab"] }],
  ["no folder, which is all notes", { reads: ["a"] }, {}],
  ["more tokens", { tokens: 5 }, { tokens: 6 }],
  ["no limit of calls", { calls: 5 }, {}],
])("S-2 capabilities with %s are not within", (_, outer, inner) => {
  expect(grantsNoMore({ ...base, ...inner }, { ...base, ...outer })).toBe(false);
});
