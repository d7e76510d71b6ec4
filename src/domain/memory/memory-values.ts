import { type MemoryValues, readValues } from "./memory-meta.ts";
import { type MemoryVersions, newestOf, ownWriters, rebaseValue } from "./memory-rebase.ts";

type MemoryValue = MemoryValues[string];

/** A named value after an update. */
export interface SetValue {
  readonly kind: "set";
  readonly name: string;
  readonly value: MemoryValue;
  /** The value as proposed, unless a part of it gave way to a newer one. */
  readonly meant: MemoryValue;
  /** The newer update of the same agent that a part of it gave way to. */
  readonly by: string | undefined;
}

export type SettledValue =
  | SetValue
  /** All of it gave way to a newer update of the same agent. */
  | { readonly kind: "superseded"; readonly by: string }
  /** A person or another agent changed the value after the agent had read it. */
  | { readonly kind: "conflict"; readonly texts: { readonly ours: string; readonly theirs: string } };

/** The effect of setting one named value on the present memory. */
export function settleValue({ read, now, since }: MemoryVersions, name: string, wanted: MemoryValue): SettledValue {
  const then = readValues(read?.["values.json"])?.[name];
  const present = readValues(now["values.json"])?.[name];
  const [was, is, asked] = [then, present, wanted].map((value) => JSON.stringify(value));
  const set = { kind: "set", name, value: wanted, meant: wanted, by: undefined } as const;
  if ((read !== undefined && was === is) || is === asked) return set;
  const own = ownWriters(since ?? [], (files) => JSON.stringify(readValues(files["values.json"])?.[name]));
  if (!own) return { kind: "conflict", texts: { ours: is ?? "", theirs: asked ?? "" } };
  const newer = newestOf(own);
  const { value, isLost } = rebaseValue(then, present, wanted, newer !== undefined);
  if (!newer || !isLost) return { ...set, value: value as MemoryValue };
  if (JSON.stringify(value) === is) return { kind: "superseded", by: newer.proposal };
  return { ...set, value: value as MemoryValue, meant: value as MemoryValue, by: newer.proposal };
}
