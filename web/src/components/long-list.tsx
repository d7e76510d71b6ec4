import { useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { memo, type ReactNode, useEffect, useRef } from "react";
import type { LongListState } from "./use-long-list.ts";
import "../style/page-parts.css";

/** Scroll position and row heights of each list, restored when the page is opened again. */
const scrollStates = new Map<string, { readonly top: number; readonly rows: VirtualItem[] }>();

/** A virtual list: only the visible rows are rendered. */
export function LongList<T>(props: {
  readonly of: Pick<LongListState<T>, "name" | "items" | "idOf" | "isWhole" | "more"> &
    Partial<Pick<LongListState<T>, "setVisible">>;
  readonly label: string;
  readonly height: number;
  readonly children: (item: T) => ReactNode;
}) {
  const { of, label, height, children } = props;
  const { name, items, idOf, isWhole, more, setVisible } = of;
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => height,
    overscan: 12,
    initialOffset: () => scrollStates.get(name)?.top ?? 0,
    initialMeasurementsCache: scrollStates.get(name)?.rows ?? [],
    getItemKey: (index) => idOf(items[index]!),
  });
  const shown = rows.getVirtualItems();
  const [first, last] = [shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0];
  useEffect(() => {
    setVisible?.(first, last);
    if (more && last > items.length - NEAR) more();
  });
  useEffect(
    () => () => void scrollStates.set(name, { top: rows.scrollOffset ?? 0, rows: rows.measurementsCache }),
    [name, rows],
  );
  return (
    <div className="long-rows" ref={frame}>
      <div role="list" aria-label={label} style={{ height: rows.getTotalSize() }}>
        {shown.map(({ key, index, start }) => (
          <div
            key={key}
            role="listitem"
            aria-setsize={isWhole ? items.length : -1}
            aria-posinset={index + 1}
            ref={rows.measureElement}
            data-index={index}
            style={{ transform: `translateY(${start}px)` }}
          >
            <Inside item={items[index]!} show={children as Show} />
          </div>
        ))}
      </div>
    </div>
  );
}

type Show = (item: unknown) => ReactNode;

/** Memoized, so that existing rows are not rendered again when others are added. */
const Inside = memo(({ item, show }: { readonly item: unknown; readonly show: Show }) => show(item));

/** Rows before the end at which the next page is fetched. */
const NEAR = 30;
