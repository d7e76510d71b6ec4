import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { type AnswerOf, call } from "../api/client.ts";
import { useIdempotencyKey } from "../api/idempotency-key.ts";
import { useLastStep } from "../api/live.ts";
import { invalidate, query } from "../api/queries.ts";
import { ActionDialog } from "../components/action-dialog.tsx";
import { useDraft } from "../components/draft.ts";
import { FactRow } from "../components/fact-row.tsx";
import { Button } from "../components/form.tsx";
import { actorName } from "../components/labels.ts";
import { AgentLink, ProposalLink, RunLink, WhyPageLink } from "../components/links.tsx";
import { MutationError } from "../components/mutation-error.tsx";
import { Loading, QueryResult } from "../components/query-result.tsx";
import { DriftTag, isInProgress, RunDuration, RunOutcome } from "../components/run-table.tsx";
import { StateTag, When } from "../components/tags.tsx";
import { useToast } from "../components/toasts.tsx";
import { money, number } from "../i18n/format.ts";
import { type Text, usePreferences, useT } from "../i18n/use-t.ts";
import { RequestForm } from "./run/request-form.tsx";
import { Steps } from "./run/steps.tsx";
import "../style/page-parts.css";

const PathTaken = lazy(() => import("./run/path-taken.tsx").then((part) => ({ default: part.PathTaken })));

type Read = AnswerOf<"GET /runs/:run">;

/** One run: its state, steps and questions; live while it is in progress. */
export function RunPage() {
  const { run } = useParams({ from: "/runs/$run" });
  const client = useQueryClient();
  const last = useLastStep(run);
  useEffect(() => {
    if (last) void invalidate(client, "/runs/:run");
  }, [client, last]);
  const read = useQuery({
    ...query("GET /runs/:run", { params: { run } }),
    refetchInterval: ({ state: { data } }) => data !== undefined && isInProgress(data.run) && POLL_MS,
  });
  return <QueryResult of={read}>{(found) => <Page key={run} {...found} readAt={read.dataUpdatedAt} />}</QueryResult>;
}

/** Polling interval: a long step, and the time before the first one, send no events. */
const POLL_MS = 2000;
const OPEN = ["requested", "queued", "running", "waiting"];

function Page(props: Read & { readonly readAt: number }) {
  const { run, request, manifest, cost, newer_version: newer, steps, requests, readAt } = props;
  const t = useT();
  const { language } = usePreferences();
  const [icon, setIcon] = useState<string>();
  const isOpen = OPEN.includes(run.state);
  const tokens = steps.reduce((sum, step) => sum + (step.tokens?.input ?? 0) + (step.tokens?.output ?? 0), 0);
  const version = typeof manifest?.["logic_version"] === "string" ? manifest["logic_version"] : undefined;
  return (
    <article className="stack">
      <div className="row between">
        <div className="row">
          <StateTag kind="run" state={run.state} />
          {run.waits_until !== undefined && <span className="tag">{t(words.waits)}</span>}
          <DriftTag run={run} />
          {run.forked_from && (
            <RunLink run={run.forked_from.run} className="tag info">
              {t(words.forkOf, run.forked_from.step)}
            </RunLink>
          )}
          {run.moved_from && (
            <RunLink run={run.moved_from.run} className="tag info">
              {t(words.movedFrom, run.moved_from.step)}
            </RunLink>
          )}
        </div>
        <div className="row">
          {newer !== null && <Move run={run.run_id} to={newer} />}
          {isOpen && <Cancel run={run.run_id} />}
          {!isOpen && <Again slug={run.agent_slug} input={request?.input} />}
        </div>
      </div>
      <h1>
        <AgentLink slug={run.agent_slug}>{run.agent_slug}</AgentLink>
      </h1>
      <dl className="facts">
        <FactRow name={t(words.outcome)} aria-live="polite">
          <RunOutcome run={run} />
        </FactRow>
        <FactRow name={t(words.asked)}>
          {t(words.trigger[run.trigger])} · {request && actorName(request.by, t)} · <When at={run.requested_at} />
        </FactRow>
        <FactRow name={t(words.took)}>
          {run.finished_at !== undefined && (
            <>
              <RunDuration run={run} /> ·{" "}
            </>
          )}
          {t(words.spent, steps.length, number(tokens, language))}
          {cost && ` · ${money(cost.amount, cost.currency, language)}`}
          {version !== undefined && ` · ${version}`}
        </FactRow>
        <FactRow name={t(words.id)}>
          <code>{run.run_id}</code> · <WhyPageLink subject={run.run_id}>{t(words.why)}</WhyPageLink>
        </FactRow>
      </dl>
      {requests.map(({ request: asked, answer }) => (
        <RequestForm key={asked.id} request={asked} answer={answer} readAt={readAt} hasKeys={!answer} />
      ))}
      {run.outcome?.proposals && run.outcome.proposals.length > 0 && (
        <section className="card stack tight">
          <h2>{t(words.proposals)}</h2>
          <ul className="stack tight">
            {run.outcome.proposals.map((id) => (
              <ProposalLine key={id} id={id} />
            ))}
          </ul>
        </section>
      )}
      <div className="beside">
        <section className="stack tight" aria-labelledby="steps">
          <h2 id="steps">{t(words.steps)}</h2>
          <Steps run={run.run_id} steps={steps} icon={icon} mayFork={!isOpen} />
        </section>
        <Suspense fallback={<Loading />}>
          <PathTaken slug={run.agent_slug} version={version} steps={steps} onIcon={setIcon} />
        </Suspense>
      </div>
    </article>
  );
}

