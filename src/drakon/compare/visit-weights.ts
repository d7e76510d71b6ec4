import type { Diagram } from "../diagram/diagram.ts";
import type { IconId } from "../icon-id.ts";
import { flowOrder } from "../structure/flow-order.ts";
import { type Place, type RouteExit, type RouteGraph, START } from "./route-graph.ts";

/** A prime below 2^26: a product of two residues is exact in a double. */
const PRIME = 67_108_859;
export const addedWeights = (a: number, b: number): number => plus(a, b);
const plus = (a: number, b: number): number => (a + b) % PRIME;
const minus = (a: number, b: number): number => (a - b + PRIME) % PRIME;
const times = (a: number, b: number): number => (a * b) % PRIME;

/** Zero, which only a loop without an exit gives, counts as one. */
function inverse(of: number): number {
  let [result, base] = [1, of === 0 ? 1 : of];
  for (let power = PRIME - 2; power > 0; power = Math.floor(power / 2)) {
    if (power % 2 === 1) result = times(result, base);
    base = times(base, base);
  }
  return result;
}

/**
 * The expected number of visits of each place, with a random probability for every answer, in a prime field. Two icons are
 * reached on the same conditions if their weights are equal: without loops the weight is the one polynomial of the condition, so
 * that unequal conditions have equal weights with a chance of about 1 : 10,000,000 per question. `key` names a question or a case,
 * in both diagrams alike. Nearly linear; the branches of a silhouette form a small linear system.
 */
export function visitWeights(graph: RouteGraph, key: (icon: IconId) => string): ReadonlyMap<Place, number> {
  const places = [START, ...[...graph.reached].filter((place) => place !== START)];
  const numberOf = new Map<Place, number>(places.map((place, index) => [place, index]));
  const isHead = (place: Place): boolean => graph.diagram.icons.get(place)?.type === "branch";
  const edges = places.map((place) => weighted(graph, place, key));
  const heads = places.filter(isHead);
  const headAt = new Map<Place, number>(heads.map((head, index) => [head, index]));
  // Node 0 leads to every branch; ways between branches are left to the linear system.
  const inside = edges.map((out, from) =>
    from === 0
      ? heads.map((head): Edge => ({ to: numberOf.get(head)!, weight: 1 }))
      : out.filter(({ to }) => !isHead(to)).map(({ to, weight }): Edge => ({ to: numberOf.get(to)!, weight })),
  );
  const units = unitVisits(inside);
  const branch = new Int32Array(places.length).fill(-1);
  for (const [index, place] of places.entries()) {
    const home = isHead(place) ? place : graph.branchOf(place);
    branch[index] = home === undefined ? -1 : (headAt.get(home) ?? -1);
  }
  const entering = heads.map((): Map<number, number> => new Map());
  const given = heads.map((head) => (edges[0]!.some(({ to }) => to === head) ? 1 : 0));
  for (const [from, out] of edges.entries()) {
    if (from === 0) continue;
    for (const { to, weight } of out) {
      if (!isHead(to)) continue;
      const into = entering[headAt.get(to)!]!;
      into.set(branch[from]!, plus(into.get(branch[from]!) ?? 0, times(units[from]!, weight)));
    }
  }
  const masses = solve(entering, given);
  // A place without a branch of its own (the end) gets the sum of its entries.
  const weights = new Map<Place, number>();
  for (const [index, place] of places.entries())
    if (branch[index]! >= 0) weights.set(place, times(units[index]!, masses[branch[index]!]!));
  const sums = new Map<Place, number>();
  for (const [from, out] of edges.entries())
    for (const { to, weight } of out)
      if (branch[numberOf.get(to)!]! < 0)
        sums.set(to, plus(sums.get(to) ?? 0, times(weights.get(places[from]!) ?? 0, weight)));
  for (const [place, sum] of sums) weights.set(place, sum);
  return weights;
}

interface Edge {
  readonly to: number;
  readonly weight: number;
}

function weighted(
  { diagram, exits }: RouteGraph,
  place: Place,
  key: (icon: IconId) => string,
): { readonly to: Place; readonly weight: number }[] {
  const out = exits.get(place) ?? [];
  const parts = out.filter(({ label }) => label === "yes" || label === "no" || label === "item" || label === "done");
  if (parts.length === 2) {
    const chance = chanceOf(key(place));
    return parts.map(({ to }, index) => ({ to, weight: index === 0 ? chance : minus(1, chance) }));
  }
  if (out.some(({ label }) => label === "case")) return caseWeights(out, key, diagram);
  return out.map(({ to }) => ({ to, weight: 1 }));
}

/** The key of a question whose "yes" means the "no" of the question with this key. */
export const denial = (key: string): string => `${DENIED}${key}`;
const DENIED = "\u0001not ";

