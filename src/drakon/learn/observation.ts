import type { Value } from "../expression/value.ts";
import type { Tree } from "../tree.ts";
import { proposedFor } from "../walk/derived-answer.ts";
import type { Program } from "../walk/frame.ts";
import { treeNamed } from "../walk/icon-statements.ts";
import { Machine } from "../walk/machine.ts";
import { answerTo, type JournalEntry, type Request } from "../walk/request.ts";
import type { TraceEntry } from "../walk/walk-end.ts";
import { decisionsIn, type Evidence, type Site, siteKey, troubleOf, unaskedAnswer, walkingOf } from "./evidence.ts";
import { asksOutside, type DrawnIcon, drawnIcons } from "./icon-dataflow.ts";
import { type Term, termSamples } from "./terms.ts";

/** Something that a run shows or does not show, wherever else it went. */
export interface Sign extends Site {
  readonly id: number;
  /** An answer that was given; a place where something outside was asked; a mark or a size of a value there. */
  readonly is: "answer" | "place" | "mark" | "size";
  readonly answer?: boolean | number | null;
  readonly term?: Term;
  readonly mark?: string;
  /** Place of the icon in its diagram. */
  readonly at: number;
  readonly asked: boolean;
}

/** Signs of one program get numbers, so that counting them is cheap. */
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

/** What one run shows, each sign once. */
export interface Observation {
  readonly trouble: "failure" | "rejection" | undefined;
  readonly decisions: number;
  /** Answers and marks. */
  readonly signs: readonly number[];
  /** Places where it asked something outside. */
  readonly places: readonly number[];
  /** Sizes by sign, with the smallest and the largest that was seen. */
  readonly sizes: ReadonlyMap<number, readonly [least: number, most: number]>;
  /** The place that it failed at. */
  readonly failedAt: number | undefined;
  /** What was asked, in the order of the journal; the last is what failed, if it did. */
  readonly requests: readonly Request[];
}

const observationCache = new WeakMap<Evidence, { readonly program: Program; readonly observation: Observation }>();

/** Walks the run once more, if it can be walked, and notes what it shows; remembered as long as the evidence is. */
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

/** The values at every icon, from the journal. A journal that does not fit tells nothing. */
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
  const machine = new Machine(program, input, { ...walkingOf(evidence), entered });
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
    proposed.push(...proposedFor(waiting.request));
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
