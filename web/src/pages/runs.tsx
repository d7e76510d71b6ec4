import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { call } from "../api/client.ts";
import { RunTable } from "../parts/run-table.tsx";
import { Empty, Failed, Loading } from "../parts/state.tsx";
import { runStateWords } from "../parts/words.ts";
import { type Text, useSay } from "../words/say.ts";

type State = "running" | "waiting" | "failed";

/** Runs, newest first, of all agents or one. */
export function Runs() {
  const say = useSay();
  const navigate = useNavigate();
  const { state, agent } = useSearch({ strict: false }) as { state?: string; agent?: string };
  const list = useInfiniteQuery({
    queryKey: ["GET /runs", "list", state, agent],
    queryFn: ({ pageParam, signal }) =>
      call("GET /runs", {
        query: {
          limit: "50",
          ...(pageParam && { after: pageParam }),
          ...(state !== undefined && { state: state as State }),
          ...(agent !== undefined && { agent }),
        },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
  const runs = list.data?.pages.flatMap((page) => page.runs) ?? [];
  return (
    <div className="stack">
      <div className="row between">
        <h1>{say(words.title)}</h1>
        <label className="row">
          <span className="quiet small">{say(words.state)}</span>
          <select
            className="field narrow"
            value={state ?? ""}
            onChange={({ target }) =>
              void navigate({
                to: "/runs",
                search: {
                  ...(agent !== undefined && { agent }),
                  ...(target.value && { state: target.value }),
                },
              })
            }
          >
            <option value="">{say(words.all)}</option>
            {Object.entries(runStateWords).map(([each, name]) => (
              <option key={each} value={each}>
                {say(name)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {agent !== undefined && (
        <p className="row">
          <Link to="/agents/$slug" params={{ slug: agent }}>
            {agent}
          </Link>
          <Link to="/runs" className="quiet small">
            {say(words.everyAgent)}
          </Link>
        </p>
      )}
      {list.error && <Failed error={list.error} again={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {list.isSuccess && runs.length === 0 && <Empty>{say(words.none)}</Empty>}
      {runs.length > 0 && <RunTable runs={runs} />}
      {list.hasNextPage && (
        <p>
          <button
            type="button"
            className="button"
            disabled={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {say(words.more)}
          </button>
        </p>
      )}
    </div>
  );
}

const words = {
  title: { en: "Runs", uk: "Запуски" },
  state: { en: "State", uk: "Стан" },
  all: { en: "all", uk: "усі" },
  everyAgent: { en: "of every agent", uk: "усіх агентів" },
  none: { en: "There is no such run.", uk: "Таких запусків немає." },
  more: { en: "Older ones", uk: "Давніші" },
} as const satisfies Record<string, Text>;
