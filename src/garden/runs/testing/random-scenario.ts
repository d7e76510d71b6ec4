import { createHash } from "node:crypto";
import { z } from "zod";
import type { Script } from "../../../adapters/runtime/testing/scripted-model.ts";
import { canonicalJson, type Json } from "../../../base/canonical.ts";
import { readRunBlock } from "../../../domain/run/run-block.ts";
import { boundNames } from "../../../drakon/expression/bound-names.ts";
import { parametersOf } from "../../../drakon/expression/parameters.ts";
import { diagramFromTree } from "../../../drakon/from-tree/diagram-from-tree.ts";
import { parsePseudocode } from "../../../drakon/text/parse.ts";
import { renderPseudocode } from "../../../drakon/text/render.ts";
import type { Step, Tree } from "../../../drakon/tree.ts";
import { WalkMachine } from "../../../drakon/walk/machine.ts";
import { answerTo, type Request } from "../../../drakon/walk/request.ts";
import { generated, inputOf } from "../../../drakon/walk/testing/generated.ts";
import { toolInput } from "../../../drakon/walk/tool-request.ts";
import type { RunTool } from "../../../ports/runtime.ts";
import { diagramOf, MAIN_DIAGRAM } from "../../records/agents/agent-diagrams.ts";
import { askedFor, away, FIRST, type KillScenario, SCRIPTED, type Scene, SLUG } from "./kill-scenario.ts";

const ASK = 'ask-human("Which?", form: "choice", options: ["a", "b"])';
const SUB = `BEGIN "Sub"
  PARAMETERS: value
  IF value = 2
    result ← read-context(value)
  ELSE
    result ← [value]
END
`;

/** Calls of real tools that replace those of the interpreter's own tests. None depends on the time of day. */
const told: readonly (readonly [RegExp, string])[] = [
  [/create-proposal\([^)]*\)/g, 'create-proposal(type: "propose-comment", note: "notes/a.md", content: "Which?")'],
  [/write-memory\([^)]*\)/g, 'write-memory("seen", n: n)'],
  [/^( *)INPUT .*$/gm, `$1c ← ${ASK}`],
  [/^( *)(?:PAUSE|TIMER|RECEIVE|EVENT|SHELF|OUTPUT) .*$/gm, "$1n ← n + 1"],
  [/ \[DURATION: [^\]]*\]/g, ""],
  [/зараз\(\)/g, "n"],
  [/CALL Elsewhere/g, "CALL Sub(2)"],
  [/(?<!CALL )([abc]) ← Sub\(([^)]*)\)/g, "$1 ← read-context($2)"],
  [/n = late/g, "n = 7"],
  [/What is it\?/g, "n % 3"],
];

/** A run with fewer calls has too few crash points; one with more takes too long. */
const FEWEST = 4;
const MOST = 30;
const MOST_ASKED = 12;
/** A diagram that takes more steps counts as endless. */
const MOST_STEPS = 2000;
const REFUSED = /^(?:E-|W-UNREACHABLE|W-BRANCH-UNREFERENCED|W-ENDLESS|W-NO-END)/;

/**
 * A random diagram as an agent with execution `flow`, or undefined if the diagram cannot be used: activation would refuse it, or it
 * makes too few or too many calls. The pure interpreter computes the expected calls and the end, with answers
 * derived from the seed and the call.
 */
export function randomScenario(seed: number): KillScenario | undefined {
  const { tree: drawn } = generated(seed, 14 + (seed % 20), seed % 3 === 0);
  if (!drawn) return undefined;
  const { text } = renderPseudocode(drawn, { language: "en" });
  const { tree: spoken } = parsePseudocode(told.reduce((words, [from, to]) => words.replaceAll(from, to), text));
  if (!spoken) return undefined;
  const procedure = renderPseudocode(withNamesSet(spoken), { language: "en" }).text;
  const { tree } = parsePseudocode(procedure);
  if (!tree) return undefined;
  const { checked } = diagramOf(MAIN_DIAGRAM, Buffer.from(diagramFromTree(tree).source.text));
  if (!checked.tree || checked.findings.some(({ code }) => REFUSED.test(code))) return undefined;
  const input = inputOf(tree);
  const model = walked(checked.tree, input, seed);
  if (!model) return undefined;
  const contract = {
    tools: "[read-notes, read-context, create-proposal, write-memory, ask-human]",
    safe_outputs: "[propose-comment, memory-update]",
    max_steps: "20",
    model: SCRIPTED,
    execution: "flow",
  };
  return {
    name: `random diagram ${seed}`,
    agents: [{ slug: SLUG, contract, procedure, called: [SUB] }],
    wishes: askedFor(FIRST, input),
    answers: (["when held", "at once"] as const)[seed % 2]!,
    script: (scene) => thinking(scene, seed),
    outside: (scene) => ["read-notes", "read-context"].map((name) => reading(scene, name, seed)),
    runs: 1,
    proposes: [],
    model,
  };
}

