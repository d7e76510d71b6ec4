import type { ReactNode } from "react";
import type { Run } from "../api/endpoints.gen.ts";
import { useLastStep } from "../api/live.ts";
import { duration } from "../i18n/format.ts";
import { type Text, usePreferences, useT } from "../i18n/use-t.ts";
import { RunLink } from "./links.tsx";
import { StateTag, When } from "./tags.tsx";

/** Runs as a table: state, agent, time, duration, outcome. */
export function RunTable({ runs }: { readonly runs: readonly Run[] }) {
  const t = useT();
  return (
    <div className="scroll-x">
      <table className="table">
        <thead>
          <tr>
            {(["state", "agent", "when", "took", "outcome"] as const).map((each) => (
              <th key={each} scope="col">
                {t(words[each])}
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
                <RunLink run={run.run_id}>{run.agent_slug}</RunLink>
                {run.forked_from && <span className="tag info">{t(words.fork)}</span>}
                <DriftTag run={run} />
              </td>
              <td>
                <When at={run.requested_at} />
              </td>
              <td>
                <RunDuration run={run} />
              </td>
              <td className="break">
                <RunOutcome run={run} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** D-6a: the run follows a contract that differs from its diagram. */
export function DriftTag({ run }: { readonly run: Run }) {
  const t = useT();
  return run.drift === undefined ? null : (
    <span className="tag wait" title={t(words.drifted)}>
      {t(words.drift)}
    </span>
  );
}

/** A run as a row of a long list. */
export function RunLine({ run }: { readonly run: Run }) {
  const t = useT();
  return (
    <>
      <div className="stack tight">
        <span className="row">
          <RunLink run={run.run_id}>{run.agent_slug}</RunLink>
          {run.forked_from && <span className="tag info">{t(words.fork)}</span>}
          <DriftTag run={run} />
        </span>
        <span className="quiet small break">
          <When at={run.requested_at} />
          <Dotted>
            <RunDuration run={run} />
          </Dotted>
          <Dotted>
            <RunOutcome run={run} />
          </Dotted>
        </span>
      </div>
      <StateTag kind="run" state={run.state} />
    </>
  );
}

/** Adds a separating dot before its content, if it has any. */
const Dotted = ({ children }: { readonly children: ReactNode }) => <span className="dotted">{children}</span>;

const GOING_ON: readonly string[] = ["requested", "queued", "running"] satisfies readonly Run["state"][];

/** True while a run may change without an event: events are sent for its request, its steps and its end only. */
export const isInProgress = ({ state }: Run): boolean => GOING_ON.includes(state);

export function RunDuration({ run }: { readonly run: Run }) {
  const { language } = usePreferences();
  if (run.started_at === undefined || run.finished_at === undefined) return null;
  return <>{duration(Date.parse(run.finished_at) - Date.parse(run.started_at), language)}</>;
}

/** R-5a: the outcome of a run, or its current step. */
export function RunOutcome({ run }: { readonly run: Run }) {
  const t = useT();
  const { outcome } = run;
  const last = useLastStep(run.run_id);
  const step = last && last.position > (run.step?.position ?? 0) ? last : run.step;
  if (outcome?.kind === "effects") return <>{t(words.proposals, outcome.proposals?.length ?? 0)}</>;
  if (outcome) return <>{outcome.reason ?? outcome.by}</>;
  if (step && isInProgress(run)) return <span className="quiet">{t(words.at, step.position, step.name)}</span>;
  return null;
}

const words = {
  state: { en: "State", uk: "Стан" },
  agent: { en: "Agent", uk: "Агент" },
  when: { en: "When", uk: "Коли" },
  took: { en: "Duration", uk: "Тривав" },
  outcome: { en: "Outcome", uk: "Підсумок" },
  drift: { en: "drift", uk: "розбіжність" },
  drifted: {
    en: "The contract differs from its diagram. The run followed the contract.",
    uk: "Контракт розійшовся з діаграмою. Запуск ішов за контрактом.",
  },
  fork: { en: "fork", uk: "відгалуження" },
  proposals: { en: "{} [proposal|proposals]", uk: "{} [пропозиція|пропозиції|пропозицій]" },
  at: { en: "step {}: {}", uk: "крок {}: {}" },
} as const satisfies Record<string, Text>;
