import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { call } from "../api/client.ts";
import type { ProposalCard } from "../api/endpoints.gen.ts";
import { useKeys } from "../parts/keys.ts";
import { LongList } from "../parts/long-list.tsx";
import { Empty, Failed, Loading } from "../parts/state.tsx";
import { StateTag, When } from "../parts/tags.tsx";
import { type LongSource, useLongList } from "../parts/use-long-list.ts";
import { actionWords, nameOf } from "../parts/words.ts";
import { type Text, useSay } from "../words/say.ts";
import { Together } from "./proposals/together.tsx";
import "../style/proposals.css";

type View = "pending" | "history";

/** Everything that waits, or that was decided: thousands scroll as easily as ten. */
export function Proposals() {
  const say = useSay();
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
        <h1>{say(words.title)}</h1>
        <div className="row" role="group" aria-label={say(words.view)}>
          {(["pending", "history"] as const).map((each) => (
            <Link
              key={each}
              to="/proposals"
              search={{ view: each }}
              className={`button ${each === view ? "primary" : ""}`}
              aria-current={each === view ? "true" : undefined}
            >
              {say(words[each])}
            </Link>
          ))}
        </div>
      </div>
      {view === "pending" && (
        <div className="row">
          <label className="row">
            <span className="quiet small">{say(words.kind)}</span>
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
              <option value="">{say(words.all)}</option>
              {Object.entries(actionWords).map(([action, name]) => (
                <option key={action} value={action}>
                  {say(name)}
                </option>
              ))}
            </select>
          </label>
          {forMany.length > 0 && (
            <button
              type="button"
              className="button"
              onClick={() => setChosen(new Set(forMany.slice(0, MOST).map(({ id }) => id)))}
            >
              {forMany.length > MOST ? say(words.chooseFirst, MOST) : say(words.chooseAll)}
            </button>
          )}
          {chosen.size > 0 && (
            <>
              <button type="button" className="button quiet" onClick={() => setChosen(new Set())}>
                {say(words.chooseNone)}
              </button>
              <Together cards={picked} readAt={list.readAt} onDone={(left) => setChosen(new Set(left))} />
            </>
          )}
        </div>
      )}
      {list.error && cards.length === 0 && <Failed error={list.error} again={list.again} />}
      {list.isPending && <Loading />}
      {list.isWhole && cards.length === 0 && <Empty>{say(words.none)}</Empty>}
      {cards.length > 0 && (
        <LongList of={list} label={say(words.title)} height={68}>
          {(card) => (
            <>
              {view === "pending" && (
                <input
                  type="checkbox"
                  aria-label={say(words.choose, card.summary)}
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
  const say = useSay();
  return (
    <>
      <div className="stack tight">
        <Link to="/proposals/$id" params={{ id: card.id }} className="break">
          {card.summary}
        </Link>
        <span className="quiet small break">
          {say(actionWords[card.action]!)} · <code>{card.target}</code> · {nameOf(card.source.identity, say)} ·{" "}
          <When at={card.decided_at ?? card.created_at} />
        </span>
      </div>
      <span className="row">
        {card.priority === "high" && <span className="tag bad">{say(words.high)}</span>}
        {card.forked_from !== undefined && <span className="tag info">{say(words.fork)}</span>}
        {card.status !== "pending" && <StateTag kind="proposal" state={card.status} />}
      </span>
    </>
  );
}

/** P-10: one verdict may be on so many; never on logic, which is looked at one by one. */
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
  view: { en: "Which proposals", uk: "Які пропозиції" },
  pending: { en: "Waiting", uk: "Чекають" },
  history: { en: "Decided", uk: "Вирішені" },
  kind: { en: "Kind", uk: "Вид" },
  all: { en: "all", uk: "усі" },
  none: { en: "There is nothing here.", uk: "Тут порожньо." },
  high: { en: "high priority", uk: "високий пріоритет" },
  fork: { en: "from a fork", uk: "з відгалуження" },
  choose: { en: "Choose: {}", uk: "Вибрати: {}" },
  chooseAll: { en: "Choose all", uk: "Вибрати всі" },
  chooseFirst: { en: "Choose the first {}", uk: "Вибрати перші {}" },
  chooseNone: { en: "Choose none", uk: "Зняти вибір" },
} as const satisfies Record<string, Text>;