/** Begins by setting every name: activation refuses a name that is not set on every path. */
function withNamesSet(tree: Tree): Tree {
  const given = new Set(parametersOf(tree.params));
  const names = [...boundNames(tree)].filter((name) => !given.has(name));
  const [first, ...rest] = tree.branches;
  const steps = names.map((name): Step => ({ node: "step", kind: "action", icon: `set ${name}`, text: `${name} ← 1` }));
  return { ...tree, branches: [{ ...first!, body: [...steps, ...first!.body] }, ...rest] };
}

const drawnFrom = (...words: readonly Json[]): number =>
  createHash("sha1").update(canonicalJson(words)).digest().readUInt16BE(0);

/** Answers with every type of value that expressions distinguish. */
function readFrom(seed: number, name: string, input: Json): Json {
  const draw = drawnFrom(seed, name, input);
  return [draw, `word ${draw}`, ["x", draw], draw % 2 === 0, { text: "x", tags: [`${draw}`] }, ""][draw % 6]!;
}

const isSo = (seed: number, text: string, values: Json): boolean => drawnFrom(seed, text, values) % 2 === 0;
const THOUGHT = "a thought";
const THINGS = ["p", "q"];

/** Replaces the garden's tools of these names: every second diagram has one whose calls must not be repeated. */
function reading({ act }: Scene, name: string, seed: number): RunTool {
  const once = name === "read-context" && seed % 2 === 0;
  return {
    name,
    description: name,
    input: z.looseObject({ [name === "read-notes" ? "folder" : "name"]: z.json().optional() }),
    idempotent: !once,
    async call(input, { key }) {
      if (once) act(key);
      return readFrom(seed, name, input);
    },
  };
}

const thinking =
  ({ fails }: Scene, seed: number): Script =>
  ({ prompt }) => {
    if (seed % 3 === 0 && fails()) return { throws: away() };
    const said = prompt.flatMap(({ role, content }) => (role === "user" ? content : []));
    const asked = said.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    const { icon, input } = readRunBlock(asked);
    if (asked.includes("Answer this question:")) return { text: isSo(seed, icon!.text, input) ? "yes" : "no" };
    if (asked.includes("List what this goes over:")) return { text: JSON.stringify(THINGS) };
    return { text: asked.includes("What is the value of this name?") ? JSON.stringify(THOUGHT) : THOUGHT };
  };

/** The calls of tools in order, and the end: by the interpreter alone, without journal, engine or store. */
function walked(tree: Tree, input: { readonly [name: string]: Json }, seed: number): KillScenario["model"] {
  const trees = new Map([tree, parsePseudocode(SUB).tree!].map((one) => [one.name.toLowerCase(), one] as const));
  const machine = new WalkMachine({ trees, main: tree.name.toLowerCase() }, input, { maxSteps: MOST_STEPS });
  const calls: string[] = [];
  let asked = 0;
  for (let position = 0; !machine.end; position++) {
    const open = machine.requests;
    // Questions to people come last.
    const request = open.find(({ kind }) => kind !== "human") ?? open[0]!;
    const value = answered(request, seed);
    if (value === undefined || position > MOST) return undefined;
    if (request.kind === "llm" || request.kind === "judge") asked++;
    else calls.push(`${request.name} ${canonicalJson(toolInput(request, ["question", "form", "options"]))}`);
    machine.answer(answerTo(request, value), position);
  }
  const isEndless = machine.end.kind === "failed" && machine.end.problem.code === "step-limit";
  if (isEndless || calls.length < FEWEST || asked > MOST_ASKED) return undefined;
  return { calls, status: machine.end.kind === "failed" ? "failed" : "completed" };
}

function answered({ kind, name, payload }: Request, seed: number): Json | undefined {
  switch (kind) {
    case "tool":
      return name.startsWith("read-") ? readFrom(seed, name, payload) : { proposal: "prop" };
    case "propose":
      return { proposal: "prop" };
    case "human":
      return { choice: "b" };
    case "llm":
      return THOUGHT;
    case "judge":
      if (name === "question") return isSo(seed, payload["text"] as string, payload["values"] ?? {});
      return name === "items" ? THINGS : undefined;
    default:
      return undefined;
  }
}
