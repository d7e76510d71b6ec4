import type { Text } from "../../base/text.ts";

/** S-1: the names of types, each with the type that it is a kind of. Objects and commits share one registry. */
export type KindRegistry = ReadonlyMap<string, string | undefined>;

export interface NewKind {
  readonly name: string;
  readonly parent: string;
}

/** The type of every commit of a session. */
export const COMMIT_KIND = "agent-commit";

export const builtInKinds: KindRegistry = new Map([
  ["briefing", undefined],
  ["console-trace", undefined],
  ["behaviour", undefined],
  ["capability", undefined],
  [COMMIT_KIND, undefined],
  ["spawn", COMMIT_KIND],
  ["finding", COMMIT_KIND],
  ["refactor", COMMIT_KIND],
  ["test", COMMIT_KIND],
  ["session-merge", COMMIT_KIND],
  ["decision", COMMIT_KIND],
]);

const NAME = /^[a-z][a-z0-9-]{0,62}$/;
export const isKindName = (name: string): boolean => NAME.test(name);

const FEDERATED = /^[a-z][a-z0-9-]{0,62}@[0-9a-f]{40}$/;
/** S-10: `leak@3f2a…`, the id of a definition that is the same in every garden. */
export const isKindId = (text: string): boolean => FEDERATED.test(text);

/** Reflexive and transitive. The walk is bounded by the size of the registry, so that an imported cycle cannot hang it. */
export function isA(kinds: KindRegistry, kind: string, ancestor: string): boolean {
  let at: string | undefined = kind;
  for (let steps = 0; at !== undefined && steps <= kinds.size; steps++) {
    if (!kinds.has(at)) return false;
    if (at === ancestor) return true;
    at = kinds.get(at);
  }
  return false;
}

export const isCommitKind = (kinds: KindRegistry, kind: string): boolean => isA(kinds, kind, COMMIT_KIND);

/** The reason why the registry does not accept a new kind; undefined if it does. A name is registered once and never changed. */
export function kindProblem(kinds: KindRegistry, { name, parent }: NewKind): Text | undefined {
  if (!isKindName(name))
    return {
      en: `${JSON.stringify(name)} is no name of a kind: lower case letters, digits and hyphens, a letter first`,
      uk: `${JSON.stringify(name)} — не назва виду: малі латинські літери, цифри й дефіси, перша — літера`,
    };
  if (kinds.has(name)) return { en: `the kind ${name} exists already`, uk: `вид ${name} уже є` };
  if (!kinds.has(parent))
    return { en: `there is no kind ${JSON.stringify(parent)}`, uk: `виду ${JSON.stringify(parent)} немає` };
  return undefined;
}

export const withKind = (kinds: KindRegistry, { name, parent }: NewKind): KindRegistry =>
  new Map([...kinds, [name, parent]]);
