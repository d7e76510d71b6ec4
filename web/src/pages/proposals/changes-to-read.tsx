import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { ProposalCard } from "../../api/endpoints.gen.ts";
import { query } from "../../api/queries.ts";
import { QueryResult } from "../../components/query-result.tsx";
import { ARM_MS } from "../../components/use-armed.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import { ProposalEffect } from "../proposal/effect.tsx";
import { Preview } from "./preview.tsx";
import { titleOf } from "./title.ts";

/**
 * The changes of a group, to be read before they are decided together. A change that its preview shows whole is read once it was in view
 * for `ARM_MS`; another one once it was opened here.
 */
export function ChangesToRead(props: {
  readonly cards: readonly ProposalCard[];
  readonly unread: readonly ProposalCard[];
  readonly onRead: (card: ProposalCard) => void;
  /** Shows the first change whole, as a sample. */
  readonly opensFirst: boolean;
}) {
  const { cards, unread, onRead, opensFirst } = props;
  const t = useT();
  return (
    <ul className="long-list changes-to-read" tabIndex={0} aria-label={t(words.changes)}>
      {cards.map((card, index) => (
        <Change
          key={card.id}
          card={card}
          isUnread={unread.includes(card)}
          isSample={opensFirst && index === 0}
          onRead={onRead}
        />
      ))}
    </ul>
  );
}

function Change(props: {
  readonly card: ProposalCard;
  readonly isUnread: boolean;
  readonly isSample: boolean;
  readonly onRead: (card: ProposalCard) => void;
}) {
  const { card, isUnread, isSample, onRead } = props;
  const t = useT();
  const row = useRef<HTMLLIElement>(null);
  const [isOpen, setIsOpen] = useState(isSample);
  const isWhole = card.preview?.more === 0;
  useEffect(() => {
    if (!isUnread || !isWhole || !row.current) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        clearTimeout(timer);
        if (entry?.isIntersecting) timer = setTimeout(() => onRead(card), ARM_MS);
      },
      { threshold: 0.9 },
    );
    observer.observe(row.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [card, isUnread, isWhole, onRead]);
  return (
    <li ref={row} className="stack tight">
      <span className="row between">
        <span className={isUnread ? "unread break" : "break"}>{titleOf(card, t)}</span>
        {isUnread && <span className="quiet small">{t(words.unread)}</span>}
      </span>
      <Preview card={card} />
      {(!isWhole || isSample) && (
        <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
          <summary>{t(words.open)}</summary>
          {isOpen && <WholeChange card={card} onRead={onRead} />}
        </details>
      )}
    </li>
  );
}

function WholeChange({ card, onRead }: { readonly card: ProposalCard; readonly onRead: (card: ProposalCard) => void }) {
  const read = useQuery(query("GET /proposals/:id", { params: { id: card.id } }));
  const isShown = read.data?.review !== undefined;
  useEffect(() => {
    if (!isShown) return;
    const timer = setTimeout(() => onRead(card), ARM_MS);
    return () => clearTimeout(timer);
  }, [isShown, card, onRead]);
  return (
    <QueryResult of={read}>
      {({ review }) => review && <ProposalEffect id={card.id} review={review} view="words" folded={false} />}
    </QueryResult>
  );
}

const words = {
  changes: { en: "Changes", uk: "Зміни" },
  unread: { en: "unread", uk: "не прочитано" },
  open: { en: "Show the whole change", uk: "Показати всю зміну" },
} as const satisfies Record<string, Text>;