const chanceOf = (key: string): number =>
  key.startsWith(DENIED) ? minus(1, residue(key.slice(DENIED.length))) : residue(key);

/** The share that no case takes goes to the default case; without one the procedure stops there. */
function caseWeights(
  out: readonly RouteExit[],
  key: (icon: IconId) => string,
  { icons }: Diagram,
): { readonly to: Place; readonly weight: number }[] {
  let rest = 1;
  return out.map(({ to }, index) => {
    const isDefault = index === out.length - 1 && icons.get(to)!.text.trim() === "";
    const weight = isDefault ? rest : residue(key(to));
    rest = minus(rest, weight);
    return { to, weight };
  });
}

/** A residue from a text: FNV-1a with a final mix. */
function residue(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % PRIME;
}

/**
 * Visits of each node if the entry has one. A loop is solved once, with one visit of its head per entry, inner loops first; then
 * the numbers are scaled from the outside in.
 */
function unitVisits(edges: readonly (readonly Edge[])[]): Float64Array {
  const { order, loop, outerLoop } = flowOrder(edges.map((out) => out.map(({ to }) => to)));
  const regionOf = (number: number): number => (loop[number] === number ? outerLoop[number]! : loop[number]!);
  const members = new Map<number, number[]>([[-1, []]]);
  for (const number of order) {
    if (loop[number] === number) members.set(number, []);
    members.get(regionOf(number))!.push(number);
  }
  const unit = new Float64Array(edges.length);
  /** Factor of a loop's head per entry, and what leaves the loop per entry. */
  const factor = new Float64Array(edges.length).fill(1);
  const leaving = new Map<number, Map<number, number>>();
  const heads = order.filter((number) => loop[number] === number).toReversed();
  for (const region of [...heads, -1]) {
    const out = new Map<number, number>();
    let back = 0;
    const give = (to: number, mass: number): void => {
      if (to === region) back = plus(back, mass);
      else if (regionOf(to) === region) unit[to] = plus(unit[to]!, mass);
      else out.set(to, plus(out.get(to) ?? 0, mass));
    };
    const pass = (number: number, mass: number): void => {
      for (const { to, weight } of edges[number]!) give(to, times(mass, weight));
    };
    if (region >= 0) pass(region, 1);
    else unit[order[0]!] = 1;
    for (const number of members.get(region)!) {
      const inner = leaving.get(number);
      if (inner) for (const [to, mass] of inner) give(to, times(mass, unit[number]!));
      else pass(number, unit[number]!);
    }
    if (region < 0) break;
    factor[region] = inverse(minus(1, back));
    leaving.set(region, new Map([...out].map(([to, mass]) => [to, times(mass, factor[region]!)])));
  }
  const visits = new Float64Array(edges.length);
  for (const number of order) {
    const region = regionOf(number);
    const scale = region < 0 ? 1 : visits[region]!;
    visits[number] = times(times(unit[number]!, scale), factor[number]!);
  }
  return visits;
}

/** Beyond this number of branches the system is iterated instead of solved. */
const MAX_SOLVED = 300;
const ROUNDS = 64;

/** Solves `x[k] = given[k] + Σ entering[k][j] · x[j]` by elimination from the last unknown to the first. */
function solve(entering: readonly ReadonlyMap<number, number>[], given: readonly number[]): number[] {
  const size = given.length;
  if (size > MAX_SOLVED) {
    let masses = [...given];
    const next = (k: number): number =>
      [...entering[k]!].reduce((sum, [j, weight]) => plus(sum, times(weight, masses[j]!)), given[k]!);
    for (let round = 0; round < ROUNDS; round++) masses = masses.map((_, k) => next(k));
    return masses;
  }
  const rows = entering.map((row) => new Map(row));
  const right = [...given];
  const reduce = (k: number): void => {
    const scale = inverse(minus(1, rows[k]!.get(k) ?? 0));
    rows[k]!.delete(k);
    for (const [j, weight] of rows[k]!) rows[k]!.set(j, times(weight, scale));
    right[k] = times(right[k]!, scale);
  };
  for (let k = size - 1; k >= 0; k--) {
    reduce(k);
    for (let m = 0; m < k; m++) {
      const weight = rows[m]!.get(k);
      if (weight === undefined) continue;
      rows[m]!.delete(k);
      for (const [j, part] of rows[k]!) rows[m]!.set(j, plus(rows[m]!.get(j) ?? 0, times(weight, part)));
      right[m] = plus(right[m]!, times(weight, right[k]!));
    }
  }
  // Now each unknown depends on earlier ones only.
  const masses = [...right];
  for (let k = 0; k < size; k++)
    for (const [j, weight] of rows[k]!) masses[k] = plus(masses[k]!, times(weight, masses[j]!));
  return masses;
}
