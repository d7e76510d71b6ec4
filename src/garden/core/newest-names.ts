import { compareUtf8 } from "../../base/order.ts";
import type { Store } from "../../ports/store.ts";

/** Things that are named by their time, such as runs and records of the audit. */
export interface TimedNames {
  /** What their keys begin with. */
  readonly folder: string;
  /** Where the parts of the time end in a name, the largest first. */
  readonly parts: readonly number[];
  /** The name, in what stands behind the folder. */
  readonly nameOf: (rest: string) => string;
}

/** Behind every name that goes on after this. */
export const BEHIND = "~";
/** So many are looked at by name before the time is cut into smaller parts. */
const FEW = 20;

/**
 * Names, newest first, from `upTo` backwards (default: from the newest). The store lists forwards only, so a time with many of them
 * is cut into smaller ones and the last of these opened: what is not asked for costs nothing, however much it is.
 */
export async function* newestNames(
  store: Store,
  names: TimedNames,
  upTo = BEHIND,
  time = "",
): AsyncGenerator<string, void> {
  const { folder, parts, nameOf } = names;
  const longer = parts.find((length) => length > time.length);
  const last = upTo.startsWith(time) ? upTo.slice(time.length) : BEHIND;
  const few = { last, most: longer === undefined ? Number.POSITIVE_INFINITY : FEW };
  const found = await jump(store, `${folder}${time}`, nameOf, few);
  if (found.length < FEW || longer === undefined) {
    for (const name of found.toReversed()) yield `${time}${name}`;
    return;
  }
  const cut = longer - time.length;
  const times = await jump(store, `${folder}${time}`, (rest) => nameOf(rest).slice(0, cut), { last });
  for (const part of times.toReversed()) yield* newestNames(store, names, upTo, `${time}${part}`);
}

/** The different beginnings of what stands behind a prefix: one look each, however much lies under it. */
export async function jump(
  store: Store,
  prefix: string,
  beginning: (rest: string) => string,
  { last = BEHIND, most = Number.POSITIVE_INFINITY }: { readonly last?: string; readonly most?: number } = {},
): Promise<string[]> {
  const found: string[] = [];
  let after: string | undefined;
  while (found.length < most) {
    const { entries } = await store.list(prefix, { limit: 1, ...(after !== undefined && { after }) });
    const key = entries[0]?.key;
    const name = key === undefined ? undefined : beginning(key.slice(prefix.length));
    if (name === undefined || compareUtf8(name, last) > 0) return found;
    found.push(name);
    after = `${prefix}${name}${BEHIND}`;
  }
  return found;
}
