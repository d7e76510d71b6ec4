import { posix } from "node:path";
import type { Source } from "./source.ts";

/** The layers that each layer may import, type imports included. A layer may always import itself. */
export const layerTable = {
  base: [],
  data: [],
  domain: ["data", "base"],
  drakon: ["domain", "base"],
  ports: ["domain", "base"],
  garden: ["ports", "drakon", "domain", "base"],
  adapters: ["ports", "drakon", "domain", "base"],
  gateway: ["garden", "ports", "drakon", "domain", "base"],
  cli: ["garden", "ports", "drakon", "domain", "base"],
  wiring: ["base", "domain", "drakon", "ports", "garden", "adapters", "gateway", "cli"],
  web: ["drakon", "domain", "base"],
  /** `deploy/edge/`. Its test runs it without Node's modules, so only files without them can be imported. */
  edge: ["gateway", "garden", "domain", "base"],
} as const satisfies Record<string, readonly string[]>;

export type Layer = keyof typeof layerTable;

/**
 * The rooms of `src/garden/`, lowest first. A room may import itself and lower rooms; rooms of one row may not import each other.
 */
export const roomOrder = [
  ["core"],
  ["records"],
  ["sessions"],
  ["changes"],
  ["agents"],
  ["runs"],
  ["insight"],
  ["federation"],
  ["life"],
] as const satisfies readonly (readonly string[])[];

/** Layers of pure functions: of Node they may use hashing and bytes only. */
const PURE: readonly (Layer | undefined)[] = ["base", "domain", "drakon", "ports"];
const PURE_BUILTINS = new Set(["node:crypto", "node:buffer"]);

/** Tests, suites and benches. They may import across layers; the product may not import them. */
export const isProof = (path: string): boolean =>
  /^(?:test|bench)\/|\.test\.tsx?$|\/testing\/|\/conformance(?:\.|-|\/)/.test(path);

export function layerOf(path: string): Layer | undefined {
  const [top, folder, ...rest] = path.split("/");
  if (top === "web") return "web";
  if (top === "deploy" && folder === "edge") return "edge";
  if (top !== "src") return undefined;
  if (rest.length === 0 && folder?.includes(".")) return "wiring";
  return folder !== undefined && Object.hasOwn(layerTable, folder) ? (folder as Layer) : undefined;
}

/** The file that a relative specifier names. */
export const targetOf = (from: string, specifier: string): string | undefined =>
  specifier.startsWith(".") ? posix.join(posix.dirname(from), specifier) : undefined;

/** Imports that the table does not allow. */
export function strayImports(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const from = layerOf(source.path);
    if (source.path.startsWith("src/") && from === undefined) return [`${source.path}: in no layer of the table`];
    if (from === undefined || isProof(source.path)) return [];
    if (from === "garden" && rankOf(roomOf(source.path)) < 0) return [`${source.path}: in no room of garden/`];
    return source.imports.flatMap(({ specifier, line }) => {
      const say = (why: string): string[] => [`${source.path}:${line}: ${why}`];
      if (PURE.includes(from) && specifier.startsWith("node:") && !PURE_BUILTINS.has(specifier))
        return say(`${from} is pure and may not import ${specifier}`);
      if (from === "edge" && specifier.startsWith("node:")) return say(`edge has no ${specifier}`);
      const target = targetOf(source.path, specifier);
      if (target === undefined) return [];
      if (isProof(target)) return say(`imports what only tests may import (${target})`);
      const to = layerOf(target);
      if (to === undefined) return say(`leads out of the layers (${target})`);
      if (from === "garden" && to === "garden") return roomProblem(source.path, target).flatMap(say);
      if (to === from)
        return [familyOf(source.path), undefined].includes(familyOf(target))
          ? []
          : say(`one adapter family knows another`);
      return (layerTable[from] as readonly Layer[]).includes(to) ? [] : say(`${from} may not import ${to}`);
    });
  });
}

const roomOf = (path: string): string => /^src\/garden\/([^/]+)\//.exec(path)?.[1] ?? "";
const rankOf = (room: string): number => roomOrder.findIndex((row) => (row as readonly string[]).includes(room));

function roomProblem(path: string, target: string): string[] {
  const [from, to] = [roomOf(path), roomOf(target)];
  return from === to || rankOf(to) < rankOf(from) ? [] : [`garden/${from} may not import garden/${to}`];
}

/** `src/adapters/store/dir/x.ts` → `store`. Families meet only in the wiring; a file beside their folders is of none. */
const familyOf = (path: string): string | undefined => /^src\/adapters\/([^/]+)\//.exec(path)?.[1];

/** Import cycles, each listed once, starting with its first file by name. */
export function importCycles(sources: readonly Source[]): string[] {
  const edges = new Map(
    sources.map((source) => [
      source.path,
      source.imports.flatMap(({ specifier }) => targetOf(source.path, specifier) ?? []),
    ]),
  );
  const rings = new Set<string>();
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const seen = trail.indexOf(path);
    if (seen >= 0) rings.add(ringFrom(trail.slice(seen)));
    if (seen >= 0 || done.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of [...edges.keys()].toSorted()) visit(path, []);
  return [...rings];
}

function ringFrom(ring: readonly string[]): string {
  const first = ring.indexOf(ring.toSorted()[0]!);
  return [...ring.slice(first), ...ring.slice(0, first), ring[first]!].join(" → ");
}
