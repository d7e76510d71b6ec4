import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { cardTitle } from "../../../src/domain/proposal/card-title.ts";
import { call } from "../api/client.ts";
import type { ProposalCard } from "../api/endpoints.gen.ts";
import { Button } from "../components/form.tsx";
import { LongList } from "../components/long-list.tsx";
import { Empty, Failed, Loading } from "../components/query-result.tsx";
import { useKeys } from "../components/use-keys.ts";
import { type LongSource, useLongList } from "../components/use-long-list.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { BatchDecision } from "./proposals/batch-decision.tsx";
import { Card } from "./proposals/card.tsx";
import { type Filter, Filters } from "./proposals/filters.tsx";
import { isForMany, MOST } from "./proposals/for-many.ts";
import { Groups } from "./proposals/groups.tsx";
import "../style/proposals.css";

type View = "pending" | "history";

/** A run with more proposals than this is shown as a group, unless the address says otherwise. */
const FEW = 3;

/** Pending or decided proposals: a virtual list, or groups by sender and run. The filter is in the address. */
export function ProposalsPage() {
  const t = useT();
  const search = useSearch({ strict: false }) as Filter & { readonly view?: string; readonly group?: string };
  const navigate = useNavigate();
  const view: View = search.view === "history" ? "history" : "pending";
  const { agent, action, run, text } = search;
  const filter = useMemo(() => definedOnly({ agent, action, run, text }), [agent, action, run, text]);
  const list = useLongList(useMemo(() => sourceOf(view, filter), [view, filter]));
  const cards = list.items;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const picked = useMemo(() => cards.filter(({ id }) => chosen.has(id)), [cards, chosen]);
  const first = cards[0]?.id;
  const begin = (): void => {
    if (first !== undefined) void navigate({ to: "/proposals/$id", params: { id: first } });
  };
  useKeys({ j: begin });
  const choose = (id: string): void =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  // Decided by the first page that arrives: a run that ends while somebody selects must not turn the list into groups.
  const startsGrouped = useRef<boolean>(undefined);
  if (startsGrouped.current === undefined && cards.length > 0) startsGrouped.current = hasLargeRun(cards);
  const isGrouped =
    view === "pending" &&
    run === undefined &&
    (search.group === "run" || (search.group !== "none" && startsGrouped.current === true));
  const show = (next: object): void => {
    setChosen(new Set());
    void navigate({ to: "/proposals", search: next, replace: true });
  };
  return (
    <div className="stack">
      <div className="row between">
        <h1>{t(words.title)}</h1>
        <div className="row" role="group" aria-label={t(words.view)}>
          {(["pending", "history"] as const).map((each) => (
            <Link
              key={each}
              to="/proposals"
              search={{ view: each }}
              className={`button ${each === view ? "primary" : ""}`}
              aria-current={each === view ? "true" : undefined}
            >
              {t(words[each])}
            </Link>
          ))}
        </div>
      </div>
      {view === "pending" && (
        <>
          <div className="row between">
            <Filters
              filter={filter}
              onFilter={(next) => show({ ...next, ...(search.group !== undefined && { group: search.group }) })}
            />
            <Button
              tone="small"
              aria-pressed={isGrouped}
              disabled={run !== undefined}
              onClick={() => show({ ...filter, group: isGrouped ? "none" : "run" })}
            >
              {t(words.group)}
            </Button>
          </div>
          {!isGrouped && (
            <Selection cards={cards} chosen={chosen} picked={picked} readAt={list.readAt} onChoose={setChosen} />
          )}
        </>
      )}
      {isGrouped ? (
        <Groups filter={filter} />
      ) : (
        <>
          {list.error && cards.length === 0 && <Failed error={list.error} again={list.again} />}
          {list.isPending && <Loading />}
          {list.isWhole && cards.length === 0 && <Empty>{t(view === "pending" ? words.none : words.noHistory)}</Empty>}
          {cards.length > 0 && (
            <LongList of={list} label={t(words.title)} height={92}>
              {(card) => (
                <>
                  {view === "pending" && (
                    <input
                      type="checkbox"
                      aria-label={t(words.choose, cardTitle(card))}
                      checked={chosen.has(card.id)}
                      disabled={!isForMany(card) || (picked.length >= MOST && !chosen.has(card.id))}
                      onChange={() => choose(card.id)}
                    />
                  )}
                  <Card card={card} />
                </>
              )}
            </LongList>
          )}
        </>
      )}
    </div>
  );
}

/** Buttons to select proposals and to decide the selected ones together. */
function Selection(props: {
  readonly cards: readonly ProposalCard[];
  readonly chosen: ReadonlySet<string>;
  readonly picked: readonly ProposalCard[];
  readonly readAt: number;
  readonly onChoose: (ids: ReadonlySet<string>) => void;
}) {
  const { cards, chosen, picked, readAt, onChoose } = props;
  const t = useT();
  const forMany = useMemo(() => cards.filter(isForMany), [cards]);
  return (
    <div className="row">
      {forMany.length > 0 && (
        <Button onClick={() => onChoose(new Set(forMany.slice(0, MOST).map(({ id }) => id)))}>
          {forMany.length > MOST ? t(words.chooseFirst, MOST) : t(words.chooseAll)}
        </Button>
      )}
      {chosen.size > 0 && (
        <>
          <Button tone="quiet" onClick={() => onChoose(new Set())}>
            {t(words.chooseNone)}
          </Button>
          <BatchDecision cards={picked} readAt={readAt} onDone={(left) => onChoose(new Set(left))} />
        </>
      )}
    </div>
  );
}

function hasLargeRun(cards: readonly ProposalCard[]): boolean {
  const counts = new Map<string, number>();
  for (const { source } of cards)
    if (source.run_id !== undefined) counts.set(source.run_id, (counts.get(source.run_id) ?? 0) + 1);
  return [...counts.values()].some((count) => count > FEW);
}

const definedOnly = (filter: { readonly [name in keyof Filter]: string | undefined }): Filter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => typeof value === "string" && value !== ""));

const idOf = ({ id }: ProposalCard): string => id;
const PAGE = "100";

const sourceOf = (view: View, filter: Filter): LongSource<ProposalCard> =>
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

const words = {
  title: { en: "Proposals", uk: "Пропозиції" },
  group: { en: "Group by run", uk: "За запусками" },
  view: { en: "Filter", uk: "Які пропозиції" },
  pending: { en: "Pending", uk: "Чекають" },
  history: { en: "Decided", uk: "Вирішені" },
  none: { en: "No proposals waiting", uk: "Тут порожньо." },
  noHistory: { en: "No decided proposals yet", uk: "Тут порожньо." },
  choose: { en: "Select: {}", uk: "Вибрати: {}" },
  chooseAll: { en: "Select all", uk: "Вибрати всі" },
  chooseFirst: { en: "Select the first {}", uk: "Вибрати перші {}" },
  chooseNone: { en: "Clear selection", uk: "Зняти вибір" },
} as const satisfies Record<string, Text>;
