import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { call } from "../api/client.ts";
import type { ProposalCard } from "../api/endpoints.ts";
import { outdate } from "../api/queries.ts";
import { Dialog } from "../parts/dialog.tsx";
import { useKeys } from "../parts/keys.ts";
import { useTell } from "../parts/notices.tsx";
import { Empty, Failed, Loading } from "../parts/state.tsx";
import { StateTag, When } from "../parts/tags.tsx";
import { actionWords } from "../parts/words.ts";
import { type Text, useSay } from "../words/say.ts";
import "../style/proposals.css";

type View = "pending" | "history";

/** Everything that waits, or that was decided: thousands scroll as easily as ten. */
export function Proposals() {
  const say = useSay();
  const search = useSearch({ strict: false }) as { view?: string; action?: string };
  const navigate = useNavigate();
  const view: View = search.view === "history" ? "history" : "pending";
  const list = useInfiniteQuery({
    queryKey: [`GET /proposals/${view}`, "list", search.action],
    queryFn: ({ pageParam, signal }) => page(view, search.action, pageParam, signal),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
  const cards = useMemo(() => list.data?.pages.flatMap(({ proposals }) => proposals) ?? [], [list.data]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const picked = cards.filter(({ id }) => chosen.has(id));
  const first = cards[0]?.id;
  useKeys({
    j: () => first !== undefined && void navigate({ to: "/proposals/$id", params: { id: first } }),
    Enter: () => first !== undefined && void navigate({ to: "/proposals/$id", params: { id: first } }),
  });
  const choose = (id: string): void =>
    setChosen((before) =>
      before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id]),
    );
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
              onChange={({ target }) =>
                void navigate({
                  to: "/proposals",
                  search: { view, ...(target.value !== "" && { action: target.value }) },
                })
              }
            >
              <option value="">{say(words.all)}</option>
              {Object.entries(actionWords).map(([action, name]) => (
                <option key={action} value={action}>
                  {say(name)}
                </option>
              ))}
            </select>
          </label>
          <button
            type="button"
            className="button"
            onClick={() =>
              setChosen(
                new Set(
                  cards
                    .filter(isForMany)
                    .slice(0, MOST)
                    .map(({ id }) => id),
                ),
              )
            }
          >
            {say(words.chooseAll)}
          </button>
          {picked.length > 0 && (
            <>
              <button type="button" className="button quiet" onClick={() => setChosen(new Set())}>
                {say(words.chooseNone)}
              </button>
              <Together cards={picked} onDone={() => setChosen(new Set())} />
            </>
          )}
        </div>
      )}
      {list.error && <Failed error={list.error} again={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {list.isSuccess && cards.length === 0 && <Empty>{say(words.none)}</Empty>}
      {cards.length > 0 && (
        <Rows
          cards={cards}
          chosen={view === "pending" ? chosen : undefined}
          choose={choose}
          more={list.hasNextPage && !list.isFetchingNextPage ? () => void list.fetchNextPage() : undefined}
        />
      )}
    </div>
  );
}

/** P-10: one verdict may be on so many; never on logic, which is looked at one by one. */
const MOST = 50;
const isForMany = ({ action }: ProposalCard): boolean => !/^logic-|merge$/.test(action);

const page = (view: View, action: string | undefined, after: string, signal: AbortSignal) =>
  view === "pending"
    ? call("GET /proposals/pending", {
        query: {
          limit: "100",
          ...(after && { after }),
          ...(action !== undefined && { action: action as "propose-note" }),
        },
        signal,
      })
    : call("GET /proposals/history", { query: { limit: "100", ...(after && { after }) }, signal });

