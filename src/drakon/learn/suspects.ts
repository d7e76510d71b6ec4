import type { Program } from "../walk/frame.ts";
import { logExplained, logFortune } from "./betting-score.ts";
import { type Site, siteKey } from "./evidence.ts";
import type { Circumstance, Smell } from "./finding.ts";
import { asksOutside, drawnIcons } from "./icon-dataflow.ts";
import type { Observation, Sign, Signs } from "./observation.ts";
import {
  type Cuts,
  count,
  cutRows,
  cutsOf,
  decidedBy,
  failedHere,
  failedIn,
  intervalOf,
  newRow,
  type Row,
  runsIn,
} from "./tally.ts";

/** A hypothesis: runs with a sign fail, or are rejected, more often than others. */
export interface Suspect extends Site {
  readonly kind: "failure" | "rejection";
  readonly sign?: Sign;
  readonly when?: Circumstance;
  readonly smell?: Smell;
  readonly all: number;
  readonly bad: number;
  readonly restAll: number;
  readonly restBad: number;
  /** Logarithms of its part of the initial fortune, and of the growth of that part. */
  readonly logStake: number;
  readonly logFortune: number;
  /** Log posterior: how well it explains all runs, with the stake as prior. */
  readonly logScore: number;
}

/** Terms and bounds are fixed from this many first runs; choosing them later could depend on the outcomes. */
const FIRST_RUNS = 20;

/** Parts of the fortune by kind of suspect; equal within a kind. */
const STAKES = {
  whole: 0.04,
  smell: 0.12,
  answer: 0.28,
  place: 0.14,
  compared: 0.14,
  near: 0.2,
  distant: 0.08,
} as const;

/** Beta prior of the background rate: one in sixteen runs goes wrong for no reason. */
const BACKGROUND = [1, 15] as const;

export interface Tolerance {
  readonly failure: number;
  readonly rejection: number;
}

interface Group {
  readonly stake: keyof typeof STAKES;
  readonly row: Row;
  readonly sign?: Sign;
  readonly when?: Circumstance;
  readonly smell?: Smell;
  readonly site: Site;
  /** Weight within the stake of its kind. */
  readonly part: number;
}

/** All suspects with at least two bad runs, with their scores. */
export function suspectsIn(
  observations: readonly Observation[],
  program: Program,
  signs: Signs,
  smells: ReadonlyMap<string, Smell>,
  tolerance: Tolerance,
): Suspect[] {
  const { whole, groups } = grouped(observations, program, signs, smells);
  const sizes = new Map<string, number>();
  for (const { stake, part } of groups) sizes.set(stake, (sizes.get(stake) ?? 0) + part);
  const places = Math.max(1, placesIn(program));
  return groups.flatMap((group) => {
    const logStake = Math.log((STAKES[group.stake] * group.part) / (sizes.get(group.stake)! * 2));
    return [
      failureSuspect(group, whole, places, logStake, tolerance),
      rejectionSuspect(group, whole, logStake, tolerance),
    ].flatMap((one) => one ?? []);
  });
}

function placesIn({ trees }: Program): number {
  let places = 0;
  for (const tree of trees.values()) for (const icon of drawnIcons(tree).values()) if (asksOutside(icon)) places++;
  return places;
}

/** Groups runs by sign. */
function grouped(
  observations: readonly Observation[],
  program: Program,
  signs: Signs,
  smells: ReadonlyMap<string, Smell>,
): { whole: Row; groups: Group[] } {
  const first = observations.slice(0, FIRST_RUNS);
  const known = new Set(first.flatMap(({ signs: shown }) => shown));
  const seen = new Map<number, number[]>();
  for (const { sizes } of first)
    for (const [id, [least, most]] of sizes) {
      const list = seen.get(id);
      if (list) list.push(least, most);
      else seen.set(id, [least, most]);
    }
  const cuts = new Map<number, Cuts>();
  for (const [id, sizes] of seen) {
    const made = cutsOf(signs.all[id]!, sizes);
    if (made) cuts.set(id, made);
  }
  const placeOf = placesOf(signs);
  const rows = new Map<number, Row>();
  const rowOf = (id: number): Row => {
    const row = rows.get(id) ?? newRow();
    rows.set(id, row);
    return row;
  };
  const whole = newRow();
  for (const one of observations) {
    count(whole, one, false);
    const here = (id: number): boolean => one.failedAt !== undefined && placeOf[id] === one.failedAt;
    for (const id of one.signs) if (known.has(id) || signs.all[id]!.is === "answer") count(rowOf(id), one, here(id));
    for (const id of one.places) count(rowOf(id), one, here(id));
    for (const [id, [least, most]] of one.sizes) {
      const cut = cuts.get(id);
      if (!cut) continue;
      count(cut.least[intervalOf(cut.bounds, least)]!, one, here(id));
      count(cut.most[intervalOf(cut.bounds, most)]!, one, here(id));
    }
  }
  const main = program.trees.get(program.main);
  const begin = { diagram: program.main, icon: main?.branches[0]?.icon ?? "" };
  const groups: Group[] = [{ stake: "whole", row: whole, site: begin, part: 1 }];
  for (const [id, row] of rows) groups.push(...groupsOf(signs.all[id]!, row, smells));
  for (const cut of cuts.values()) groups.push(...cutGroups(cut));
  return { whole, groups };
}

