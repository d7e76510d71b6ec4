import { expect } from "vitest";
import { localReader } from "../../../../adapters/reader/local/local-reader.ts";
import type { Json } from "../../../../base/canonical.ts";
import type { Failure } from "../../../../base/failure.ts";
import { newId } from "../../../../base/ids.ts";
import { fixedWorld } from "../../../../base/testing/fixed-world.ts";
import { readContract } from "../../../../domain/contract/contract.ts";
import { branchTools, tools as everyTool, type Tool } from "../../../../domain/contract/tool.ts";
import { contractKey, keys, MAIN_REF } from "../../../../domain/layout.ts";
import type { Egress } from "../../../../ports/egress.ts";
import type { Reader } from "../../../../ports/reader.ts";
import type { RunTool } from "../../../../ports/runtime.ts";
import type { Garden } from "../../../core/garden.ts";
import { jsonBytes } from "../../../core/json-record.ts";
import { inspectLogic } from "../../../insight/learning/analyse-logic.ts";
import { logicPerformance } from "../../../insight/learning/logic-performance.ts";
import { gardenWith, testPorts } from "../../../testing/scratch.ts";
import { toolsFor } from "../tools.ts";
import { openWorkspace, type RunWorkspace } from "../workspace.ts";

export interface ToolGround {
  readonly garden: Garden;
  readonly dir: string;
  readonly slug: string;
  readonly run: string;
  /** Calls a tool as the journal would; `key` is that of the call. */
  readonly use: (
    tool: string,
    input?: Json,
    how?: { readonly key?: string; readonly signal?: AbortSignal },
  ) => Promise<Json>;
  readonly tool: (name: string) => RunTool | undefined;
  readonly tools: readonly RunTool[];
  readonly proposed: string[];
  /** The branch of the run, if the contract says `workspace: session`. */
  readonly workspace: RunWorkspace | undefined;
  readonly pauses: number[];
}

export interface ToolGroundOptions {
  readonly notes?: Readonly<Record<string, string>>;
  /** YAML lines of the contract besides the usual ones. */
  readonly contract?: string;
  readonly tools?: readonly Tool[];
  readonly outputs?: readonly string[];
  readonly sources?: Readonly<Record<string, string>>;
  readonly reader?: Reader;
  readonly egress?: Egress;
  readonly language?: "uk" | "en";
  readonly garden?: Garden;
  readonly dir?: string;
  readonly slug?: string;
  /** The analysis of logic; the real one if left out. */
  readonly inspect?: typeof inspectLogic;
}

export const ALL_OUTPUTS = [
  "propose-edit",
  "propose-summary",
  "propose-tag",
  "propose-artifact",
  "propose-note",
  "propose-comment",
  "memory-update",
  "logic-update",
  "logic-rollback",
];

/** A real garden with an active agent in a run, pinned to the current main. */
export async function toolGround(wishes: ToolGroundOptions = {}): Promise<ToolGround> {
  const { slug = "archivist", outputs = ALL_OUTPUTS, reader = localReader(), language = "en" } = wishes;
  const made = wishes.garden
    ? { garden: wishes.garden, dir: wishes.dir ?? "" }
    : await gardenWith(wishes.notes ?? { "notes/a.md": "# A\n" }, testPorts(fixedWorld("2026-02-14T08:00:00Z", 1000)));
  const { garden, dir } = made;
  const onBranch = wishes.contract?.includes("workspace: session") ?? false;
  const usual = everyTool.filter((one) => onBranch || !branchTools.some((other) => other === one));
  const text = contractText(
    slug,
    wishes.tools ?? usual,
    onBranch ? [...outputs, "propose-merge"] : outputs,
    wishes.contract ?? "",
  );
  await garden.store.create(contractKey(slug), Buffer.from(text));
  for (const [name, source] of Object.entries(wishes.sources ?? {}))
    await garden.store.create(`${keys.agentFolder(slug)}sources/${name}`, Buffer.from(source));
  const run = newId(garden.world, "run");
  await garden.store.create(keys.runRequest(slug, run), jsonBytes(requestOf(slug, run)));
  const reading = readContract(Buffer.from(text));
  if (reading.kind === "problems") throw new Error(JSON.stringify(reading.problems));
  const pauses: number[] = [];
  const proposed: string[] = [];
  const main = (await garden.repo.resolve(MAIN_REF))!;
  const workspace = onBranch
    ? await openWorkspace(garden, {
        place: { slug, run },
        at: main,
        goal: "Keep things in order",
        contract: "c0",
        logic: null,
        behaviour: null,
        trigger: "manual",
        last: undefined,
        shared: 0,
      })
    : undefined;
  const tools = toolsFor({
    garden,
    slug,
    run,
    contract: reading.contract,
    get commit() {
      return workspace?.head ?? main;
    },
    workspace,
    logicVersion: null,
    reader,
    egress: wishes.egress,
    insight: { inspectLogic: wishes.inspect ?? inspectLogic, logicPerformance },
    identity: { type: "agent", slug, run },
    language,
    pause: async (ms) => void pauses.push(ms),
  });
  const tool = (name: string): RunTool | undefined => tools.find((one) => one.name === name);
  return {
    garden,
    dir,
    slug,
    run,
    tools,
    tool,
    proposed,
    workspace,
    pauses,
    async use(
      name,
      input = {},
      { key = `${name} ${JSON.stringify(input)}`, signal = new AbortController().signal } = {},
    ) {
      const found = tool(name);
      if (!found) throw new Error(`no tool ${name}`);
      return found.call(input, { key, signal, proposed: (id) => void proposed.push(id) });
    },
  };
}

/** One row of a table: the input, and the result or the failure as `CODE: message`. */
export type ToolRow = readonly [name: string, input: Json, expected: unknown];

/** All rows on one garden, each under its name, to be compared with `expectedOf`. */
export async function answersTo(
  ground: ToolGround,
  tool: string,
  rows: readonly ToolRow[],
  told: (answer: Json) => unknown = (answer) => answer,
): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const [name, input] of rows)
    answers[name] = await ground.use(tool, input).then(told, (error: Failure) => `${error.code}: ${error.message}`);
  return answers;
}

/** A pattern matches any text that it fits. */
export const expectedOf = (rows: readonly ToolRow[]): Record<string, unknown> =>
  Object.fromEntries(
    rows.map(([name, , expected]) => [
      name,
      expected instanceof RegExp ? (expect.stringMatching(expected) as unknown) : expected,
    ]),
  );

const contractText = (slug: string, tools: readonly string[], outputs: readonly string[], more: string): string =>
  [
    "---",
    "name: Archivist",
    `slug: ${slug}`,
    'version: "1.0.0"',
    "description: Keeps things in order",
    "model: bloom/follower",
    `tools: [${tools.join(", ")}]`,
    `safe_outputs: [${outputs.join(", ")}]`,
    'created_at: "2026-02-01T10:00:00Z"',
    'updated_at: "2026-02-01T10:00:00Z"',
    "created_by: owner",
    "status: active",
    ...(more === "" ? [] : [more]),
    "---",
    "",
    "Do it.",
    "",
  ].join("\n");

const requestOf = (slug: string, run: string): object => ({
  kind: "request",
  run_id: run,
  agent_slug: slug,
  trigger: "manual",
  by: "owner",
  requested_at: "2026-02-14T08:00:00.000Z",
  op: "test",
});
