import { expect, test } from "vitest";
import type { Failure } from "../../../base/failure.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { readAgent } from "../../records/agents/read-agent.ts";
import { gardenWith } from "../../testing/scratch.ts";
import { activationReport } from "./activation.ts";
import { packAgent } from "./agent-package.ts";
import { createAgent } from "./create-agent.ts";
import type { NewAgentWish } from "./first-files.ts";

const wish = (slug: string, from: NewAgentWish["from"]): NewAgentWish => ({
  slug,
  by: commandLineOwner,
  language: "en",
  from,
});
const PROCEDURE = 'BEGIN "Greet"\n\n  create-proposal(type: "propose-note", title: "Hello", content: "Hi")\n\nEND\n';

test("U-1b an agent from pseudocode has its diagram, and the tools and outputs that the procedure uses", async () => {
  const { garden } = await gardenWith();
  const { contract } = await createAgent(garden, wish("greeter", { kind: "pseudocode", text: PROCEDURE }));
  const stored = await garden.store.get(keys.pseudocode("greeter"));
  expect({
    text: Buffer.from(stored!.bytes).toString(),
    contract,
    ready: (await activationReport(garden, "greeter")).ready,
  }).toMatchObject({
    text: PROCEDURE,
    contract: { name: "Greet", tools: ["create-proposal"], safe_outputs: ["propose-note"], logic_version: "v001" },
    ready: true,
  });
});

test("U-1b an agent from a drawing has an empty diagram with a header and an end", async () => {
  const { garden } = await gardenWith();
  await createAgent(garden, { ...wish("blank", { kind: "drawing" }), name: "Blank" });
  const stored = await garden.store.get(keys.diagram("blank", "main-flow.drakon.json"));
  expect(JSON.parse(Buffer.from(stored!.bytes).toString())).toMatchObject({
    name: "Blank",
    items: { 1: { type: "branch", one: "2" }, 2: { type: "end" } },
  });
});

test("U-1b an exported agent becomes a draft in another garden, file by file; its state stays behind", async () => {
  const [here, there] = [await gardenWith(), await gardenWith()];
  await createAgent(here.garden, wish("keeper", { kind: "template", template: "glossary-keeper" }));
  const source = `${keys.agentFolder("keeper")}sources/`;
  await here.garden.store.create(`${source}words.md`, Buffer.from("# Words\n"));
  await here.garden.store.create(`${source}picture.bin`, Buffer.from([0xff, 0, 0xfe]));
  const packed = await packAgent(here.garden, "keeper");
  expect(packed.files.map(({ path }) => path).toSorted()).toEqual([
    "_agent.md",
    "drakon/main-flow.drakon.json",
    "pseudocode.md",
    "sources/picture.bin",
    "sources/words.md",
  ]);
  await createAgent(there.garden, wish("glossary", { kind: "file", text: JSON.stringify(packed) }));
  const [one, other] = [await readAgent(here.garden.store, "keeper"), await readAgent(there.garden.store, "glossary")];
  const bytes = await there.garden.store.get(`${keys.agentFolder("glossary")}sources/picture.bin`);
  expect([other.contract.slug, other.contract.status, other.body, [...bytes!.bytes]]).toEqual([
    "glossary",
    "draft",
    one.body,
    [0xff, 0, 0xfe],
  ]);
  expect((await activationReport(there.garden, "glossary")).ready).toBe(true);
});

test.each([
  ["a template of another name", { kind: "template", template: "tager" }, "NOT_FOUND", /did you mean tagger/],
  ["pseudocode without a procedure", { kind: "pseudocode", text: "Hello" }, "VALIDATION_FAILED", /./],
  ["a file that is no JSON", { kind: "file", text: "no" }, "VALIDATION_FAILED", /not an exported agent/],
  ["a file of another kind", { kind: "file", text: '{"format":"x"}' }, "VALIDATION_FAILED", /\(format\)/],
  [
    "a package without a contract",
    {
      kind: "file",
      text: JSON.stringify({ format: "garden-bloom-agent", version: 1, slug: "x", exported_at: "", files: [] }),
    },
    "VALIDATION_FAILED",
    /_agent\.md/,
  ],
] as const)("U-1b %s creates nothing and says why", async (_, from, code, words) => {
  const { garden } = await gardenWith();
  const failure = await createAgent(garden, wish("x", from)).then(
    () => undefined,
    (error: unknown) => error as Failure,
  );
  expect([failure?.code, words.test(failure?.text.en ?? ""), await garden.store.get("agents/x/_agent.md")]).toEqual([
    code,
    true,
    undefined,
  ]);
});

test("U-1b a package cannot write outside of the agent's folder", async () => {
  const { garden } = await gardenWith();
  await createAgent(garden, wish("tagger", { kind: "template", template: "tagger" }));
  const packed = await packAgent(garden, "tagger");
  const files = [...packed.files, { path: "sources/../../x.md", text: "no" }, { path: "runs/y", text: "no" }];
  await createAgent(garden, wish("copy", { kind: "file", text: JSON.stringify({ ...packed, files }) }));
  const found = (await packAgent(garden, "copy")).files.map(({ path }) => path);
  expect([found, await garden.store.get("agents/copy/runs/y")]).toEqual([
    ["_agent.md", "drakon/main-flow.drakon.json", "pseudocode.md"],
    undefined,
  ]);
});
