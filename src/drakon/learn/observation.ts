import type { Value } from "../expression/value.ts";
import type { Tree } from "../tree.ts";
import { proposalSubjects } from "../walk/derived-answer.ts";
import type { Program } from "../walk/frame.ts";
import { treeNamed } from "../walk/icon-statements.ts";
import { WalkMachine } from "../walk/machine.ts";
import { answerTo, type JournalEntry, type Request } from "../walk/request.ts";
import type { TraceEntry } from "../walk/walk-end.ts";
import { decisionsIn, type Evidence, replayOptions, type Site, siteKey, troubleOf, unaskedAnswer } from "./evidence.ts";
import { asksOutside, type DrawnIcon, drawnIcons } from "./icon-dataflow.ts";
import { type Term, termSamples } from "./terms.ts";

/** A feature that a run has or has not. */
export interface Sign extends Site {
  readonly id: number;
  /** A given answer; a visited icon with a call; a mark or a size of a value at an icon. */
  readonly is: "answer" | "place" | "mark" | "size";
  readonly answer?: boolean | number | null;
  readonly term?: Term;
  readonly mark?: string;
  /** Index of the icon in its diagram. */
  readonly at: number;
  readonly asked: boolean;
}

/** Numbers the signs of one program, so that counting is cheap. */
export class Signs {
  readonly all: Sign[] = [];
  readonly #ids = new Map<string, number>();
  readonly #icons = new Map<string, DrawnIcon | undefined>();
  readonly #program: Program;

  constructor(program: Program) {
    this.#program = program;
  }

  icon(site: Site): DrawnIcon | undefined {
    const key = siteKey(site);
    if (!this.#icons.has(key)) this.#icons.set(key, this.#find(site));
    return this.#icons.get(key);
  }

  #find({ diagram, icon }: Site): DrawnIcon | undefined {
    const tree: Tree | undefined = treeNamed(this.#program.trees, diagram);
    return tree && drawnIcons(tree).get(icon);
  }

  id(key: string, make: () => Omit<Sign, "id">): number {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.all.length;
    this.#ids.set(key, id);
    this.all.push({ ...make(), id });
    return id;
  }
}

const signsOfPrograms = new WeakMap<Program, Signs>();

export function signsOf(program: Program): Signs {
  const known = signsOfPrograms.get(program) ?? new Signs(program);
  signsOfPrograms.set(program, known);
  return known;
}

/** Signs of one run, each once. */
export interface Observation {
  readonly trouble: "failure" | "rejection" | undefined;
  readonly decisions: number;
  /** Answer and mark signs. */
  readonly signs: readonly number[];
  /** Place signs of visited icons with a call. */
  readonly places: readonly number[];
  /** Smallest and largest size by sign. */
  readonly sizes: ReadonlyMap<number, readonly [least: number, most: number]>;
  /** Place sign of the icon that failed. */
  readonly failedAt: number | undefined;
  /** Requests in journal order; the last one is the request that failed, if the run failed. */
  readonly requests: readonly Request[];
}

const observationCache = new WeakMap<Evidence, { readonly program: Program; readonly observation: Observation }>();

/** Collects the signs of a run, replaying its journal if possible. Cached per evidence object. */
export function observe(evidence: Evidence, program: Program): Observation {
  const known = observationCache.get(evidence);
  if (known?.program === program) return known.observation;
  const observation = observeUncached(evidence, program);
  observationCache.set(evidence, { program, observation });
  return observation;
}

function observeUncached(evidence: Evidence, program: Program): Observation {
  const { path } = evidence;
  const signs = signsOf(program);
  const found = new Set<number>();
  const places = new Set<number>();
  let failedAt: number | undefined;
  for (const { diagram, icon, answer, failed } of path.passed) {
    const drawn = signs.icon({ diagram, icon });
    if (!drawn) continue;
    const site = { diagram, icon, at: drawn.at, asked: drawn.does === "question" || drawn.does === "select" };
    if (answer !== undefined)
      found.add(signs.id(`${siteKey(site)}\0${answer}`, () => ({ ...site, is: "answer", answer })));
    if (asksOutside(drawn) || failed) {
      const place = signs.id(siteKey(site), () => ({ ...site, is: "place" }));
      places.add(place);
      if (failed && path.status === "failed") failedAt = place;
    }
  }
  const { sizes, requests } = replayJournal(evidence, program, signs, found);
  return {
    trouble: troubleOf(evidence),
    decisions: decisionsIn(evidence),
    signs: [...found],
    places: [...places],
    sizes,
    failedAt,
    requests,
  };
}

interface EnteredIcon {
  readonly entry: TraceEntry;
  readonly drawn: DrawnIcon;
  readonly shown: ReturnType<typeof termSamples>;
}

/** Replays the journal and adds the signs of values at every icon. A journal that does not fit adds nothing. */
function replayJournal(
  evidence: Evidence,
  program: Program,
  signs: Signs,
  found: Set<number>,
): { sizes: Map<number, [number, number]>; requests: Request[] } {
  const { input, journal, path } = evidence;
  const sizes = new Map<number, [number, number]>();
  const requests: Request[] = [];
  if (!input || !journal || path.certainty !== "fact") return { sizes, requests };
  const noted: EnteredIcon[] = [];
  const entered = (entry: TraceEntry, names: ReadonlyMap<string, Value>): void => {
    const drawn = signs.icon(entry);
    if (drawn)
      noted.push({ entry, drawn, shown: termSamples(drawn, names, drawn.does === "step" && asksOutside(drawn)) });
  };
  const machine = new WalkMachine(program, input, { ...replayOptions(evidence), onEnter: entered });
  const proposed: string[] = [];
  let position = 0;
  const answer = (entry: JournalEntry): void => machine.answer(entry, position++);
  const unasked = (): void => {
    for (;;) {
      const next = machine.requests.find((request) => unaskedAnswer(request, proposed) !== undefined);
      if (!next) return;
      answer(answerTo(next, unaskedAnswer(next, proposed)!));
    }
  };
  for (const entry of journal) {
    unasked();
    const waiting = machine.pending.get(entry.id);
    if (!waiting) return { sizes, requests: [] };
    requests.push(waiting.request);
    proposed.push(...proposalSubjects(waiting.request));
    answer(entry);
  }
  unasked();
  if (machine.end?.kind === "failed" && machine.end.problem.position !== undefined) return { sizes, requests: [] };
  const [open] = machine.requests;
  if (open) requests.push(open);
  for (const one of noted) addSigns(one, signs, found, sizes);
  return { sizes, requests };
}

function addSigns(
  { entry, drawn, shown }: EnteredIcon,
  signs: Signs,
  found: Set<number>,
  sizes: Map<number, [number, number]>,
): void {
  const { diagram, icon, answer } = entry;
  const asked = drawn.does === "question" || drawn.does === "select";
  if (asked && answer === undefined) return;
  const site = { diagram, icon, at: drawn.at, asked, ...(asked && answer !== undefined && { answer }) };
  const prefix = `${siteKey(site)}\0${asked ? answer : ""}`;
  for (const { term, marks, size } of shown) {
    for (const mark of marks)
      found.add(signs.id(`${prefix}\0${term.key}\0${mark}`, () => ({ ...site, is: "mark", term, mark })));
    if (size === undefined) continue;
    const id = signs.id(`${prefix}\0${term.key}\0#`, () => ({ ...site, is: "size", term }));
    const [least, most] = sizes.get(id) ?? [size, size];
    sizes.set(id, [Math.min(least, size), Math.max(most, size)]);
  }
}
