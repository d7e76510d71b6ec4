import type { ProposalCard } from "../../api/endpoints.gen.ts";

/**
 * The proposals before and after one. `shown` holds decided rows too, for their place; `waiting` are those that can be opened. After
 * the last comes the first.
 */
export function neighboursIn(
  shown: readonly ProposalCard[],
  waiting: readonly ProposalCard[],
  id: string,
): { readonly next: string | undefined; readonly previous: string | undefined } {
  const isWaiting = new Set(waiting.map((card) => card.id));
  const at = shown.findIndex((card) => card.id === id);
  const open = (card: ProposalCard): boolean => card.id !== id && isWaiting.has(card.id);
  const after = at < 0 ? shown.find((card) => open(card) && card.id > id) : shown.slice(at + 1).find(open);
  const before = at < 0 ? shown.findLast((card) => open(card) && card.id < id) : shown.slice(0, at).findLast(open);
  return { next: (after ?? shown.find(open) ?? waiting.find(open))?.id, previous: before?.id };
}
