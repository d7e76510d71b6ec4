import { describe, expect, test } from "vitest";
import { isFailure } from "../../../base/failure.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import { diagramFromTree } from "../../../drakon/from-tree/diagram-from-tree.ts";
import { parsePseudocode } from "../../../drakon/text/parse.ts";
import type { Garden } from "../../core/garden.ts";
import { readAgent } from "../../records/agents/read-agent.ts";
import { gardenWith, scratch, testPorts } from "../../testing/scratch.ts";
import { contractText } from "../testing/contract-text.ts";
import { type ActivationReport, activationReport } from "./activation.ts";
import { changeAgentStatus } from "./change-status.ts";
import { createAgent } from "./create-agent.ts";

const diagramOf = (procedure: string): string => diagramFromTree(parsePseudocode(procedure).tree!).source.text;
const PROCEDURE = 'BEGIN "Echo"\n\n  notes ← read-notes()\n  create-proposal(type: "propose-note")\n\nEND\n';

interface Files {
  readonly contract?: Record<string, string | undefined>;
  readonly body?: string;
  readonly diagram?: string;
  readonly others?: Record<string, string>;
}

/** The activation checks read only the store and the endpoints of the garden. */
async function reportFor({ contract = {}, body, diagram, others = {} }: Files): Promise<ActivationReport> {
  const store = await testPorts().openStore(scratch(), { store: { kind: "directory" }, agents_root: "agents" });
  try {
    await put({ store }, contractKey("echo"), contractText("echo", contract, body));
    if (diagram !== undefined) await put({ store }, keys.diagram("echo", "main-flow.drakon.json"), diagram);
    for (const [key, text] of Object.entries(others)) await put({ store }, key, text);
    return await activationReport({ store, config: { models: {} } }, "echo");
  } finally {
    await store.close();
  }
}

const put = (garden: Pick<Garden, "store">, key: string, text: string) => garden.store.create(key, Buffer.from(text));

const notPassed = ({ checks }: ActivationReport): string[] =>
  checks.filter(({ result }) => result === "fail" || result === "warning").map(({ id, result }) => `${result} ${id}`);

describe("C-4 the eight checks of source 001 §7", () => {
  test("come in the order of the source, before the checks of the diagram", async () => {
    const { checks, ready } = await reportFor({});
    expect(checks.slice(0, 8).map(({ id }) => id)).toEqual([
      "exists",
      "front-matter",
      "slug",
      "tools",
      "safe-outputs",
      "model",
      "safe-output-tool",
      "body",
    ]);
    expect({ ready, allPassed: checks.every(({ result }) => result === "pass" || result === "skipped") }).toEqual({
      ready: true,
      allPassed: true,
    });
  });

  test.each<[string, Files, string[]]>([
    ["a field that is missing", { contract: { name: undefined } }, ["fail front-matter"]],
    ["a slug that is not the folder's name", { contract: { slug: "other" } }, ["fail front-matter", "fail slug"]],
    ["a slug that another folder claims", { others: { [contractKey("rival")]: contractText("echo") } }, ["fail slug"]],
    ["no tools", { contract: { tools: "[]" } }, ["fail tools", "fail safe-output-tool"]],
    ["no safe outputs", { contract: { safe_outputs: "[]" } }, ["fail safe-outputs", "fail safe-output-tool"]],
    ["an unknown provider", { contract: { model: "antropic/claude-sonnet-4-5" } }, ["fail model"]],
    ["an id that the list does not know", { contract: { model: "anthropic/claude-next" } }, ["fail model"]],
    ["a provider without an address", { contract: { model: "mistral/mistral-large-latest" } }, ["fail model"]],
    [
      "C-2a a model that the owner says is newer than the list",
      { contract: { model: "anthropic/claude-next", model_unlisted: "true" } },
      ["warning model"],
    ],
    ["no tool that proposes", { contract: { tools: "[read-notes]" } }, ["fail safe-output-tool"]],
    ["an empty body", { body: " \n" }, ["warning body"]],
    [
      "a contract that cannot be read at all",
      { contract: { name: '"' } },
      ["fail front-matter", "fail slug", "fail tools", "fail safe-outputs", "fail model", "fail safe-output-tool"],
    ],
  ])("%s", async (_, files, expected) => expect(notPassed(await reportFor(files))).toEqual(expected));

  test("a missing contract fails the first check", async () => {
    const { garden } = await gardenWith();
    expect(await activationReport(garden, "nobody")).toMatchObject({
      ready: false,
      checks: [{ id: "exists", result: "fail" }],
    });
  });
});

