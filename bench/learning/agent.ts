import { seeded } from "../../src/base/testing/seeded.ts";
import type { Diagram } from "../../src/drakon/diagram/diagram.ts";
import { type ArgumentNames, argumentNamesFor } from "../../src/drakon/expression/argument-names.ts";
import { diagramFromTree } from "../../src/drakon/from-tree/diagram-from-tree.ts";
import { structure } from "../../src/drakon/structure/structure.ts";
import { parsePseudocode } from "../../src/drakon/text/parse.ts";
import { type Program } from "../../src/drakon/walk/frame.ts";
import { programOf } from "../../src/drakon/walk/testing/procedures.ts";
import { branchScenes } from "./branches.ts";
import { guardScenes } from "./guards.ts";
import { orderScenes } from "./orders.ts";
import { redundantScenes } from "./redundants.ts";
import {
  between,
  type FaultKind,
  FIELDS,
  faultKinds,
  letter,
  pick,
  type Scene,
  type SceneMaker,
  type Tool,
  whole,
} from "./scene.ts";
import { thresholdScenes } from "./thresholds.ts";

const makers: Readonly<Record<FaultKind, readonly SceneMaker[]>> = {
  guard: guardScenes,
  order: orderScenes,
  redundant: redundantScenes,
  threshold: thresholdScenes,
  branch: branchScenes,
};
const allMakers = faultKinds.flatMap((kind) => makers[kind]);

export interface Logic {
  readonly diagram: Diagram;
  readonly program: Program;
}

/** An agent as it should be and as it is, with the world that it works in. */
export interface Agent {
  readonly name: string;
  readonly seed: number;
  readonly kind: FaultKind;
  readonly shape: string;
  readonly costly: boolean;
  readonly healthy: Logic;
  readonly faulty: Logic;
  /** The faulty one as pseudocode. */
  readonly text: string;
  /** Icons of the faulty diagram that the fault lies in. */
  readonly truth: ReadonlySet<string>;
  readonly scenes: readonly Scene[];
  readonly tools: ReadonlyMap<string, Tool>;
  readonly argumentNames: ArgumentNames;
  /** Conditions around scenes: names of the input, with how often they hold. */
  readonly modes: ReadonlyMap<string, number>;
  /** Rate of random failures. */
  readonly background: number;
}

/** The n-th agent of a seed: kinds take turns, and so do shapes; everything else is drawn. */
export function agentOf(seed: number, n: number): Agent {
  const own = seed * 1_000_003 + n * 7919;
  const chance = seeded(own);
  for (let i = 0; i < 5; i++) chance();
  const kind = faultKinds[n % faultKinds.length]!;
  const shapes = makers[kind];
  const share = between(chance(), 0.1, 0.4);
  const count = whole(chance(), 2, 5);
  const at = Math.floor(chance() * count);
  const modes = new Map<string, number>();
  const around: (string | undefined)[] = [];
  const scenes = Array.from({ length: count }, (_, i) => {
    const subject = i === at;
    const wrapped = chance() < (subject ? 0.2 : 0.3);
    const often = between(chance(), 0.6, 0.9);
    const mode = wrapped ? `mode${i}` : undefined;
    if (mode) modes.set(mode, often);
    around.push(mode);
    const maker = subject ? shapes[Math.floor(n / faultKinds.length) % shapes.length]! : pick(allMakers, chance());
    return maker({ n: i, chance, share: subject ? (mode ? share / often : share) : between(chance(), 0.1, 0.4) });
  });
  const silhouette = chance() < 0.3;
  const subject = scenes[at]!;
  const text = (bad: boolean): string => {
    const parts = scenes.map((scene, i) => sceneLines(i === at && bad ? scene.faulty : scene.healthy, i, around[i]));
    return procedure(`Agent ${n}`, parts, scenes, [...modes.keys()], silhouette);
  };
  const tools = new Map(scenes.flatMap((scene) => Object.entries(scene.tools)));
  const faulty = logicOf(text(true));
  const truth = new Set(
    [...faulty.diagram.icons.values()].flatMap(({ id, text: said }) => (subject.truth.includes(said) ? [id] : [])),
  );
  if (truth.size === 0) throw new Error(`nothing of ${JSON.stringify(subject.truth)} is drawn`);
  return {
    name: `${seed}.${n}`,
    seed: own,
    kind,
    shape: subject.shape,
    costly: subject.costly === true,
    healthy: logicOf(text(false)),
    faulty,
    text: text(true),
    truth,
    scenes,
    tools,
    argumentNames: argumentNamesFor([...tools.keys()].map((name) => ({ name, fields: FIELDS }))),
    modes,
    background: between(chance(), 0.02, 0.05),
  };
}

function sceneLines(lines: readonly string[], i: number, mode: string | undefined): string[] {
  if (!mode) return [...lines];
  return [`out${i} ← "not wanted"`, `IF ${mode}`, ...lines.map((line) => `  ${line}`)];
}

const inputNames = (scenes: readonly Scene[]): string[] =>
  scenes.flatMap(({ input }) => (input ? Object.keys(input({ chance: () => 0.5, done: new Set(), calls: [] })) : []));

/** Everything comes together in one proposal, so that people have one thing to decide. */
function procedure(
  name: string,
  parts: readonly (readonly string[])[],
  scenes: readonly Scene[],
  modes: readonly string[],
  silhouette: boolean,
): string {
  const params = ["topic", "folder", "note", ...modes, ...inputNames(scenes)].join(", ");
  const head = [`BEGIN "${name}"`, `  PARAMETERS: ${params}`];
  const said = scenes.map((_, i) => `out${i}`).join(' + ", " + ');
  const last = `create-proposal(type: "propose-note", path: note, content: "# Parts: " + ${said})`;
  if (!silhouette) return [...head, ...parts.flat().map((line) => `  ${line}`), `  ${last}`, "END", ""].join("\n");
  const branches = parts.flatMap((lines, i) => [
    `  BRANCH "Part ${letter(i)}"`,
    ...lines.map((line) => `    ${line}`),
    `    → BRANCH "${i + 1 < parts.length ? `Part ${letter(i + 1)}` : "Propose"}"`,
  ]);
  return [...head, ...branches, '  BRANCH "Propose"', `    ${last}`, "END", ""].join("\n");
}

function logicOf(text: string): Logic {
  const { tree, findings } = parsePseudocode(text);
  if (!tree) throw new Error(`${JSON.stringify(findings)}\n${text}`);
  return logicFrom(diagramFromTree(tree));
}

export function logicFrom(diagram: Diagram): Logic {
  const { tree, findings } = structure(diagram);
  if (!tree) throw new Error(JSON.stringify(findings));
  return { diagram, program: programOf(tree) };
}
