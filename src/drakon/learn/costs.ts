import type { Program } from "../walk/frame.ts";
import { type Evidence, type Site, siteKey } from "./evidence.ts";
import type { Smell } from "./finding.ts";
import { drawnIcons } from "./icon-dataflow.ts";
import { type Observation, observe, type Signs } from "./observation.ts";
import { type OnlyReads, onlyLooks, smellsOf } from "./smells.ts";

/** Smells of all diagrams by site, including repeated calls seen in runs. */
export function allSmells(
  program: Program,
  runs: readonly Evidence[],
  signs: Signs,
  onlyReads: OnlyReads,
): Map<string, Smell> {
  const smells = new Map<string, Smell>();
  for (const [diagram, tree] of program.trees)
    for (const [icon, smell] of smellsOf(tree, onlyReads)) smells.set(siteKey({ diagram, icon }), smell);
  for (const site of repeatedCalls(runs, program, signs, onlyReads))
    if (!smells.has(site)) smells.set(site, "repeated");
  return smells;
}

const ENOUGH_REPEATS = 5;

/** Icons whose every request repeated one of another icon, with no write in between. */
function repeatedCalls(runs: readonly Evidence[], program: Program, signs: Signs, onlyReads: OnlyReads): string[] {
  const counts = new Map<string, AskCount>();
  for (const run of runs) {
    const observation = observe(run, program);
    let asked = askCountCache.get(observation);
    if (!asked) askCountCache.set(observation, (asked = askCounts(observation, signs, onlyReads)));
    for (const [site, one] of asked) {
      const sum = counts.get(site);
      counts.set(site, sum ? { asked: sum.asked + one.asked, again: sum.again + one.again } : one);
    }
  }
  return [...counts].flatMap(([site, { asked, again }]) => (asked === again && again >= ENOUGH_REPEATS ? [site] : []));
}

interface AskCount {
  readonly asked: number;
  readonly again: number;
}

const askCountCache = new WeakMap<Observation, ReadonlyMap<string, AskCount>>();

/** For each read-only icon: requests in one run, and how many of them another icon had made before. */
function askCounts({ requests }: Observation, signs: Signs, onlyReads: OnlyReads): Map<string, AskCount> {
  const counts = new Map<string, AskCount>();
  const before = new Map<string, string>();
  for (const request of requests) {
    const reads =
      request.kind === "llm" || request.kind === "judge" || (request.kind === "tool" && onlyReads(request.name));
    if (!reads) before.clear();
    const icon = signs.icon(request);
    if (!reads || !icon || !onlyLooks(icon, onlyReads) || icon.statements.length > 1) continue;
    const site = siteKey(request);
    const earlier = before.get(request.sem);
    const again = earlier !== undefined && earlier !== site;
    if (!again) before.set(request.sem, site);
    const sum = counts.get(site) ?? { asked: 0, again: 0 };
    counts.set(site, { asked: sum.asked + 1, again: sum.again + Number(again) });
  }
  return counts;
}

export interface IconCost extends Site {
  readonly smell: Smell;
  /** Runs that visited the icon, and those in which its result was not used. */
  readonly visits: number;
  readonly idle: number;
  /** Share of all tokens spent in unused visits. */
  readonly share: number;
  readonly evidence: readonly string[];
}

/** Tokens spent at icons whose result is not read, highest share first. */
export function costsIn(runs: readonly Evidence[], program: Program, smells: ReadonlyMap<string, Smell>): IconCost[] {
  const total = runs.reduce((sum, { path }) => sum + path.tokens, 0);
  if (total === 0) return [];
  const costs: IconCost[] = [];
  for (const [diagram, tree] of program.trees) {
    for (const [icon, drawn] of drawnIcons(tree)) {
      const smell = smells.get(siteKey({ diagram, icon }));
      if (smell === undefined || smell === "late") continue;
      const readers = [...drawnIcons(tree).values()].filter((one) => drawn.sets.some((name) => one.reads.has(name)));
      let [visits, idle, tokens] = [0, 0, 0];
      const evidence: string[] = [];
      for (const { path } of runs) {
        const here = path.passed.filter((one) => one.icon === icon && one.diagram === diagram);
        if (here.length === 0) continue;
        visits++;
        const looked = path.passed.some(
          (one) => one.diagram === diagram && readers.some((reader) => reader.icon === one.icon),
        );
        if (smell === "early" && (looked || path.status === "failed")) continue;
        const wasted = smell === "invariant" ? here.slice(1) : here;
        if (wasted.length === 0) continue;
        idle++;
        tokens += wasted.reduce((sum, one) => sum + one.tokens, 0);
        evidence.push(path.run);
      }
      costs.push({ diagram, icon, smell, visits, idle, share: tokens / total, evidence });
    }
  }
  return costs.toSorted((a, b) => b.share - a.share);
}
