import { useParams } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { EmptyState } from "../components/empty-state.tsx";
import { type Text, useT } from "../i18n/use-t.ts";
import { ChangePane } from "./proposal/change-pane.tsx";
import { Queue } from "./proposals/queue.tsx";
import { useQueue } from "./proposals/use-queue.ts";
import "../style/proposals.css";

/**
 * The review: the queue, the change and its context beside each other. `/proposals` and `/proposals/:id` are the same workspace. On a
 * narrow screen the first shows the queue alone, the second the change alone.
 */
export function ReviewPage() {
  const t = useT();
  const { id: named } = useParams({ strict: false });
  const queue = useQueue();
  const isNarrow = useMedia("(width < 700px)");
  const first = queue.rows.find((row) => row.kind === "card")?.card.id;
  // Without an id the first of the queue is shown, and stays when the queue changes: nothing is exchanged before a reader.
  const shown = useRef<string>(undefined);
  if (named !== undefined || queue.view === "history") shown.current = undefined;
  else shown.current ??= first;
  const id = named ?? (isNarrow ? undefined : shown.current);
  // The first change of logic opens as fast as any other.
  const hasLogic = useMemo(() => queue.cards.some(({ action }) => action.startsWith("logic-")), [queue.cards]);
  useEffect(() => void (hasLogic && import("./proposal/logic-review.tsx")), [hasLogic]);
  const { cards, neighboursOf } = queue;
  const place = useMemo(() => cards.findIndex((card) => card.id === id), [cards, id]);
  const neighbours = useMemo(() => neighboursOf(id ?? ""), [neighboursOf, id]);
  return (
    <div className="review bleed" data-pane={named === undefined ? "queue" : "change"}>
      <Queue queue={queue} selected={id} isPage={named === undefined} />
      {id !== undefined ? (
        <ChangePane
          key={id}
          id={id}
          card={queue.cards[place]}
          neighbours={neighbours}
          place={place < 0 ? undefined : { at: place + 1, of: queue.cards.length, isWhole: queue.list.isWhole }}
          isPage={named !== undefined}
        />
      ) : (
        !isNarrow && (
          <div className="nothing-open">
            {queue.list.isWhole && <EmptyState title={t(words.nothing)}>{t(words.nothingMore)}</EmptyState>}
          </div>
        )
      )}
    </div>
  );
}

/** True while the window matches the media query. */
function useMedia(media: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(media).matches);
  useEffect(() => {
    const list = matchMedia(media);
    const follow = (): void => setMatches(list.matches);
    follow();
    list.addEventListener("change", follow);
    return () => list.removeEventListener("change", follow);
  }, [media]);
  return matches;
}

const words = {
  nothing: { en: "Nothing waits for you", uk: "На вас ніщо не чекає" },
  nothingMore: {
    en: "Agents propose changes here. Nothing enters the garden without your decision.",
    uk: "Тут агенти пропонують зміни. Без вашого рішення в сад не потрапить ніщо.",
  },
} as const satisfies Record<string, Text>;
