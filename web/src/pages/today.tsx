import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { reading } from "../api/queries.ts";
import { Empty, Shown } from "../parts/state.tsx";
import { StateTag, When } from "../parts/tags.tsx";
import { actionWords } from "../parts/words.ts";
import { type Text, useSay } from "../words/say.ts";

/** What waits for the owner, what runs now, what ended lately. */
export function Today() {
  const say = useSay();
  const asked = useQuery(reading("GET /requests", {}));
  const pending = useQuery(reading("GET /proposals/pending", { query: { limit: "8" } }));
  const runs = useQuery(reading("GET /runs", { query: { limit: "10" } }));
  return (
    <div className="stack">
      <h1>{say(words.title)}</h1>
      <section className="card stack tight" aria-labelledby="asked">
        <h2 id="asked">{say(words.asked)}</h2>
        <Shown of={asked}>
          {({ requests }) =>
            requests.length === 0 ? (
              <Empty>{say(words.nothingAsked)}</Empty>
            ) : (
              <ul className="stack tight">
                {requests.map(({ id, ask, agent_slug, run_id, asked_at }) => (
                  <li key={id}>
                    <Link to="/runs/$run" params={{ run: run_id }}>
                      {ask.question}
                    </Link>{" "}
                    <span className="quiet small">
                      {agent_slug} · <When at={asked_at} />
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Shown>
      </section>
      <section className="card stack tight" aria-labelledby="waiting">
        <h2 id="waiting">{say(words.waiting)}</h2>
        <Shown of={pending}>
          {({ proposals }) =>
            proposals.length === 0 ? (
              <Empty>{say(words.nothingWaits)}</Empty>
            ) : (
              <ul className="stack tight">
                {proposals.map(({ id, summary, action, target, created_at }) => (
                  <li key={id}>
                    <Link to="/proposals/$id" params={{ id }}>
                      {summary}
                    </Link>{" "}
                    <span className="quiet small">
                      {say(actionWords[action]!)} · <code>{target}</code> · <When at={created_at} />
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Shown>
      </section>
      <section className="card stack tight" aria-labelledby="runs">
        <h2 id="runs">{say(words.runs)}</h2>
        <Shown of={runs}>
          {({ runs: list }) =>
            list.length === 0 ? (
              <Empty>{say(words.noRuns)}</Empty>
            ) : (
              <ul className="stack tight">
                {list.map(({ run_id, agent_slug, state, requested_at }) => (
                  <li key={run_id} className="row">
                    <StateTag kind="run" state={state} />
                    <Link to="/runs/$run" params={{ run: run_id }}>
                      {agent_slug}
                    </Link>
                    <span className="quiet small">
                      <When at={requested_at} />
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Shown>
      </section>
    </div>
  );
}

const words = {
  title: { en: "Today", uk: "Сьогодні" },
  asked: { en: "Agents ask you", uk: "Агенти питають вас" },
  nothingAsked: { en: "Nobody asks.", uk: "Ніхто не питає." },
  waiting: { en: "Waiting for your decision", uk: "Чекає вашого рішення" },
  nothingWaits: { en: "Nothing waits.", uk: "Ніщо не чекає." },
  runs: { en: "Runs", uk: "Запуски" },
  noRuns: { en: "No run yet.", uk: "Запусків ще не було." },
} as const satisfies Record<string, Text>;
