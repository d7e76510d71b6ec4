import { Link } from "@tanstack/react-router";
import { ChevronDown, History, Inbox, Layers, NotebookText, UserRound } from "lucide-react";
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { ProposalCard } from "../../api/endpoints.gen.ts";
import { AgentFlower } from "../../components/agent-flower.tsx";
import { FLOWER_PX } from "../../components/flower.tsx";
import { Button } from "../../components/form.tsx";
import { actionLabels, actorName } from "../../components/labels.ts";
import { Empty, Failed, Loading } from "../../components/query-result.tsx";
import { isRead } from "../../components/read-proposals.ts";
import { Segments } from "../../components/segments.tsx";
import { dateTime } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { AlikeDecision } from "./alike-decision.tsx";
import { BatchDialog } from "./batch-decision.tsx";
import { Filters } from "./filters.tsx";
import { QueueList } from "./queue-list.tsx";
import { QueueCard } from "./queue-row.tsx";
import { isDecidedTogether, MOST_TOGETHER, type QueueGrouping, type QueueRow, readingMinutes } from "./queue-rows.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { noteName } from "./title.ts";
import type { QueueState } from "./use-queue.ts";
import type { SwipeSide } from "./use-swipe.ts";

const GROUPINGS = ["run", "agent", "note"] as const satisfies readonly QueueGrouping[];

/** The first pane: what waits, grouped, with filters. */
export function Queue({
  queue,
  selected,
  isPage,
}: {
  readonly queue: QueueState;
  readonly selected: string | undefined;
  readonly isPage: boolean;
}) {
  const t = useT();
  const pane = useRef<HTMLElement>(null);
  useQueueEdge(pane);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  /** The verdict that a swipe asks for: the change is shown, and a person confirms. */
  const [asked, setAsked] = useState<{ readonly card: ProposalCard; readonly verdict: "approve" | "reject" }>();
  const { list, rows, filter, grouping, view, show } = queue;
  const picked = queue.cards.filter(({ id }) => chosen.has(id));
  const Heading = isPage ? "h1" : "h2";
  const choose = useCallback(
    (id: string, isChosen: boolean): void =>
      setChosen((before) => new Set(isChosen ? [...before, id] : [...before].filter((one) => one !== id))),
    [],
  );
  const ask = useCallback(
    (card: ProposalCard, side: SwipeSide): void => setAsked({ card, verdict: side === "right" ? "approve" : "reject" }),
    [],
  );
  const showOther = (next: object): void => {
    setChosen(new Set());
    show(next);
  };
  return (
    <section ref={pane} className={`queue ${chosen.size > 0 ? "choosing" : ""}`} aria-label={t(words.queue)}>
      <header className="queue-head">
        <div className="row between">
          <Heading>{t(view === "pending" ? words.title : words.decided)}</Heading>
          <span className="row quiet small">
            {view === "pending" && list.items.length > 0 && (
              <span className="figures-line">{waiting(list.items, list.isWhole, t)}</span>
            )}
            <Link
              to="/proposals"
              search={view === "pending" ? { view: "history" } : {}}
              className="button icon small ghost"
              aria-label={t(view === "pending" ? words.history : words.back)}
              title={t(view === "pending" ? words.history : words.back)}
            >
              {view === "pending" ? <History size={16} aria-hidden="true" /> : <Inbox size={16} aria-hidden="true" />}
            </Link>
          </span>
        </div>
        {view === "pending" && (
          <Filters
            filter={filter}
            onFilter={(next) => showOther({ ...next, ...(grouping !== "run" && { group: grouping }) })}
          >
            <Segments
              label={t(words.group)}
              value={grouping}
              options={GROUPINGS.map((each) => ({ value: each, name: t(words[each]) }))}
              onChoose={(each) => showOther({ ...filter, ...(each !== "run" && { group: each }) })}
            />
          </Filters>
        )}
      </header>
      {list.error && list.items.length === 0 && <Failed error={list.error} again={list.again} />}
      {list.isPending && <Loading />}
      {list.isWhole && rows.length === 0 && (
        <div className="queue-empty">
          <Empty>{t(view === "pending" ? words.none : words.noHistory)}</Empty>
        </div>
      )}
      {rows.length > 0 && (
        <QueueList
          name={list.name}
          rows={rows}
          label={t(words.title)}
          size={list.isWhole ? list.items.length : undefined}
          selected={selected}
          onVisible={queue.onVisible}
        >
          {(row) =>
            row.kind === "card" ? (
              <QueueCard
                card={row.card}
                until={queue.until(row.card.id)}
                isSelected={row.card.id === selected}
                isChosen={chosen.has(row.card.id)}
                isRead={isRead(row.card)}
                isChoosable={isDecidedTogether(row.card) && (picked.length < MOST_TOGETHER || chosen.has(row.card.id))}
                onChoose={choose}
                onSwipe={ask}
                onOpen={queue.open}
              />
            ) : row.kind === "head" ? (
              <Head row={row} grouping={view === "pending" ? grouping : "agent"} />
            ) : (
              <Fold row={row} readAt={list.readAt} onToggle={() => queue.toggle(row.key)} />
            )
          }
        </QueueList>
      )}
      {asked && (
        <BatchDialog
          cards={[asked.card]}
          readAt={list.readAt}
          verdict={asked.verdict}
          onDone={() => undefined}
          onClose={() => setAsked(undefined)}
        />
      )}
      {view === "pending" && queue.cards.length > 1 && (
        <SelectionBar cards={queue.cards} chosen={chosen} picked={picked} readAt={list.readAt} onChoose={setChosen} />
      )}
    </section>
  );
}