/** The place sign of each sign's icon. */
function placesOf(signs: Signs): (number | undefined)[] {
  const places = new Map(signs.all.flatMap((sign) => (sign.is === "place" ? [[siteKey(sign), sign.id]] : [])));
  return signs.all.map((sign) => places.get(siteKey(sign)));
}

function groupsOf(sign: Sign, row: Row, smells: ReadonlyMap<string, Smell>): Group[] {
  const { diagram, icon, is, term, mark } = sign;
  const site = { diagram, icon };
  if (is === "answer") return [{ stake: "answer", row, sign, site, part: 1 }];
  if (is === "place") {
    const smell = smells.get(siteKey(site));
    const own: Group = { stake: "place", row, sign, site, part: 1 };
    return smell ? [own, { stake: "smell", row, sign, site, part: 1, smell }] : [own];
  }
  return [{ stake: stakeOf(sign), row, sign, site, part: 1, when: circumstance(term!.expression, mark!) }];
}

const stakeOf = ({ term, asked }: Sign): "compared" | "near" | "distant" =>
  asked ? "compared" : term!.near ? "near" : "distant";

function circumstance(term: Circumstance["term"], mark: string): Circumstance {
  if (mark.startsWith("holds:")) return { term, is: "holds", text: mark.slice("holds:".length) };
  if (mark.startsWith("equal:")) return { term, is: "equal", text: mark.slice("equal:".length) };
  return { term, is: mark as "empty" | "absent" | "true" | "false" };
}

function cutGroups(cut: Cuts): Group[] {
  const { sign } = cut;
  const { diagram, icon, term } = sign;
  const part = 1 / Math.sqrt(cut.bounds.length * 2);
  const common = { stake: stakeOf(sign), sign, site: { diagram, icon }, part };
  return cutRows(cut).flatMap(({ bound, atMost, above }) => [
    { ...common, row: atMost, when: { term: term!.expression, is: "at-most" as const, bound } },
    { ...common, row: above, when: { term: term!.expression, is: "at-least" as const, bound } },
  ]);
}

function failureSuspect(
  group: Group,
  whole: Row,
  places: number,
  logStake: number,
  tolerance: Tolerance,
): Suspect | undefined {
  const { row, sign, site } = group;
  const anywhere = sign === undefined || sign.is === "answer" || sign.asked;
  const [all, bad] = [runsIn(row), anywhere ? failedIn(row) : failedHere(row)];
  if (bad < 2) return undefined;
  const [runs, failures] = [runsIn(whole), failedIn(whole)];
  // A failure that the suspect does not explain is equally likely at any place.
  const others = failures - bad;
  const elsewhere = anywhere ? failures : others;
  const logScore =
    logStake +
    logExplained(all, bad) +
    logExplained(anywhere ? runs - all : runs - bad, others, ...BACKGROUND) -
    elsewhere * Math.log(places);
  return {
    ...site,
    ...described(group),
    kind: "failure",
    all,
    bad,
    // For a failing icon the rest are the runs that did not fail at it.
    restAll: anywhere ? runs - all : runs - bad,
    restBad: others,
    logStake,
    logFortune: logFortune([{ tolerance: tolerance.failure, all, bad }]),
    logScore,
  };
}

function rejectionSuspect(group: Group, whole: Row, logStake: number, tolerance: Tolerance): Suspect | undefined {
  const { row, sign, site, smell } = group;
  // A visited call alone does not explain a rejection, unless the icon has a smell.
  if (sign?.is === "place" && smell === undefined) return undefined;
  const counts = decidedBy(row);
  const [all, bad] = [sumOf(counts, "all"), sumOf(counts, "bad")];
  if (bad < 2) return undefined;
  const decided = decidedBy(whole);
  const [restAll, restBad] = [sumOf(decided, "all") - all, sumOf(decided, "bad") - bad];
  const bets = counts.map(({ decisions, ...one }) => ({
    ...one,
    tolerance: 1 - (1 - tolerance.rejection) ** decisions,
  }));
  return {
    ...site,
    ...described(group),
    kind: "rejection",
    all,
    bad,
    restAll,
    restBad,
    logStake,
    logFortune: logFortune(bets),
    logScore: logStake + logExplained(all, bad) + logExplained(restAll, restBad, ...BACKGROUND),
  };
}

const sumOf = (counts: readonly { all: number; bad: number }[], of: "all" | "bad"): number =>
  counts.reduce((sum, one) => sum + one[of], 0);

const described = ({ sign, when, smell }: Group): Pick<Suspect, "sign" | "when" | "smell"> => ({
  ...(sign && { sign }),
  ...(when && { when }),
  ...(smell && { smell }),
});