function Rows(props: {
  readonly cards: readonly ProposalCard[];
  readonly chosen: ReadonlySet<string> | undefined;
  readonly choose: (id: string) => void;
  readonly more: (() => void) | undefined;
}) {
  const { cards, chosen, choose, more } = props;
  const say = useSay();
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: cards.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 68,
    overscan: 12,
    getItemKey: (index) => cards[index]!.id,
  });
  const shown = rows.getVirtualItems();
  if (more && (shown.at(-1)?.index ?? 0) > cards.length - 30) queueMicrotask(more);
  return (
    <div className="rows" ref={frame}>
      <div role="list" aria-label={say(words.title)} style={{ height: rows.getTotalSize() }}>
        {shown.map(({ key, index, start }) => {
          const card = cards[index]!;
          return (
            <div
              key={key}
              role="listitem"
              aria-setsize={cards.length}
              aria-posinset={index + 1}
              ref={rows.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start}px)` }}
            >
              {chosen && (
                <input
                  type="checkbox"
                  aria-label={say(words.choose, card.summary)}
                  checked={chosen.has(card.id)}
                  disabled={!isForMany(card)}
                  onChange={() => choose(card.id)}
                />
              )}
              <div className="stack tight">
                <Link to="/proposals/$id" params={{ id: card.id }} className="break">
                  {card.summary}
                </Link>
                <span className="quiet small break">
                  {say(actionWords[card.action]!)} · <code>{card.target}</code> · {card.source.identity} ·{" "}
                  <When at={card.decided_at ?? card.created_at} />
                </span>
              </div>
              <span className="row">
                {card.priority === "high" && <span className="tag bad">{say(words.high)}</span>}
                {card.forked_from !== undefined && <span className="tag info">{say(words.fork)}</span>}
                {card.status !== "pending" && <StateTag kind="proposal" state={card.status} />}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** One verdict on several: each on its own, with what became of each. */
function Together({ cards, onDone }: { readonly cards: readonly ProposalCard[]; readonly onDone: () => void }) {
  const say = useSay();
  const tell = useTell();
  const client = useQueryClient();
  const [asked, setAsked] = useState<"approve" | "reject">();
  const [note, setNote] = useState("");
  const decide = useMutation({
    mutationFn: (verdict: "approve" | "reject") =>
      call("POST /proposals/batch", {
        body: {
          verdict,
          proposals: cards.map(({ id, digest }) => ({ id, digest })),
          ...(note.trim() !== "" && { note: note.trim() }),
        },
      }),
    onSuccess: async ({ results }) => {
      const refused = results.filter(({ error }) => error);
      tell(
        refused.length === 0
          ? say(words.allDone, results.length)
          : say(words.someDone, results.length - refused.length, refused.length),
      );
      setAsked(undefined);
      onDone();
      await outdate(client, "/proposals", "/notes", "/agents");
    },
  });
  return (
    <>
      <button type="button" className="button primary" onClick={() => setAsked("approve")}>
        {say(words.approve, cards.length)}
      </button>
      <button type="button" className="button danger" onClick={() => setAsked("reject")}>
        {say(words.reject, cards.length)}
      </button>
      {asked && (
        <Dialog title={say(words[asked], cards.length)} onClose={() => setAsked(undefined)}>
          <ul className="long-list">
            {cards.map(({ id, summary, target }) => (
              <li key={id}>
                {summary} <code className="quiet small">{target}</code>
              </li>
            ))}
          </ul>
          <label className="labelled">
            <span>{say(asked === "reject" ? words.reason : words.note)}</span>
            <textarea className="field" rows={2} value={note} onChange={({ target }) => setNote(target.value)} />
          </label>
          {decide.error && <Failed error={decide.error} />}
          <div className="row">
            <button
              type="button"
              className={`button ${asked === "approve" ? "primary" : "danger"}`}
              disabled={decide.isPending || (asked === "reject" && note.trim() === "")}
              onClick={() => decide.mutate(asked)}
            >
              {say(words[asked], cards.length)}
            </button>
            <button type="button" className="button" onClick={() => setAsked(undefined)}>
              {say(words.back)}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

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
  chooseNone: { en: "Choose none", uk: "Зняти вибір" },
  approve: { en: "Approve {}", uk: "Схвалити {}" },
  reject: { en: "Reject {}", uk: "Відхилити {}" },
  reason: { en: "Reason (the proposer reads it)", uk: "Причина (її прочитає автор)" },
  note: { en: "Note (if you like)", uk: "Примітка (за бажанням)" },
  back: { en: "Back", uk: "Назад" },
  allDone: { en: "Decided: {}", uk: "Вирішено: {}" },
  someDone: {
    en: "Decided: {}; refused: {}. The refused ones still wait.",
    uk: "Вирішено: {}; не вдалося: {}. Вони ще чекають.",
  },
} as const satisfies Record<string, Text>;
