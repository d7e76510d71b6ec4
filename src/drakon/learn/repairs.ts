import type { Language } from "../../base/text.ts";
import type { Diagram } from "../diagram/diagram.ts";
import { applyOperations } from "../edit/apply-operation.ts";
import { type Finding, hasErrors } from "../finding.ts";
import { meaningErrors } from "../meaning.ts";
import { structure } from "../structure/structure.ts";
import type { Tree } from "../tree.ts";
import type { Program } from "../walk/frame.ts";
import { treeNamed } from "../walk/icon-statements.ts";
import type { Request } from "../walk/request.ts";
import { gardenReads } from "./analyse.ts";
import { type Evidence, isJudged, troubleOf } from "./evidence.ts";
import type { LogicFinding } from "./finding.ts";
import { guardRepairs, joinRepairs } from "./guard-repairs.ts";
import { observe } from "./observation.ts";
import { orderRepairs } from "./order-repairs.ts";
import { isLook, predictRun } from "./predict-run.ts";
import { removeRepairs } from "./remove-repairs.ts";
import type { CandidateLogic, Expectation, Repair, RepairKind } from "./repair.ts";
import type { RepairCandidate, RepairContext } from "./repair-context.ts";
import { simplifyRepairs } from "./simplify-repairs.ts";
import type { OnlyReads } from "./smells.ts";
import { thresholdRepairs } from "./threshold-repairs.ts";

export interface RepairOptions {
  /** Language of texts inserted into the diagram. */
  readonly language?: Language;
  readonly onlyReads?: OnlyReads;
  /** Number of newest runs that each change is tried on. */
  readonly mostRuns?: number;
}

const makers = [guardRepairs, joinRepairs, thresholdRepairs, simplifyRepairs, removeRepairs, orderRepairs] as const;

const MOST_RUNS = 200;
/**
 * A finding below this confidence, or as likely by chance as this, is one of the places that merely go with the trouble of another
 * one. A change there fits the noise of the recorded runs.
 */
const CREDIBLE = { confidence: 0.1, pValue: 0.2 } as const;
/** Minimum share of bad runs that a proposed change must avoid. */
const WORTHWHILE = 0.1;
/** If more than this share of good runs make a proposal, a run that no longer does is probably not repaired. */
const MOSTLY = 0.8;
const IDLE_MENDS = 0.3;
/** Probability that a run which no longer fails, but lacks an effect that most good runs have, is still bad. */
const LOST_MENDS = 0.6;
/** Probability that a good run stays good if it no longer has the effect of the blamed icon. */
const LOST_KEEPS = 0.4;

/**
 * Changes that would have avoided the trouble of a finding, best first. Each yields a valid diagram and is tried on the
 * recorded runs with the interpreter. `diagram` is the one that the finding names; `program` is what the runs followed.
 */
export function repairs(
  finding: LogicFinding,
  diagram: Diagram,
  runs: readonly Evidence[],
  program: Program,
  options: RepairOptions = {},
): Repair[] {
  const tree = treeNamed(program.trees, finding.diagram);
  if (!tree || !isCredible(finding)) return [];
  const context: RepairContext = {
    finding,
    diagram,
    tree,
    program,
    runs: runs.filter(isJudged),
    onlyReads: options.onlyReads ?? gardenReads,
    language: options.language ?? "en",
  };
  const candidates = makers.flatMap((make) => make(context));
  const tried = candidates.flatMap(
    (candidate) => tryCandidate(context, candidate, options.mostRuns ?? MOST_RUNS) ?? [],
  );
  return tried.filter(({ expected }) => worthwhile(finding, expected)).toSorted(byPromise);
}

/**
 * Tries logic from elsewhere on the recorded runs, like a repair of our own: by the same interpreter, with the same limits. Undefined if
 * the finding is not credible, or if too few bad runs would be avoided.
 */
export function adoptedRepair(
  finding: LogicFinding,
  candidate: CandidateLogic,
  runs: readonly Evidence[],
  program: Program,
  options: RepairOptions = {},
): Repair | undefined {
  const [tree, theirs] = [program.trees.get(program.main), candidate.program.trees.get(candidate.program.main)];
  if (!tree || !theirs || !isCredible(finding)) return undefined;
  const { diagram, goodRate, words } = candidate;
  const context: RepairContext = {
    finding,
    diagram,
    tree,
    program,
    runs: runs.filter(isJudged),
    onlyReads: options.onlyReads ?? gardenReads,
    language: options.language ?? "en",
  };
  const called = [...candidate.program.trees].filter(([name]) => name !== candidate.program.main);
  const changed: Program = {
    main: program.main,
    trees: new Map([...called, [program.main, { ...theirs, name: tree.name }]]),
  };
  const wish = { kind: "adopt", operations: [], mends: goodRate, keeps: goodRate, words } as const;
  const expected = expectation(context, wish, changed, options.mostRuns ?? MOST_RUNS);
  if (!worthwhile(finding, expected)) return undefined;
  return { kind: "adopt", finding, operations: [], diagram, expected, risk: riskOf("adopt", expected), words };
}

const isCredible = ({ kind, confidence, pValue }: LogicFinding): boolean =>
  kind === "cost" || (confidence >= CREDIBLE.confidence && pValue <= CREDIBLE.pValue);

function worthwhile({ kind }: LogicFinding, { bad, badAfter, tokensSaved, runs }: Expectation): boolean {
  if (kind === "cost") return tokensSaved > 0 && badAfter <= bad + runs * 0.03;
  return badAfter <= bad * (1 - WORTHWHILE);
}

