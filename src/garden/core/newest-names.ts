import { compareUtf8 } from "../../base/order.ts";
import type { Store } from "../../ports/store.ts";

/** Things named by their time, such as runs and audit records. */
export interface TimedNames {
  /** The prefix of their keys. */
  readonly folder: string;
  /** The lengths at which the parts of the time end in a name, the largest part first. */
  readonly parts: readonly number[];
  /** The name in the rest of a key behind `folder`. */
  readonly nameOf: (rest: string) => string;
}

/** Sorts after every name that continues after it. */
export const SORTS_LAST = "~";
/** Maximum names read one by one before the time is split into smaller parts. */
const FEW = 20;

/**
 * Names, newest first, from `upTo` backwards (default: from the newest). The store lists forwards only, so a period with
 * many names is split into smaller ones, and the last of these is read first: the cost follows what is consumed.
 */
export async function* newestNames(
  store: Store,
  names: TimedNames,
  upTo = SORTS_LAST,
  time = "",
): AsyncGenerator<string, void> {
  const { folder, parts, nameOf } = names;
  const longer = parts.find((length) => length > time.length);
  const last = upTo.startsWith(time) ? upTo.slice(time.length) : SORTS_LAST;
  const few = { last, most: longer === undefined ? Number.POSITIVE_INFINITY : FEW };
  const found = await distinctBeginnings(store, `${folder}${time}`, nameOf, few);
  if (found.length < FEW || longer === undefined) {
    for (const name of found.toReversed()) yield `${time}${name}`;
    return;
  }
  const cut = longer - time.length;
  const times = await distinctBeginnings(store, `${folder}${time}`, (rest) => nameOf(rest).slice(0, cut), { last });
  for (const part of times.toReversed()) yield* newestNames(store, names, upTo, `${time}${part}`);
}

/** The distinct beginnings of keys behind a prefix; one list call each, however many keys are under it. */
export async function distinctBeginnings(
  store: Store,
  prefix: string,
  beginning: (rest: string) => string,
  { last = SORTS_LAST, most = Number.POSITIVE_INFINITY }: { readonly last?: string; readonly most?: number } = {},
): Promise<string[]> {
  const found: string[] = [];
  let after: string | undefined;
  while (found.length < most) {
    const { entries } = await store.list(prefix, { limit: 1, ...(after !== undefined && { after }) });
    const key = entries[0]?.key;
    const name = key === undefined ? undefined : beginning(key.slice(prefix.length));
    if (name === undefined || compareUtf8(name, last) > 0) return found;
    found.push(name);
    after = `${prefix}${name}${SORTS_LAST}`;
  }
  return found;
}
