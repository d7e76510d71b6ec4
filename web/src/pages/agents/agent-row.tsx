import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { AgentFlower } from "../../components/agent-flower.tsx";
import { AgentCost, RunStrip, SuccessShare } from "../../components/agent-health.tsx";
import { Button } from "../../components/form.tsx";
import { AgentLink, RunLink } from "../../components/links.tsx";
import { Failed } from "../../components/query-result.tsx";
import { useToast } from "../../components/toasts.tsx";
import { dateTime } from "../../i18n/format.ts";
import { scheduleText } from "../../i18n/schedule.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import type { AgentStanding } from "./agent-standing.ts";

const ROW_FLOWER_PX = 32;

/** One agent: face, purpose, state with the next run, share of completed runs, days, cost; and why it stopped, with the repair. */
export function AgentRow({ standing, currency }: { readonly standing: AgentStanding; readonly currency: string }) {
  const { agent, trouble, figures } = standing;
  return (
    <li className="agent-row">
      <AgentFlower slug={agent.slug} size={ROW_FLOWER_PX} />
      <div className="agent-name">
        <AgentLink slug={agent.slug} className="plain-link">
          <b>{agent.name}</b>
        </AgentLink>
        <span className="meta cut">{agent.description || agent.slug}</span>
      </div>
      <AgentState standing={standing} />
      <div className="agent-share">
        <SuccessShare figures={figures} />
      </div>
      <div className="agent-days">{figures && <RunStrip days={figures.days} />}</div>
      <div className="agent-cost">
        <AgentCost cost={figures?.cost ?? null} currency={currency} />
      </div>
      {trouble && <Stopped trouble={trouble} />}
    </li>
  );
}

/** The state as a dot and words; under it, the next run or what the owner may do. */
function AgentState({ standing }: { readonly standing: AgentStanding }) {
  const t = useT();
  const { language } = usePreferences();
  const { agent, trouble, question, figures } = standing;
  const { status, pending_proposals: pending, cron, updated_at, last_run } = agent;
  const isRunning = figures?.last?.state === "running" || figures?.last?.state === "queued";
  const when = (at: string): string => dateTime(at, language);
  const [tone, state] =
    trouble !== undefined
      ? (["bad", trouble.since === undefined ? t(words.stopped) : t(words.stoppedAt, when(trouble.since))] as const)
      : question
        ? (["wait", t(words.asks)] as const)
        : pending > 0
          ? (["wait", t(words.pending, pending)] as const)
          : isRunning
            ? (["info", t(words.running)] as const)
            : status === "paused"
              ? (["warn", t(words.paused, when(updated_at))] as const)
              : status === "draft"
                ? (["draft", t(words.draft)] as const)
                : status === "archived"
                  ? (["", t(words.archived)] as const)
                  : (["good", t(words.active)] as const);
  const next = figures?.next ?? undefined;
  const plan =
    trouble !== undefined
      ? t(words.notPlanned)
      : status === "draft"
        ? t(words.notActive)
        : status === "active" && next !== undefined
          ? t(words.next, when(next))
          : cron !== null && status === "paused"
            ? t(words.would, scheduleText(cron, language))
            : agent.events.length > 0 && status === "active"
              ? t(words.events)
              : t(words.whenAsked);
  return (
    <div className="agent-state">
      {question ? (
        <RunLink run={question.run_id} className={`state ${tone}`}>
          {state}
        </RunLink>
      ) : pending > 0 && trouble === undefined ? (
        <Link to="/proposals" className={`state ${tone}`}>
          {state}
        </Link>
      ) : (
        <span className={`state ${tone}`}>{state}</span>
      )}
      <span className="meta">
        {plan}
        {last_run !== null && status === "active" && trouble === undefined && (
          <> · {t(words.lastRun, when(last_run))}</>
        )}
      </span>
    </div>
  );
}

/** Why an agent stopped, and the two repairs: activate it again, or change its contract. */
function Stopped({ trouble: { slug, why } }: { readonly trouble: NonNullable<AgentStanding["trouble"]> }) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const resume = useMutation({
    mutationFn: () => call("PATCH /agents/:slug/status", { params: { slug }, body: { status: "active" } }),
    onSuccess: async () => {
      toast(t(words.resumed, slug));
      await invalidate(client, "/agents");
    },
  });
  return (
    <div className="agent-stopped" role="note">
      <TriangleAlert size={16} aria-hidden="true" />
      <div className="stack tight">
        <p className="told">{t(why)}</p>
        <p className="row">
          <Button disabled={resume.isPending} onClick={() => resume.mutate()}>
            {t(words.resume)}
          </Button>
          <AgentLink slug={slug} search={{ tab: "contract" }} className="button ghost">
            {t(words.contract)}
          </AgentLink>
        </p>
        {resume.error && <Failed error={resume.error} />}
      </div>
    </div>
  );
}

const words = {
  active: { en: "Active", uk: "Активний" },
  running: { en: "Running now", uk: "Працює зараз" },
  stopped: { en: "Stopped", uk: "Зупинився" },
  stoppedAt: { en: "Stopped {}", uk: "Зупинився {}" },
  asks: { en: "Waits for your answer", uk: "Чекає на вашу відповідь" },
  pending: { en: "{} [change|changes] to review", uk: "{} [зміна|зміни|змін] на розгляд" },
  paused: { en: "Paused {}", uk: "На паузі з {}" },
  draft: { en: "Draft", uk: "Чернетка" },
  archived: { en: "Archived", uk: "В архіві" },
  notPlanned: { en: "Not planned until this is repaired", uk: "Не заплановано, доки це не виправлено" },
  notActive: { en: "Runs after you activate it", uk: "Запускатиметься, коли активуєте" },
  next: { en: "Next: {}", uk: "Далі: {}" },
  would: { en: "Would run: {}", uk: "Запускався б: {}" },
  events: { en: "Runs when notes change", uk: "Запускається, коли змінюються нотатки" },
  whenAsked: { en: "Runs when you ask", uk: "Запускається на ваше прохання" },
  lastRun: { en: "last {}", uk: "востаннє {}" },
  resume: { en: "Check and resume", uk: "Перевірити й відновити" },
  contract: { en: "Edit contract", uk: "Змінити контракт" },
  resumed: { en: "{} is active again", uk: "{} знову активний" },
} as const satisfies Record<string, Text>;
