import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";

export interface ListPage<T> {
  readonly items: readonly T[];
  /** The cursor of its last item, where there are more behind it. */
  readonly next: string | undefined;
}

/** Something of which there may be thousands, read page by page. */
export interface LongSource<T> {
  readonly endpoint: `GET ${string}`;
  /** What of it is asked for. */
  readonly of: string;
  readonly read: (after: string, signal: AbortSignal) => Promise<ListPage<T>>;
  readonly idOf: (item: T) => string;
  /** Whether cursors rise or fall along the list. */
  readonly order: "rising" | "falling";
  /** Whether it changes without anybody telling of it: then its page is asked for every so often while somebody looks. */
  readonly isRestless?: (item: T) => boolean;
}

export interface LongList<T> {
  readonly name: string;
  readonly items: readonly T[];
  readonly idOf: (item: T) => string;
  readonly isPending: boolean;
  readonly error: Error | null;
  /** Whether all there are have been read. */
  readonly isWhole: boolean;
  /** When the page was read that was read last. */
  readonly readAt: number;
  readonly again: () => void;
  readonly more: (() => void) | undefined;
  /** Tells which items are on the screen. */
  readonly look: (first: number, last: number) => void;
}

const RESTLESS_MS = 2000;
const KEPT_MS = 30 * 60_000;

/** How far each list was read in this window: who comes back finds it so. */
const readSoFar = new Map<string, readonly string[]>();

/**
 * Reads as it is scrolled. After a change only those pages are read again that are looked at, and the two ends, where new ones come;
 * the others when they come into view. So a list of ten thousand costs what a list of a hundred costs.
 */
export function useLongList<T>(source: LongSource<T>): LongList<T> {
  const { endpoint, of, read, idOf, order, isRestless } = source;
  const name = `${endpoint} ${of}`;
  const [known, setKnown] = useState({ name, starts: readSoFar.get(name) ?? [""], view: [0, 0] as readonly number[] });
  const at = known.name === name ? known : { name, starts: readSoFar.get(name) ?? [""], view: [0, 0] };
  const now = useRef(at);
  now.current = at;
  const { starts, view } = at;
  const isBefore = (one: string, other: string): boolean => (order === "rising" ? one < other : one > other);

  const { pages, error, readAt, refetch } = useQueries({
    queries: starts.map((after, index) => ({
      queryKey: [endpoint, "page", of, after],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        readUntil(read, after, () => now.current.starts[index + 1], isBefore, signal),
      enabled: index === 0 || index === starts.length - 1 || (view[0]! <= index && index <= view[1]!),
      gcTime: KEPT_MS,
      staleTime: Number.POSITIVE_INFINITY, // until something happens
      refetchInterval: ({ state }: { state: { data: ListPage<T> | undefined } }): number | false =>
        isRestless !== undefined && state.data?.items.some(isRestless) === true && RESTLESS_MS,
    })),
    combine: combined<T>,
  });

  const { items, firsts } = useMemo(() => {
    // What a page has read beyond its end stands at the beginning of the next one too.
    const all = new Map<string, T>();
    const begin: number[] = [];
    for (const page of pages) {
      begin.push(all.size);
      for (const item of page?.items ?? []) if (!all.has(idOf(item))) all.set(idOf(item), item);
    }
    return { items: [...all.values()], firsts: begin };
  }, [pages, idOf]);

  const next = pages.at(-1)?.next;
  const goOn = (): void => {
    const further = [...starts, next!];
    readSoFar.set(name, further);
    setKnown({ name, starts: further, view });
  };
  const look = (first: number, last: number): void => {
    const pageOf = (item: number): number => firsts.findLastIndex((begin) => begin <= item);
    const [from, until] = [Math.max(0, pageOf(first)), Math.max(0, pageOf(last))];
    if (from !== view[0] || until !== view[1]) setKnown({ name, starts, view: [from, until] });
  };
  return {
    name,
    items,
    idOf,
    isPending: pages[0] === undefined && error === null,
    error,
    isWhole: pages.at(-1) !== undefined && next === undefined,
    readAt,
    again: refetch,
    more: next === undefined ? undefined : goOn,
    look,
  };
}

function combined<T>(results: readonly UseQueryResult<ListPage<T>>[]) {
  return {
    pages: results.map(({ data }) => data),
    error: results.find((result) => result.error)?.error ?? null,
    readAt: Math.max(...results.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    refetch: (): void => results.forEach((result) => void (result.error && result.refetch())),
  };
}

/** One page, and as much behind it as has come between it and where the next one begins. */
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