describe("L-8 the static check of the diagram", () => {
  const good = diagramOf(PROCEDURE);
  const json = (items: Record<string, unknown>): string => JSON.stringify({ name: "Echo", items });
  const begin = { "1": { type: "branch", branchId: 0, one: "2" } };
  const end = { "9": { type: "end" } };
  const outputs = { safe_outputs: "[propose-note]" };

  test.each<[string, Files, string[]]>([
    ["a valid diagram", { diagram: good, contract: outputs }, []],
    [
      "an invalid diagram",
      { diagram: json({ ...begin, "2": { type: "question", content: "x", one: "9" }, ...end }), contract: outputs },
      ["fail diagram", "warning outputs-used"],
    ],
    [
      "an icon that is not reached",
      {
        diagram: json({
          ...begin,
          "2": { type: "action", content: 'create-proposal("propose-note")', one: "9" },
          "3": { type: "action", content: "lost", one: "9" },
          ...end,
        }),
        contract: outputs,
      },
      ["fail reachable"],
    ],
    [
      "a loop without an exit",
      {
        diagram: diagramOf('BEGIN "x"\n\n  REPEAT\n    create-proposal(type: "propose-note")\n\nEND\n'),
        contract: outputs,
      },
      ["fail loops"],
    ],
    [
      "an insertion that does not exist",
      {
        diagram: json({ ...begin, "2": { type: "insertion", content: "propose-note", one: "9" }, ...end }),
        contract: outputs,
      },
      ["fail diagram"],
    ],
    [
      "a tool that is not granted",
      {
        diagram: diagramOf('BEGIN "x"\n\n  search-notes("a")\n  create-proposal(type: "propose-note")\n\nEND\n'),
        contract: outputs,
      },
      ["fail tools-used"],
    ],
    [
      "a proposal that is not granted",
      { diagram: diagramOf('BEGIN "x"\n\n  create-proposal(type: "propose-tag")\n\nEND\n'), contract: outputs },
      ["fail outputs-used"],
    ],
    [
      "a safe output that is never used",
      { diagram: good, contract: { safe_outputs: "[propose-note, propose-edit]" } },
      ["warning outputs-used"],
    ],
    ["a flow without a diagram", { contract: { execution: "flow" } }, ["fail diagram"]],
    [
      "a diagram file that does not exist",
      { contract: { generated_from: "gone.drakon.json" } },
      ["fail diagram", "warning drift"],
    ],
    [
      "more prose steps than turns",
      {
        diagram: diagramOf('BEGIN "x"\n\n  look around\n  think about propose-note\n\nEND\n'),
        contract: { ...outputs, execution: "flow", max_steps: "1" },
      },
      ["warning steps"],
    ],
    [
      "D-6 a contract that drifted from the diagram",
      { diagram: good, contract: { ...outputs, generated_from: "main-flow.drakon.json" } },
      ["warning drift"],
    ],
  ])("%s", async (_, files, expected) => expect(notPassed(await reportFor(files))).toEqual(expected));

  test("a diagram that the main diagram does not call is not checked", async () => {
    const others = { [keys.diagram("echo", "aside.drakon.json")]: json({}) };
    expect(notPassed(await reportFor({ diagram: good, contract: outputs, others }))).toEqual([]);
  });
});

describe("C-4 activating", () => {
  test.each(["draft", "paused", "error"])("an agent in state %s runs the activation checks", async (status) => {
    const { garden } = await gardenWith();
    await put(garden, contractKey("echo"), contractText("echo", { status, model: "nobody/knows" }));
    const refused = await changeAgentStatus(garden, { slug: "echo", to: "active", by: commandLineOwner }).catch(
      (error: unknown) => error,
    );
    expect(isFailure(refused, "VALIDATION_FAILED") && refused.text.en).toMatch(
      /^echo cannot be activated\nthe model is known: nobody\/knows/,
    );
    expect((await readAgent(garden.store, "echo")).contract.status).toBe(status);
  });

  test("a hand-written contract gets logic v001, once", async () => {
    const { garden } = await gardenWith();
    await put(garden, contractKey("echo"), contractText("echo"));
    const owner = { slug: "echo", by: commandLineOwner } as const;
    await changeAgentStatus(garden, { ...owner, to: "active" });
    await changeAgentStatus(garden, { ...owner, to: "paused" });
    await changeAgentStatus(garden, { ...owner, to: "active" });
    expect((await readAgent(garden.store, "echo")).contract).toMatchObject({ status: "active", logic_version: "v001" });
  });

  test("C-4 an empty body is only a warning, and the first text written into it becomes v001", async () => {
    const { garden } = await gardenWith();
    const owner = { slug: "echo", by: commandLineOwner } as const;
    await put(garden, contractKey("echo"), contractText("echo", {}, " \n"));
    await changeAgentStatus(garden, { ...owner, to: "active" });
    const { contract, text, hash } = await readAgent(garden.store, "echo");
    await garden.store.swap(contractKey("echo"), hash, Buffer.from(`${text}Do good.\n`));
    await changeAgentStatus(garden, { ...owner, to: "paused" });
    await changeAgentStatus(garden, { ...owner, to: "active" });
    const after = (await readAgent(garden.store, "echo")).contract;
    expect({
      status: contract.status,
      firstVersion: contract.logic_version,
      laterVersion: after.logic_version,
    }).toEqual({ status: "active", firstVersion: undefined, laterVersion: "v001" });
  });

  test("C-9 the next read of an edited contract returns the new text", async () => {
    const { garden } = await gardenWith();
    await createAgent(garden, { slug: "echo", by: commandLineOwner, language: "en", from: { kind: "template" } });
    const stored = (await garden.store.get(contractKey("echo")))!;
    const text = Buffer.from(stored.bytes)
      .toString()
      .replace("max_steps: 5", "max_steps: 7")
      .replace("Invent nothing", "Invent little");
    await garden.store.swap(contractKey("echo"), stored.hash, Buffer.from(text));
    const agent = await readAgent(garden.store, "echo");
    expect({ maxSteps: agent.contract.max_steps, hasNewBody: agent.body.includes("Invent little") }).toEqual({
      maxSteps: 7,
      hasNewBody: true,
    });
  });
});
