import { CalendarClock, FlaskConical, GitBranch, Hand, Zap } from "lucide-react";
import type { Run } from "../api/endpoints.gen.ts";
import { useLastStep } from "../api/live.ts";
import { clock, shortTime, span } from "../i18n/day.ts";
import { dateTime, duration, money } from "../i18n/format.ts";
import { type Text, usePreferences, useT } from "../i18n/use-t.ts";
import { AgentFlower } from "./agent-flower.tsx";
import { runStateLabels } from "./labels.ts";
import { RunLink } from "./links.tsx";
import { stepLabel } from "./step-names.ts";
import "../style/run-row.css";

/** Runs as rows, newest first. */
export function RunTable({ runs }: { readonly runs: readonly Run[] }) {
  return (
    <ul className="run-list">
      {runs.map((run) => (
        <li key={run.run_id}>
          <RunRow run={run} />
        </li>
      ))}
    </ul>
  );
}

const ICONS = { manual: Hand, cron: CalendarClock, event: Zap, agent: GitBranch } as const;

/** A run as one line: time, agent and version, input, outcome as a sentence, what started it, duration, cost. */
export function RunRow({ run, hasDay = true }: { readonly run: Run; readonly hasDay?: boolean }) {
  const t = useT();
  const { language } = usePreferences();
  const { requested_at: at, agent_slug: agent, trigger, cost } = run;
  const Icon = ICONS[trigger];
  const cause = startedBy(run, t);
  return (
    <RunLink run={run.run_id} className={`run-row is-${run.state}`}>
      <time className="run-time" dateTime={at} title={dateTime(at, language)}>
        {hasDay ? shortTime(at, language) : clock(at, language)}
      </time>
      <AgentFlower slug={agent} size={20} />
      <span className="run-agent cut">
        {agent} <span className="faint">{run.logic_version}</span>
        <ForkTag run={run} />
        <DriftTag run={run} />
      </span>
      <span className="run-input cut">{run.about ?? ""}</span>
      <span className="run-outcome cut">
        <span className="hidden-visually">{t(runStateLabels[run.state]!)}</span>
        <RunOutcome run={run} />
      </span>
      <span className="run-trigger" title={cause}>
        <Icon size={15} aria-hidden="true" />
        <span className="hidden-visually">{cause}</span>
      </span>
      <span className="run-figure">
        <RunDuration run={run} />
      </span>
      <span className="run-figure run-cost">{cost ? money(cost.amount, cost.currency, language) : ""}</span>
    </RunLink>
  );
}

/** An experiment has a picture: its row is narrow, and its outcome says that it would propose. */
function ForkTag({ run }: { readonly run: Run }) {
  const t = useT();
  if (!run.forked_from) return null;
  if (!run.experiment) return <span className="chip">{t(words.fork)}</span>;
  return (
    <span className="run-experiment" title={t(words.experiment)}>
      <FlaskConical size={14} aria-hidden="true" />
      <span className="hidden-visually">{t(words.experiment)}</span>
    </span>
  );
}

/** "started by you", "by the schedule, slot …", "by the event note/created". */
export function startedBy(
  { trigger, by, cause }: Pick<Run, "trigger" | "by" | "cause">,
  t: ReturnType<typeof useT>,
): string {
  if (trigger === "cron") return t(words.cron);
  if (trigger === "event") return t(words.event, cause ?? "");
  if (trigger === "agent") return t(words.agent, by ?? "");
  return by === undefined || by === "owner" ? t(words.you) : t(words.other, by);
}

/** D-6a: the run follows a contract that differs from its diagram. */
export function DriftTag({ run }: { readonly run: Run }) {
  const t = useT();
  return run.drift === undefined ? null : (
    <span className="chip" title={t(words.drifted)}>
      {t(words.drift)}
    </span>
  );
}

const GOING_ON: readonly string[] = ["requested", "queued", "running"] satisfies readonly Run["state"][];

/** True while a run may change without an event: events are sent for its request, its steps and its end only. */
export const isInProgress = ({ state }: Run): boolean => GOING_ON.includes(state);

/** From its start to its end, or until now. */
export function RunDuration({ run }: { readonly run: Run }) {
  const { language } = usePreferences();
  if (run.started_at === undefined || run.state === "waiting") return null;
  const end = run.finished_at === undefined ? Date.now() : Date.parse(run.finished_at);
  return <>{duration(Math.max(0, end - Date.parse(run.started_at)), language)}</>;
}

/** R-5a: the outcome of a run as a sentence, or its current step. */
export function RunOutcome({ run }: { readonly run: Run }) {
  const t = useT();
  const { language } = usePreferences();
  const { outcome, state } = run;
  const last = useLastStep(run.run_id);
  const step = last && last.position > (run.step?.position ?? 0) ? last : run.step;
  if (state === "failed")
    return (
      <>
        {step
          ? t(words.failedAt, step.position, outcome?.reason ?? outcome?.by ?? "")
          : t(words.failed, outcome?.reason ?? "")}
      </>
    );
  if (outcome?.files !== undefined) return <>{t(words.handedOver, outcome.files)}</>;
  if (outcome?.kind === "effects")
    return <>{t(run.experiment ? words.wouldPropose : words.proposed, outcome.proposals?.length ?? 0)}</>;
  if (outcome) return <>{outcome.reason ?? outcome.by}</>;
  if (state === "waiting")
    return <>{t(words.waits, span(Date.now() - Date.parse(run.started_at ?? run.requested_at), language))}</>;
  if (state === "cancelled") return <>{t(words.cancelled)}</>;
  if (step && state === "running") return <>{t(words.at, step.position, stepLabel(step.name, t))}</>;
  return <>{t(state === "running" ? words.begins : words.queued)}</>;
}

const words = {
  drift: { en: "drift", uk: "розбіжність" },
  drifted: {
    en: "The contract differs from its diagram. The run followed the contract.",
    uk: "Контракт розійшовся з діаграмою. Запуск ішов за контрактом.",
  },
  agent: { en: "Asked for by the agent {}", uk: "Покликав агент {}" },
  fork: { en: "fork", uk: "відгалуження" },
  experiment: { en: "experiment", uk: "експеримент" },
  wouldPropose: {
    en: "Would propose {} [change|changes]",
    uk: "Було б {} [пропозиція|пропозиції|пропозицій]",
  },
  proposed: { en: "Proposed {} [change|changes]", uk: "{} [пропозиція|пропозиції|пропозицій]" },
  handedOver: { en: "Handed over {} [file|files]", uk: "Передано {} [файл|файли|файлів]" },
  failedAt: { en: "Failed at step {}: {}", uk: "Невдача на кроці {}: {}" },
  failed: { en: "Failed: {}", uk: "Невдача: {}" },
  waits: { en: "Waits {} for you", uk: "Чекає на вас {}" },
  cancelled: { en: "Cancelled", uk: "Скасовано" },
  begins: { en: "Begins", uk: "Починає" },
  queued: { en: "Waits for its turn", uk: "Чекає черги" },
  at: { en: "Step {}: {}", uk: "Крок {}: {}" },
  you: { en: "started by you", uk: "запустили ви" },
  other: { en: "started by {}", uk: "запустив {}" },
  cron: { en: "started by the schedule", uk: "запуск за розкладом" },
  event: { en: "started by the event {}", uk: "запуск через подію {}" },
} as const satisfies Record<string, Text>;