/** `13 waiting · about 8 min`. */
const waiting = (cards: readonly ProposalCard[], isWhole: boolean, t: ReturnType<typeof useT>): string =>
  isWhole ? t(words.waiting, cards.length, readingMinutes(cards)) : t(words.manyWaiting, `${cards.length}+`);

/** Tells messages where the queue begins: they are shown over it, never over the decision bar. */
function useQueueEdge(pane: React.RefObject<HTMLElement | null>): void {
  // A layout effect ends together with the pane: a passive one would measure it once more after its removal.
  useLayoutEffect(() => {
    const place = (): void => {
      const { left, width } = pane.current!.getBoundingClientRect();
      document.documentElement.style.setProperty("--queue-start", `${left}px`);
      document.documentElement.style.setProperty("--queue-width", `${width}px`);
    };
    const sizes = new ResizeObserver(place);
    sizes.observe(pane.current!);
    return () => sizes.disconnect();
  }, [pane]);
}

/** The head of a group: who, which run or note, how many. */
function Head({
  row,
  grouping,
}: {
  readonly row: Extract<QueueRow, { kind: "head" }>;
  readonly grouping: QueueGrouping;
}) {
  const t = useT();
  const { language } = usePreferences();
  const { source, target } = row.first;
  const name: ReactNode = grouping === "note" ? noteName(target) : actorName(source.identity, t);
  const detail =
    grouping === "run" && source.run_id !== undefined
      ? t(words.runAt, dateTime(row.first.created_at, language))
      : grouping === "note"
        ? target.slice(0, Math.max(0, target.lastIndexOf("/")))
        : "";
  return (
    <div className="queue-group">
      {grouping === "note" ? (
        <NotebookText size={16} aria-hidden="true" />
      ) : source.type === "agent" ? (
        <AgentFlower slug={source.identity} size={FLOWER_PX.line} />
      ) : (
        <UserRound size={16} aria-hidden="true" />
      )}
      <strong>{name}</strong>
      <span className="quiet cut">{detail}</span>
      <span className="count">
        {row.count}
        {row.isOpenEnded && "+"}
      </span>
    </div>
  );
}

/** Alike proposals of one run, folded: opened one by one, or decided together. */
function Fold(props: {
  readonly row: Extract<QueueRow, { kind: "fold" }>;
  readonly readAt: number;
  readonly onToggle: () => void;
}) {
  const { row, readAt, onToggle } = props;
  const t = useT();
  const [isDeciding, setIsDeciding] = useState(false);
  const { cards, isOpen } = row;
  return (
    <div className="queue-fold">
      <button type="button" className="fold-toggle" aria-expanded={isOpen} onClick={onToggle}>
        <Layers size={16} strokeWidth={1.75} aria-hidden="true" />
        <span>
          {t(words.alike, cards.length)}: {t(actionLabels[cards[0]!.action]!)}
        </span>
        <ChevronDown size={14} aria-hidden="true" className={isOpen ? "turned" : ""} />
      </button>
      <Button tone="small quiet" onClick={() => setIsDeciding(true)}>
        {t(words.together)}
      </Button>
      {isDeciding && <AlikeDecision cards={cards} readAt={readAt} onClose={() => setIsDeciding(false)} />}
    </div>
  );
}

const words = {
  queue: { en: "Queue", uk: "Черга" },
  title: { en: "Review", uk: "Перегляд" },
  decided: { en: "Decided", uk: "Вирішені" },
  history: { en: "Decided proposals", uk: "Вирішені пропозиції" },
  back: { en: "Back to the queue", uk: "Назад до черги" },
  group: { en: "Group by", uk: "Групувати" },
  run: { en: "Run", uk: "Запуск" },
  agent: { en: "Agent", uk: "Агент" },
  note: { en: "Note", uk: "Нотатка" },
  runAt: { en: "run of {}", uk: "запуск {}" },
  none: { en: "No proposals waiting", uk: "Жодна пропозиція не чекає" },
  noHistory: { en: "No decided proposals yet", uk: "Вирішених пропозицій ще немає" },
  waiting: { en: "{} waiting · about {} min", uk: "{} [чекає|чекають|чекають] · приблизно {} хв" },
  manyWaiting: { en: "{} waiting", uk: "чекають: {}" },
  alike: { en: "{} more like this", uk: "Ще {} [така|такі|таких]" },
  together: { en: "Decide together…", uk: "Вирішити разом…" },
} as const satisfies Record<string, Text>;
