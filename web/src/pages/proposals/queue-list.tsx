import { defaultRangeExtractor, type Range, useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from "react";
import type { QueueRow } from "./queue-rows.ts";

/** Scroll position and row heights of each queue, restored when the page is opened again. */
const scrollStates = new Map<string, { readonly top: number; readonly rows: VirtualItem[] }>();

const HEIGHTS = { head: 36, card: 52, fold: 36 } as const;

/** The rows of the queue: only the visible ones are rendered, and the head of the group in view stays at the top. */
export function QueueList(props: {
  readonly name: string;
  readonly rows: readonly QueueRow[];
  readonly label: string;
  /** The number of proposals, if all of them were read. */
  readonly size: number | undefined;
  readonly selected: string | undefined;
  readonly onVisible: (first: number, last: number) => void;
  readonly children: (row: QueueRow) => ReactNode;
}) {
  const { name, rows, label, size, selected, onVisible, children } = props;
  const frame = useRef<HTMLDivElement>(null);
  const heads = useRef<readonly number[]>([]);
  heads.current = useMemo(() => rows.flatMap((row, index) => (row.kind === "head" ? [index] : [])), [rows]);
  const stuck = useRef(0);
  const rangeExtractor = useCallback((range: Range) => {
    stuck.current = heads.current.findLast((index) => index <= range.startIndex) ?? 0;
    return [...new Set([stuck.current, ...defaultRangeExtractor(range)])].toSorted((one, other) => one - other);
  }, []);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => HEIGHTS[rows[index]!.kind],
    overscan: 10,
    rangeExtractor,
    scrollPaddingStart: HEIGHTS.head,
    initialOffset: () => scrollStates.get(name)?.top ?? 0,
    initialMeasurementsCache: scrollStates.get(name)?.rows ?? [],
    getItemKey: (index) => rows[index]!.key,
  });
  const shown = list.getVirtualItems();
  const cards = shown.flatMap(({ index }) => {
    const row = rows[index];
    return row?.kind === "card" ? [row.position - 1] : [];
  });
  const [first, last] = [cards[0] ?? 0, cards.at(-1) ?? 0];
  useEffect(() => onVisible(first, last));
  useEffect(
    () => () => void scrollStates.set(name, { top: list.scrollOffset ?? 0, rows: list.measurementsCache }),
    [name, list],
  );
  // The selected row is kept in view when `j` and `k` move on.
  const at = useMemo(() => rows.findIndex((row) => row.kind === "card" && row.card.id === selected), [rows, selected]);
  const followed = useRef<string>(undefined);
  useEffect(() => {
    if (at < 0 || followed.current === selected) return;
    const isFirst = followed.current === undefined;
    followed.current = selected;
    if (!isFirst || !scrollStates.has(name)) list.scrollToIndex(at, { align: "auto" });
  }, [at, selected, list, name]);
  return (
    <div className="queue-rows" ref={frame} tabIndex={-1}>
      <div role="list" aria-label={label} style={{ height: list.getTotalSize() }}>
        {shown.map(({ key, index, start }) => {
          const row = rows[index]!;
          const isStuck = index === stuck.current;
          return (
            <div
              key={key}
              role="listitem"
              className={`queue-item ${isStuck ? "stuck" : ""}`}
              {...(row.kind === "card" && { "aria-setsize": size ?? -1, "aria-posinset": row.position })}
              data-index={index}
              ref={list.measureElement}
              style={isStuck ? {} : { transform: `translateY(${start}px)` }}
            >
              {children(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
