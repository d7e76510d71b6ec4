import { Link } from "@tanstack/react-router";
import type { Run } from "../api/endpoints.ts";
import { type Text, useReader, useSay } from "../words/say.ts";
import { duration } from "../words/time.ts";
import { StateTag, When } from "./tags.tsx";

/** Runs as rows: state, agent, when, how long, what came of it. */
export function RunTable({ runs }: { readonly runs: readonly Run[] }) {
  const say = useSay();
  return (
    <div className="scroll-x">
      <table className="table">
        <thead>
          <tr>
            {(["state", "agent", "when", "took", "outcome"] as const).map((each) => (
              <th key={each} scope="col">
                {say(words[each])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.run_id}>
              <td>
                <StateTag kind="run" state={run.state} />
              </td>
              <td>
                <Link to="/runs/$run" params={{ run: run.run_id }}>
                  {run.agent_slug}
                </Link>
                {run.forked_from && <span className="tag info">{say(words.fork)}</span>}
              </td>
              <td>
                <When at={run.requested_at} />
              </td>
              <td>
                <Took run={run} />
              </td>
              <td className="break">
                <Came run={run} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Took({ run }: { readonly run: Run }) {
  const { language } = useReader();
  if (run.started_at === undefined || run.finished_at === undefined) return null;
  return <>{duration(Date.parse(run.finished_at) - Date.parse(run.started_at), language)}</>;
}

/** R-5a: what came of a run, or where it is. */
export function Came({ run }: { readonly run: Run }) {
  const say = useSay();
  const { outcome, step } = run;
  if (outcome?.kind === "effects") return <>{say(words.proposals, outcome.proposals?.length ?? 0)}</>;
  if (outcome) return <>{outcome.reason ?? outcome.by}</>;
  if (step) return <span className="quiet">{say(words.at, step.position, step.name)}</span>;
  return null;
}

const words = {
  state: { en: "State", uk: "Стан" },
  agent: { en: "Agent", uk: "Агент" },
  when: { en: "When", uk: "Коли" },
  took: { en: "Took", uk: "Тривав" },
  outcome: { en: "Outcome", uk: "Підсумок" },
  fork: { en: "fork", uk: "відгалуження" },
  proposals: { en: "proposals: {}", uk: "пропозицій: {}" },
  at: { en: "step {}: {}", uk: "крок {}: {}" },
} as const satisfies Record<string, Text>;