const byPromise = (a: Repair, b: Repair): number =>
  a.expected.badAfter - b.expected.badAfter || b.expected.tokensSaved - a.expected.tokensSaved;

/** Applies a change and tries it on the recorded runs; undefined if the resulting diagram is invalid. */
function tryCandidate(context: RepairContext, candidate: RepairCandidate, mostRuns: number): Repair | undefined {
  const { finding, program } = context;
  const applied = applyOperations(context.diagram, candidate.operations);
  if (applied.kind === "refused") return undefined;
  const { tree, findings } = structure(applied.diagram);
  if (!tree || hasErrors(findings) || findings.some(({ code }) => code === "W-ENDLESS")) return undefined;
  if (breaksMeaning(context, tree)) return undefined;
  const name = [...program.trees].find(([, one]) => one === context.tree)![0];
  const changed: Program = {
    ...program,
    trees: new Map([...program.trees, [name, { ...tree, name: context.tree.name }]]),
  };
  const expected = expectation(context, candidate, changed, mostRuns);
  return {
    kind: candidate.kind,
    finding,
    operations: candidate.operations,
    diagram: applied.diagram,
    expected,
    risk: riskOf(candidate.kind, expected),
    words: candidate.words,
  };
}

/** J1: a repair that skips the icon which sets a value used later would break every run that takes it. */
function breaksMeaning({ tree: before }: RepairContext, after: Tree): boolean {
  const key = ({ code, icon }: Finding): string => `${code} ${icon}`;
  const known = new Set(meaningErrors(before).map(key));
  return meaningErrors(after).some((error) => !known.has(key(error)));
}

function expectation(
  context: RepairContext,
  { kind, mends, keeps }: RepairCandidate,
  changed: Program,
  mostRuns: number,
): Expectation {
  const { program, onlyReads } = context;
  const runs = context.runs.slice(-mostRuns);
  const well = runs.filter((run) => troubleOf(run) === undefined);
  const proposing = well.filter(({ path }) => path.outcome?.kind === "effects").length > well.length * MOSTLY;
  const usual = usualEffects(well, program, onlyReads);
  let [bad, badAfter, same, avoided, unknown, tokens] = [0, 0, 0, 0, 0, 0];
  for (const run of runs) {
    const was = troubleOf(run) !== undefined;
    if (was) bad++;
    const told = predictRun(changed, run, program, onlyReads);
    if (!told || told.kind === "same") {
      same++;
      badAfter += Number(was);
      continue;
    }
    if (told.avoids) avoided++;
    if (told.kind === "unknown") unknown++;
    tokens += tokensSpared(run, program, told.dropped);
    if (told.kind === "ends" && told.fails) badAfter += 1;
    // Same visible effects: assume the same verdict.
    else if (told.alike) badAfter += Number(was);
    // A run that ends without the usual proposal or effect has probably not done its work.
    else if (told.kind === "ends" && lacks(told.asked, usual)) badAfter += was ? LOST_MENDS : 1;
    else if (told.kind === "ends" && !told.proposes && proposing) badAfter += was ? IDLE_MENDS : 1;
    else if (was) badAfter += told.kind === "ends" && told.avoids ? 0.02 : 1 - mends;
    else
      badAfter += 1 - (kind === "guard" && losesEffect(context, run, told.asked) ? Math.min(keeps, LOST_KEEPS) : keeps);
  }
  const per = Math.max(1, runs.length);
  return { runs: runs.length, bad, badAfter, same, avoided, unknown, tokensSaved: tokens / per };
}

/** Effects, by kind and name, that most good runs have. */
function usualEffects(well: readonly Evidence[], program: Program, onlyReads: OnlyReads): string[] {
  const counts = new Map<string, number>();
  for (const run of well) {
    const { requests } = observe(run, program);
    const names = new Set(requests.filter((one) => !isLook(one, onlyReads)).map(effectName));
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].flatMap(([name, count]) => (count > well.length * MOSTLY ? [name] : []));
}

const effectName = ({ kind, name }: Request): string => `${kind} ${name}`;

const lacks = (asked: readonly Request[], usual: readonly string[]): boolean => {
  const names = new Set(asked.map(effectName));
  return usual.some((name) => !names.has(name));
};

/** True if the blamed icon had an effect in this run, and a check before it keeps the run away. */
function losesEffect(
  { finding, program, onlyReads }: RepairContext,
  run: Evidence,
  asked: readonly Request[],
): boolean {
  const isEffect = (one: Request): boolean => one.icon === finding.icon && !isLook(one, onlyReads);
  return observe(run, program).requests.some(isEffect) && !asked.some(isEffect);
}

/** Tokens of the icons whose requests are no longer made. */
function tokensSpared(run: Evidence, program: Program, dropped: readonly string[]): number {
  if (dropped.length === 0) return 0;
  const gone = new Set(dropped);
  const icons = new Set(
    observe(run, program).requests.flatMap(({ id, diagram, icon }) => (gone.has(id) ? [`${diagram}\0${icon}`] : [])),
  );
  return run.path.passed.reduce((sum, one) => sum + (icons.has(`${one.diagram}\0${one.icon}`) ? one.tokens : 0), 0);
}

/** Risk shown to the reviewer. */
function riskOf(kind: RepairKind, { same, unknown, runs }: Expectation): Repair["risk"] {
  if (kind === "reorder" || unknown > runs / 2 || (kind === "adopt" && same < runs / 2)) return "high";
  return kind === "guard" && same >= runs / 2 ? "low" : "medium";
}
