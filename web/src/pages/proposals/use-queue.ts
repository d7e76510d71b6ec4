import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { call } from "../../api/client.ts";
import type { ProposalCard } from "../../api/endpoints.gen.ts";
import { type LongListState, type LongSource, useLongList } from "../../components/use-long-list.ts";
import type { Filter } from "./filters.tsx";
import { neighboursIn } from "./queue-neighbours.ts";
import { type QueueGrouping, type QueueRow, queueRows, shownCards } from "./queue-rows.ts";
import { useRecentDecisions } from "./recent-decisions.ts";

export interface QueueState {
  readonly list: LongListState<ProposalCard>;
  readonly view: "pending" | "history";
  readonly filter: Filter;
  readonly grouping: QueueGrouping;
  readonly rows: readonly QueueRow[];
  /** The pending proposals that were read, folded ones too. */
  readonly cards: readonly ProposalCard[];
  /** When an approval of this browser will be applied. */
  readonly until: (id: string) => number | undefined;
  /** Opens or closes a fold. */
  readonly toggle: (fold: string) => void;
  readonly onVisible: (first: number, last: number) => void;
  /** Changes the filter and the grouping in the address. */
  readonly show: (search: object) => void;
  /** Opens a proposal and keeps the filter. */
  readonly open: (id: string) => void;
  /** The pending proposals before and after one in the queue. After the last comes the first. */
  readonly neighboursOf: (id: string) => { readonly next: string | undefined; readonly previous: string | undefined };
}

type Search = Filter & { readonly view?: string; readonly group?: string };

/** The queue as the address describes it. */
export function useQueue(): QueueState {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const view = search.view === "history" ? "history" : "pending";
  const grouping: QueueGrouping = search.group === "agent" || search.group === "note" ? search.group : "run";
  const { agent, action, run, text } = search;
  const filter = useMemo(() => definedOnly({ agent, action, run, text }), [agent, action, run, text]);
  const list = useLongList(useMemo(() => sourceOf(view, filter), [view, filter]));
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const recent = useRecentDecisions();
  const { items, pageStarts, isWhole, more, setVisible } = list;
  const rows = useMemo(() => {
    const there = new Set(items.map(({ id }) => id));
    const decided = view === "pending" ? recent.filter(({ card }) => !there.has(card.id)) : [];
    const cards = withDecided(
      items,
      decided.map(({ card }) => card),
    );
    // A decided row stays at its place: the pages after it begin one row later.
    const starts = pageStarts.map((start) => (start === 0 ? 0 : start + cards.length - items.length));
    return view === "pending"
      ? queueRows({ cards, pageStarts: starts, isWhole, grouping, opened })
      : items.map((card, index): QueueRow => ({ kind: "card", key: card.id, card, position: index + 1 }));
  }, [items, pageStarts, isWhole, grouping, opened, recent, view]);
  const until = useCallback(
    (id: string) =>
      items.some((card) => card.id === id) ? undefined : recent.find(({ card }) => card.id === id)?.until,
    [items, recent],
  );
  const neighboursOf = useMemo(() => {
    const shown = shownCards(rows);
    return (id: string) => neighboursIn(shown, items, id);
  }, [rows, items]);
  const open = useCallback(
    (id: string) => void navigate({ to: "/proposals/$id", params: { id }, search: (before: object) => before }),
    [navigate],
  );
  return {
    list,
    view,
    open,
    filter,
    grouping,
    rows,
    cards: view === "pending" ? items : NO_CARDS,
    until,
    toggle: (fold) => setOpened((before) => toggled(before, fold)),
    onVisible(first, last) {
      setVisible(first, last);
      if (more && last > items.length - NEAR) more();
    },
    show: (next) => void navigate({ to: ".", search: next, replace: true }),
    neighboursOf,
  };
}

const NO_CARDS: readonly ProposalCard[] = [];

/** Rows before the end at which the next page is read. */
const NEAR = 30;

const toggled = (before: ReadonlySet<string>, key: string): ReadonlySet<string> =>
  new Set(before.has(key) ? [...before].filter((each) => each !== key) : [...before, key]);

/** Proposals in the order of their ids, as the gateway lists them. */
const withDecided = (items: readonly ProposalCard[], decided: readonly ProposalCard[]): readonly ProposalCard[] =>
  decided.length === 0 ? items : [...items, ...decided].toSorted((one, other) => (one.id < other.id ? -1 : 1));

const definedOnly = (filter: { readonly [name in keyof Filter]: string | undefined }): Filter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => typeof value === "string" && value !== ""));

const idOf = ({ id }: ProposalCard): string => id;
const PAGE = "100";

const sourceOf = (view: QueueState["view"], filter: Filter): LongSource<ProposalCard> =>
  view === "pending"
    ? {
        endpoint: "GET /proposals/pending",
        of: JSON.stringify(filter),
        order: "rising",
        idOf,
        async read(after, signal) {
          const { proposals: items, next } = await call("GET /proposals/pending", {
            query: {
              limit: PAGE,
              ...(after && { after }),
              ...(filter as Filter & { readonly action?: "propose-note" }),
            },
            signal,
          });
          return { items, next };
        },
      }
    : {
        endpoint: "GET /proposals/history",
        of: "",
        order: "falling",
        idOf,
        async read(after, signal) {
          const query = { limit: PAGE, ...(after && { after }) };
          const { proposals: items, next } = await call("GET /proposals/history", { query, signal });
          return { items, next };
        },
      };
