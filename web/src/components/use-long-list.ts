import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";

export interface ListPage<T> {
  readonly items: readonly T[];
  /** The cursor of the next page, if there is one. */
  readonly next: string | undefined;
}

/** A long list, read page by page. */
export interface LongSource<T> {
  readonly endpoint: `GET ${string}`;
  /** The filter, as part of the query key. */
  readonly of: string;
  readonly read: (after: string, signal: AbortSignal) => Promise<ListPage<T>>;
  readonly idOf: (item: T) => string;
  /** The order of the cursors along the list. */
  readonly order: "rising" | "falling";
  /** True for an item that changes without an event: its page is polled while it is visible. */
  readonly isPolled?: (item: T) => boolean;
}

export interface LongListState<T> {
  readonly name: string;
  readonly items: readonly T[];
  /** The index of the first item of each page that was read. */
  readonly pageStarts: readonly number[];
  readonly idOf: (item: T) => string;
  readonly isPending: boolean;
  readonly error: Error | null;
  /** True once the last page has been read. */
  readonly isWhole: boolean;
  /** Time of the latest read. */
  readonly readAt: number;
  readonly again: () => void;
  readonly more: (() => void) | undefined;
  /** Reports the indexes of the first and last visible item. */
  readonly setVisible: (first: number, last: number) => void;
}

const POLL_MS = 2000;
const KEPT_MS = 30 * 60_000;

/** The page cursors of each list, restored when the page is opened again. */
const knownStarts = new Map<string, readonly string[]>();

/**
 * Reads pages while the list is scrolled. After a change only the visible pages and both ends (where new items appear) are refetched;
 * the others when they come into view. So ten thousand items cost as much as a hundred.
 */
export function useLongList<T>(source: LongSource<T>): LongListState<T> {
  const { endpoint, of, read, idOf, order, isPolled } = source;
  const name = `${endpoint} ${of}`;
  const [known, setKnown] = useState({
    name,
    starts: knownStarts.get(name) ?? [""],
    view: [0, 0] as readonly number[],
  });
  const at = known.name === name ? known : { name, starts: knownStarts.get(name) ?? [""], view: [0, 0] };
  const now = useRef(at);
  now.current = at;
  const { starts, view } = at;
  const isBefore = (one: string, other: string): boolean => (order === "rising" ? one < other : one > other);

  const {
    pages: answered,
    error,
    readAt,
    refetch,
  } = useQueries({
    queries: starts.map((after, index) => ({
      queryKey: [endpoint, "page", of, after],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        readUntil(read, after, () => now.current.starts[index + 1], isBefore, signal),
      enabled: index === 0 || index === starts.length - 1 || (view[0]! <= index && index <= view[1]!),
      gcTime: KEPT_MS,
      staleTime: Number.POSITIVE_INFINITY, // until an event invalidates it
      refetchInterval: ({ state }: { state: { data: ListPage<T> | undefined } }): number | false =>
        isPolled !== undefined && state.data?.items.some(isPolled) === true && POLL_MS,
    })),
    combine: combined<T>,
  });

  // The pages are the same unless one was read: then the items are too.
  const held = useRef(answered.list);
  const isOther = (page: ListPage<T> | undefined, index: number): boolean => page !== held.current[index];
  if (answered.list.length !== held.current.length || answered.list.some(isOther)) held.current = answered.list;
  const pages = held.current;

  const { items, firsts } = useMemo(() => {
    // A page that was read beyond its end repeats the first items of the next one.
    const all = new Map<string, T>();
    const begin: number[] = [];
    for (const page of pages) {
      begin.push(all.size);
      for (const item of page?.items ?? []) if (!all.has(idOf(item))) all.set(idOf(item), item);
    }
    return { items: [...all.values()], firsts: begin };
  }, [pages, idOf]);

  const next = pages.at(-1)?.next;
  const readNext = (): void => {
    const further = [...starts, next!];
    knownStarts.set(name, further);
    setKnown({ name, starts: further, view });
  };
  const setVisible = (first: number, last: number): void => {
    const pageOf = (item: number): number => firsts.findLastIndex((begin) => begin <= item);
    const [from, until] = [Math.max(0, pageOf(first)), Math.max(0, pageOf(last))];
    if (from !== view[0] || until !== view[1]) setKnown({ name, starts, view: [from, until] });
  };
  return {
    name,
    items,
    pageStarts: firsts,
    idOf,
    isPending: pages[0] === undefined && error === null,
    error,
    isWhole: pages.at(-1) !== undefined && next === undefined,
    readAt,
    again: refetch,
    more: next === undefined ? undefined : readNext,
    setVisible,
  };
}

/** A class, so that the query library does not compare ten thousand items whenever another page comes into view. */
class ReadPages<T> {
  readonly list: readonly (ListPage<T> | undefined)[];
  constructor(list: readonly (ListPage<T> | undefined)[]) {
    this.list = list;
  }
}

function combined<T>(results: readonly UseQueryResult<ListPage<T>>[]) {
  return {
    pages: new ReadPages(results.map(({ data }) => data)),
    error: results.find((result) => result.error)?.error ?? null,
    readAt: Math.max(...results.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    refetch: (): void => results.forEach((result) => void (result.error && result.refetch())),
  };
}

/** Reads one page, and the items that were added between its end and the start of the next one. */
async function readUntil<T>(
  read: LongSource<T>["read"],
  after: string,
  end: () => string | undefined,
  isBefore: (one: string, other: string) => boolean,
  signal: AbortSignal,
): Promise<ListPage<T>> {
  let { items, next } = await read(after, signal);
  for (let until = end(); until !== undefined && next !== undefined && isBefore(next, until); until = end()) {
    const more = await read(next, signal);
    items = [...items, ...more.items];
    next = more.next;
  }
  return { items, next };
}
