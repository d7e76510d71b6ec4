import { useSyncExternalStore } from "react";
import type { ProposalCard } from "../../api/endpoints.gen.ts";

/** An approval of this browser that can still be withdrawn: its row stays in the queue until then. */
interface RecentDecision {
  readonly card: ProposalCard;
  /** Time of this browser at which it is applied. */
  readonly until: number;
}

let recent: readonly RecentDecision[] = [];
const listeners = new Set<() => void>();

function change(next: readonly RecentDecision[]): void {
  recent = next;
  for (const listener of listeners) listener();
}

export function addRecentDecision(card: ProposalCard, forMs: number): void {
  const until = Date.now() + forMs;
  change([...recent.filter(({ card: { id } }) => id !== card.id), { card, until }]);
  setTimeout(() => change(recent.filter((each) => each.until !== until || each.card.id !== card.id)), forMs);
}

export const removeRecentDecisions = (ids: readonly string[]): void =>
  change(recent.filter(({ card: { id } }) => !ids.includes(id)));

const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useRecentDecisions = (): readonly RecentDecision[] => useSyncExternalStore(listen, () => recent);