function ProposalLine({ id }: { readonly id: string }) {
  const read = useQuery(query("GET /proposals/:id", { params: { id } })).data?.proposal;
  return (
    <li className="row">
      {read && <StateTag kind="proposal" state={read.status} />}
      <ProposalLink id={id}>{read?.summary ?? id}</ProposalLink>
    </li>
  );
}

function Cancel({ run }: { readonly run: string }) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [why, setWhy] = useDraft(`cancel.${run}`);
  const cancel = useMutation({
    mutationFn: () =>
      call("POST /runs/:run/cancel", { params: { run }, body: why.trim() === "" ? {} : { why: why.trim() } }),
    onSuccess: () => {
      setIsOpen(false);
      setWhy(undefined);
      toast(t(words.cancelling));
      return invalidate(client, "/runs");
    },
    onError: () => void invalidate(client, "/runs"),
  });
  return (
    <>
      <Button tone="danger" onClick={() => setIsOpen(true)}>
        {t(words.cancel)}
      </Button>
      {isOpen && (
        <ActionDialog
          title={t(words.cancelAsk)}
          reason={{ label: t(words.cancelWhy), text: why, onChange: setWhy, isRequired: false }}
          action={{
            label: t(words.cancel),
            tone: "danger",
            isDisabled: cancel.isPending,
            onConfirm: () => cancel.mutate(),
          }}
          error={cancel.error && <MutationError error={cancel.error} />}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

/** O-3a: a held run continues as another run under the current logic version, if its recorded steps take the same path there. */
function Move({ run, to }: { readonly run: string; readonly to: string }) {
  const t = useT();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const { keyFor, reset } = useIdempotencyKey();
  const move = useMutation({
    mutationFn: () => call("POST /runs/:run/move", { params: { run }, body: {}, correlation: keyFor([run, "move"]) }),
    onSuccess: async ({ run: made }) => {
      reset();
      await invalidate(client, "/runs");
      return navigate({ to: "/runs/$run", params: { run: made.run_id } });
    },
  });
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{t(words.move, to)}</Button>
      {isOpen && (
        <ActionDialog
          title={t(words.moveAsk, to)}
          action={{
            label: t(words.move, to),
            tone: "primary",
            isDisabled: move.isPending,
            onConfirm: () => move.mutate(),
          }}
          error={move.error && <MutationError error={move.error} fate="repeat" />}
          onClose={() => setIsOpen(false)}
        >
          <p className="quiet">{t(words.moveAbout)}</p>
        </ActionDialog>
      )}
    </>
  );
}

/** Starts another run with the same input. */
function Again({ slug, input }: { readonly slug: string; readonly input: unknown }) {
  const t = useT();
  const navigate = useNavigate();
  const { keyFor, reset } = useIdempotencyKey();
  const again = useMutation({
    mutationFn: () => {
      const body = typeof input === "object" && input !== null ? { input: input as Record<string, never> } : {};
      return call("POST /agents/:slug/run", { params: { slug }, body, correlation: keyFor([slug, body]) });
    },
    onSuccess: ({ run }) => {
      reset();
      return navigate({ to: "/runs/$run", params: { run: run.run_id } });
    },
  });
  return (
    <>
      {again.error && <MutationError error={again.error} fate="repeat" />}
      <Button disabled={again.isPending} onClick={() => again.mutate()}>
        {t(words.again)}
      </Button>
    </>
  );
}

const words = {
  waits: { en: "waits for the rate limit", uk: "чекає через обмеження частоти" },
  forkOf: { en: "fork at step {}", uk: "відгалуження з кроку {}" },
  movedFrom: { en: "moved, with steps up to {}", uk: "перенесено, з кроками до {}" },
  move: { en: "Move to {}", uk: "Перенести на {}" },
  moveAsk: { en: "Move this run to {}?", uk: "Перенести цей запуск на {}?" },
  moveAbout: {
    en: "A new run continues from the recorded steps under the current logic version and asks the question again; this one ends. It is refused if the steps take another path there.",
    uk: "Новий запуск продовжить від записаних кроків за поточною версією логіки й поставить запитання знову, а цей завершиться. Якщо шлях там інший, нічого не станеться.",
  },
  outcome: { en: "Outcome", uk: "Підсумок" },
  asked: { en: "Requested", uk: "Замовлено" },
  took: { en: "Duration", uk: "Тривав" },
  spent: { en: "{} [step|steps], {} [token|tokens]", uk: "{} [крок|кроки|кроків], {} [токен|токени|токенів]" },
  id: { en: "Run", uk: "Запуск" },
  why: { en: "why?", uk: "чому?" },
  steps: { en: "Steps", uk: "Кроки" },
  proposals: { en: "Proposals of this run", uk: "Пропозиції цього запуску" },
  cancel: { en: "Cancel run", uk: "Скасувати запуск" },
  cancelAsk: { en: "Cancel this run?", uk: "Скасувати цей запуск?" },
  cancelWhy: { en: "Reason (optional)", uk: "Чому (за бажанням)" },
  cancelling: { en: "Cancelling the run.", uk: "Запуск скасовується." },
  again: { en: "Run again", uk: "Запустити ще раз" },
  trigger: {
    manual: { en: "manually", uk: "вручну" },
    cron: { en: "on schedule", uk: "за розкладом" },
    event: { en: "by an event", uk: "подією" },
  },
} as const satisfies Record<string, Text | Record<string, Text>>;
