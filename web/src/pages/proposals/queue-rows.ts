import type { ProposalCard } from "../../api/endpoints.gen.ts";

export type QueueGrouping = "run" | "agent" | "note";

/** One row of the queue: the head of a group, a proposal, or alike proposals that are folded. */
export type QueueRow =
  | {
      readonly kind: "head";
      readonly key: string;
      /** The first proposal of the group: its sender, run or target name the group. */
      readonly first: ProposalCard;
      readonly count: number;
      /** More of the group may be on a page that was not read yet. */
      readonly isOpenEnded: boolean;
    }
  | { readonly kind: "card"; readonly key: string; readonly card: ProposalCard; readonly position: number }
  | {
      readonly kind: "fold";
      readonly key: string;
      readonly cards: readonly ProposalCard[];
      readonly isOpen: boolean;
    };

/** More than `FEW` changes of one run and one kind are folded behind the first `SHOWN` of them. */
const FEW = 3;
const SHOWN = 2;

interface Queue {
  readonly cards: readonly ProposalCard[];
  /** The index of the first card of each page: cards are grouped within a page, so that a page read later moves no row above it. */
  readonly pageStarts: readonly number[];
  readonly isWhole: boolean;
  readonly grouping: QueueGrouping;
  /** Keys of the folds that were opened. */
  readonly opened: ReadonlySet<string>;
}

export function queueRows({ cards, pageStarts, isWhole, grouping, opened }: Queue): QueueRow[] {
  const groups = groupsOf(cards, pageStarts, grouping);
  const rows: QueueRow[] = [];
  let position = 0;
  for (const [index, { key, cards: own }] of groups.entries()) {
    const isOpenEnded = !isWhole && index === groups.length - 1;
    rows.push({ kind: "head", key: `head ${key}`, first: own[0]!, count: own.length, isOpenEnded });
    const folded = foldedOf(own);
    const hiddenOnes = new Set(folded.flatMap(({ cards: hidden }) => hidden));
    const shown = own.filter((card) => !hiddenOnes.has(card));
    for (const card of shown) rows.push({ kind: "card", key: card.id, card, position: ++position });
    for (const { action, cards: hidden } of folded) {
      const foldKey = `fold ${key} ${action}`;
      const isOpen = opened.has(foldKey);
      rows.push({ kind: "fold", key: foldKey, cards: hidden, isOpen });
      if (isOpen) for (const card of hidden) rows.push({ kind: "card", key: card.id, card, position: ++position });
      else position += hidden.length;
    }
  }
  return rows;
}

interface Group {
  readonly key: string;
  readonly cards: ProposalCard[];
}

function groupsOf(
  cards: readonly ProposalCard[],
  pageStarts: readonly number[],
  grouping: QueueGrouping,
): readonly Group[] {
  const groups: Group[] = [];
  const starts = pageStarts.length === 0 ? [0] : pageStarts;
  for (const [page, start] of starts.entries()) {
    const own = new Map<string, Group>();
    const last = groups.at(-1);
    // A group may go on from the page before.
    if (last) own.set(nameOf(last.cards[0]!, grouping), last);
    for (const card of cards.slice(start, starts[page + 1])) {
      const name = nameOf(card, grouping);
      const group = own.get(name);
      if (group) group.cards.push(card);
      else {
        const made = { key: `${page} ${name}`, cards: [card] };
        own.set(name, made);
        groups.push(made);
      }
    }
  }
  return groups;
}

function nameOf({ source, target }: ProposalCard, grouping: QueueGrouping): string {
  if (grouping === "note") return target;
  const sender = `${source.type} ${source.identity}`;
  return grouping === "agent" ? sender : `${sender} ${source.run_id ?? ""}`;
}

/** Proposals of one run and kind, beyond the first few. Changes of logic and merges are never folded: each is decided alone. */
function foldedOf(
  cards: readonly ProposalCard[],
): readonly { readonly action: string; readonly cards: readonly ProposalCard[] }[] {
  const kinds = new Map<string, ProposalCard[]>();
  for (const card of cards) {
    if (card.source.run_id === undefined || !isDecidedTogether(card) || card.status !== "pending") continue;
    const kind = `${card.action} ${card.source.run_id}`;
    const alike = kinds.get(kind);
    if (alike) alike.push(card);
    else kinds.set(kind, [card]);
  }
  return [...kinds]
    .filter(([, alike]) => alike.length > FEW)
    .map(([action, alike]) => ({ action, cards: alike.slice(SHOWN) }));
}

/** P-10: changes of logic and merges of sessions are decided one by one. */
export const isDecidedTogether = ({ action }: Pick<ProposalCard, "action">): boolean => !/^logic-|merge$/.test(action);

/** P-10: the maximum of one batch decision. */
export const MOST_TOGETHER = 50;

/** The proposals in the order of the queue, without those that are folded. */
export const shownCards = (rows: readonly QueueRow[]): readonly ProposalCard[] =>
  rows.flatMap((row) => (row.kind === "card" ? [row.card] : []));

const SECONDS_EACH = 20;
const SECONDS_PER_LINE = 3;
const SECONDS_OF_LOGIC = 120;

/** Minutes that reading these changes may take, at least one. */
export function readingMinutes(cards: readonly ProposalCard[]): number {
  const seconds = cards.reduce(
    (sum, card) =>
      sum + (isDecidedTogether(card) ? SECONDS_EACH + SECONDS_PER_LINE * (card.preview?.more ?? 0) : SECONDS_OF_LOGIC),
    0,
  );
  return Math.max(1, Math.round(seconds / 60));
}
