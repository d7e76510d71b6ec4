import { createHash } from "node:crypto";
import type { Json } from "../../../base/canonical.ts";
import { type Diagram } from "../../diagram/diagram.ts";
import { parametersOf } from "../../expression/parameters.ts";
import { structure } from "../../structure/structure.ts";
import { structuredItems } from "../../testing/arbitrary-diagram.ts";
import type { GraphRequest } from "../../testing/graph-walk.ts";
import { jsonDiagram } from "../../testing/json-diagram.ts";
import type { Tree } from "../../tree.ts";
import type { Program } from "../frame.ts";
import type { RequestedEffect } from "../request.ts";
import { dressed } from "./dressed-items.ts";

/** Answers derived from the seed, the request and its position, so that both walks get the same ones. */
export const oracle =
  (seed: number) =>
  (request: Omit<GraphRequest, "id">): Json => {
    const { diagram, icon, visit, statement, kind, name, payload } = request;
    const mark = JSON.stringify([seed, diagram, icon, visit, statement, kind, name, payload]);
    const draw = createHash("sha1").update(mark).digest().readUInt16BE(0);
    return answerOf(request, draw);
  };

export function answerOf({ kind, name, payload }: RequestedEffect, draw: number): Json {
  const list = Array.from({ length: draw % 3 }, (_, index) => `item ${draw}.${index}`);
  if (kind === "judge" && name === "question") return draw % 2 === 0;
  if (kind === "judge" && name === "items") return list;
  if (kind === "judge") {
    const options = payload["options"] as readonly string[];
    const count = options.length + (payload["otherwise"] === true ? 1 : 0);
    return options[draw % count] ?? null;
  }
  if (kind === "human") return { text: `text ${draw}` };
  if (kind === "sleep" || kind === "notify") return null;
  if (kind === "spawn") return { agent: `agent-${draw}` };
  if (kind === "propose") return { proposal: `prop ${draw}` };
  if (kind === "now") return draw;
  return [draw, `word ${draw}`, list, draw % 2 === 0, { text: "x", tags: list }][draw % 5]!;
}

export const sub: Diagram = jsonDiagram({
  name: "Sub",
  params: "value",
  items: {
    1: { type: "branch", branchId: 0, one: "2" },
    2: { type: "question", content: "Is value good?", flag1: 1, one: "3", two: "4" },
    3: { type: "action", content: "result ← read-context(value)", one: "5" },
    4: { type: "action", content: "result ← [value]", one: "5" },
    5: { type: "end" },
  },
});
const subTree = structure(sub).tree!;

const shared = { a: 1, b: "two", c: [3], n: 0, xs: ["p", "q"] };

/** Values for all parameters of the tree. */
export const inputOf = ({ params }: Tree): { [name: string]: Json } => ({
  ...Object.fromEntries(parametersOf(params).map((name, index) => [name, index])),
  ...shared,
});

/** A program with this main diagram and a second one that it may call. */
export const programWith = (tree: Tree): Program => ({
  trees: new Map([
    ["Main", tree],
    ["Sub", subTree],
  ]),
  main: "Main",
});

/** A diagram generated from a seed, with formal texts. */
export function generated(
  seed: number,
  size: number,
  silhouette = false,
): { diagram: Diagram; tree: Tree | undefined } {
  let state = seed | 0;
  const chance = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
  const items = dressed(structuredItems(chance, { size, silhouette }), chance);
  const diagram = jsonDiagram({ name: "Main", items });
  return { diagram, tree: structure(diagram).tree };
}
