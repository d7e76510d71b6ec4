import { storedJson, storeJson } from "../browser-storage.ts";

/** The changes that were read in this browser: opened for long enough to be decided, or shown whole in a list that was read. */
const KEY = "garden-bloom.read";
const MOST = 2000;

type Change = { readonly id: string; readonly digest: string };

const nameOf = ({ id, digest }: Change): string => `${id} ${digest.slice(0, 12)}`;
const stored = storedJson(KEY);
const read = new Set<string>(
  Array.isArray(stored) ? stored.filter((each): each is string => typeof each === "string") : [],
);

/** True if this version of the proposal was read. */
export const isRead = (change: Change): boolean => read.has(nameOf(change));

export function markRead(change: Change): void {
  const name = nameOf(change);
  if (read.has(name)) return;
  read.add(name);
  storeJson(KEY, [...read].slice(-MOST));
}
