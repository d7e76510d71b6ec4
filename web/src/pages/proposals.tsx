import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { call } from "../api/client.ts";
import type { ProposalCard } from "../api/endpoints.gen.ts";
import { Button } from "../components/form.tsx";
import { actionLabels, actorName } from "../components/labels.ts";
import { ProposalLink } from "../components/links.tsx";
import { LongList } from "../components/long-list.tsx";
import { Empty, Failed, Loading } from "../components/query-result.tsx";
import { StateTag, When } from "../components/tags.tsx";
import { useKeys } from "../components/use-keys.ts";
import { type LongSource, useLongList } from "../components/use-long-list.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { BatchDecision } from "./proposals/batch-decision.tsx";
import "../style/proposals.css";

type View = "pending" | "history";

/** Pending or decided proposals, in a virtual list. */
export function ProposalsPage() {
  const t = useT();
  const search = useSearch({ strict: false }) as { view?: string; action?: string };
  const navigate = useNavigate();
  const view: View = search.view === "history" ? "history" : "pending";
  const list = useLongList(useMemo(() => sourceOf(view, search.action), [view, search.action]));
  const cards = list.items;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const picked = useMemo(() => cards.filter(({ id }) => chosen.has(id)), [cards, chosen]);
  const forMany = useMemo(() => cards.filter(isForMany), [cards]);
  const first = cards[0]?.id;
  const begin = (): void => {
    if (first !== undefined) void navigate({ to: "/proposals/$id", params: { id: first } });
  };
  useKeys({ j: begin });
  const choose = (id: string): void =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
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
        <div className="row">
          <label className="row">
            <span className="quiet small">{t(words.kind)}</span>
            <select
              className="field narrow"
              value={search.action ?? ""}
              onChange={({ target }) => {
                setChosen(new Set());
                void navigate({
                  to: "/proposals",
                  search: { view, ...(target.value !== "" && { action: target.value }) },
                });
              }}
            >
              <option value="">{t(words.all)}</option>
              {Object.entries(actionLabels).map(([action, name]) => (
                <option key={action} value={action}>
                  {t(name)}
                </option>
              ))}
            </select>
          </label>
          {forMany.length > 0 && (
            <Button onClick={() => setChosen(new Set(forMany.slice(0, MOST).map(({ id }) => id)))}>
              {forMany.length > MOST ? t(words.chooseFirst, MOST) : t(words.chooseAll)}
            </Button>
          )}
          {chosen.size > 0 && (
            <>
              <Button tone="quiet" onClick={() => setChosen(new Set())}>
                {t(words.chooseNone)}
              </Button>
              <BatchDecision cards={picked} readAt={list.readAt} onDone={(left) => setChosen(new Set(left))} />
            </>
          )}
        </div>
      )}
      {list.error && cards.length === 0 && <Failed error={list.error} again={list.again} />}
      {list.isPending && <Loading />}
      {list.isWhole && cards.length === 0 && <Empty>{t(view === "pending" ? words.none : words.noHistory)}</Empty>}
      {cards.length > 0 && (
        <LongList of={list} label={t(words.title)} height={68}>
          {(card) => (
            <>
              {view === "pending" && (
                <input
                  type="checkbox"
                  aria-label={t(words.choose, card.summary)}
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
    </div>
  );
}

function Card({ card }: { readonly card: ProposalCard }) {
  const t = useT();
  return (
    <>
      <div className="stack tight">
        <ProposalLink id={card.id} className="break">
          {card.summary}
        </ProposalLink>
        <span className="quiet small break">
          {t(actionLabels[card.action]!)} · <code>{card.target}</code> · {actorName(card.source.identity, t)} ·{" "}
          <When at={card.decided_at ?? card.created_at} />
        </span>
      </div>
      <span className="row">
        {card.priority === "high" && <span className="tag bad">{t(words.high)}</span>}
        {card.forked_from !== undefined && <span className="tag info">{t(words.fork)}</span>}
        {card.waiting && (
          <span className="tag wait" title={t(card.waiting)}>
            {t(words.git)}
          </span>
        )}
        {card.status !== "pending" && <StateTag kind="proposal" state={card.status} />}
      </span>
    </>
  );
}

/** P-10: the maximum of one batch decision. Changes of logic are decided one by one. */
const MOST = 50;
const isForMany = ({ action }: ProposalCard): boolean => !/^logic-|merge$/.test(action);

const idOf = ({ id }: ProposalCard): string => id;
const PAGE = "100";

const sourceOf = (view: View, action: string | undefined): LongSource<ProposalCard> =>
  view === "pending"
    ? {
        endpoint: "GET /proposals/pending",
        of: action ?? "",
        order: "rising",
        idOf,
        async read(after, signal) {
          const { proposals: items, next } = await call("GET /proposals/pending", {
            query: {
              limit: PAGE,
              ...(after && { after }),
              ...(action !== undefined && { action: action as "propose-note" }),
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
  view: { en: "Filter", uk: "Які пропозиції" },
  pending: { en: "Pending", uk: "Чекають" },
  history: { en: "Decided", uk: "Вирішені" },
  kind: { en: "Kind", uk: "Вид" },
  all: { en: "all", uk: "усі" },
  none: { en: "No proposals waiting", uk: "Тут порожньо." },
  noHistory: { en: "No decided proposals yet", uk: "Тут порожньо." },
  high: { en: "high priority", uk: "високий пріоритет" },
  fork: { en: "from a fork", uk: "з відгалуження" },
  git: { en: "not applied yet: git is busy", uk: "ще не застосовано: git зайнятий" },
  choose: { en: "Select: {}", uk: "Вибрати: {}" },
  chooseAll: { en: "Select all", uk: "Вибрати всі" },
  chooseFirst: { en: "Select the first {}", uk: "Вибрати перші {}" },
  chooseNone: { en: "Clear selection", uk: "Зняти вибір" },
} as const satisfies Record<string, Text>;
