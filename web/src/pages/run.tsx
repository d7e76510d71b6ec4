import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { type AnswerOf, call } from "../api/client.ts";
import { useLastStep } from "../api/live.ts";
import { useOneWish } from "../api/one-wish.ts";
import { outdate, reading } from "../api/queries.ts";
import { Dialog } from "../parts/dialog.tsx";
import { useDraft } from "../parts/draft.ts";
import { NotDone } from "../parts/not-done.tsx";
import { useTell } from "../parts/notices.tsx";
import { Came, isGoingOn, Took } from "../parts/run-table.tsx";
import { Loading, Shown } from "../parts/state.tsx";
import { StateTag, When } from "../parts/tags.tsx";
import { nameOf } from "../parts/words.ts";
import { type Text, useReader, useSay } from "../words/say.ts";
import { money, number } from "../words/time.ts";
import { AnswerForm } from "./run/answer-form.tsx";
import { Steps } from "./run/steps.tsx";
import "../style/proposals.css";

const Way = lazy(() => import("./run/way.tsx").then((part) => ({ default: part.Way })));

type Read = AnswerOf<"GET /runs/:run">;

/** One run: where it is, what it did, what it asks; live while it goes on. */
export function Run() {
  const { run } = useParams({ from: "/runs/$run" });
  const client = useQueryClient();
  const last = useLastStep(run);
  useEffect(() => {
    if (last) void outdate(client, "/runs/:run");
  }, [client, last]);
  const read = useQuery({
    ...reading("GET /runs/:run", { params: { run } }),
    refetchInterval: ({ state: { data } }) => data !== undefined && isGoingOn(data.run) && LOOK_MS,
  });
  return <Shown of={read}>{(found) => <Page key={run} {...found} readAt={read.dataUpdatedAt} />}</Shown>;
}

/** A step that takes long, or the wait before the first: nobody tells of them. */
const LOOK_MS = 2000;
const OPEN = ["requested", "queued", "running", "waiting"];

function Page({ run, request, manifest, cost, steps, requests, readAt }: Read & { readonly readAt: number }) {
  const say = useSay();
  const { language } = useReader();
  const [icon, setIcon] = useState<string>();
  const isOpen = OPEN.includes(run.state);
  const tokens = steps.reduce((sum, step) => sum + (step.tokens?.input ?? 0) + (step.tokens?.output ?? 0), 0);
  const version = typeof manifest?.["logic_version"] === "string" ? manifest["logic_version"] : undefined;
  return (
    <article className="stack">
      <div className="row between">
        <div className="row">
          <StateTag kind="run" state={run.state} />
          {run.forked_from && (
            <Link to="/runs/$run" params={{ run: run.forked_from.run }} className="tag info">
              {say(words.forkOf, run.forked_from.step)}
            </Link>
          )}
        </div>
        <div className="row">
          {isOpen && <Cancel run={run.run_id} />}
          {!isOpen && <Again slug={run.agent_slug} input={request?.input} />}
        </div>
      </div>
      <h1>
        <Link to="/agents/$slug" params={{ slug: run.agent_slug }}>
          {run.agent_slug}
        </Link>
      </h1>
      <dl className="facts">
        <dt>{say(words.outcome)}</dt>
        <dd aria-live="polite">
          <Came run={run} />
        </dd>
        <dt>{say(words.asked)}</dt>
        <dd>
          {say(words.trigger[run.trigger])} · {request && nameOf(request.by, say)} · <When at={run.requested_at} />
        </dd>
        <dt>{say(words.took)}</dt>
        <dd>
          {run.finished_at !== undefined && (
            <>
              <Took run={run} /> ·{" "}
            </>
          )}
          {say(words.spent, steps.length, number(tokens, language))}
          {cost && ` · ${money(cost.amount, cost.currency, language)}`}
          {version !== undefined && ` · ${version}`}
        </dd>
        <dt>{say(words.id)}</dt>
        <dd>
          <code>{run.run_id}</code> ·{" "}
          <Link to="/why" search={{ subject: run.run_id }}>
            {say(words.why)}
          </Link>
        </dd>
      </dl>
      {requests.map(({ request: asked, answer }) => (
        <AnswerForm key={asked.id} request={asked} answer={answer} readAt={readAt} />
      ))}
      {run.outcome?.proposals && run.outcome.proposals.length > 0 && (
        <section className="card stack tight">
          <h2>{say(words.proposals)}</h2>
          <ul className="stack tight">
            {run.outcome.proposals.map((id) => (
              <ProposalLine key={id} id={id} />
            ))}
          </ul>
        </section>
      )}
      <div className="beside">
        <section className="stack tight" aria-labelledby="steps">
          <h2 id="steps">{say(words.steps)}</h2>
          <Steps run={run.run_id} steps={steps} icon={icon} mayFork={!isOpen} />
        </section>
        <Suspense fallback={<Loading />}>
          <Way slug={run.agent_slug} version={version} steps={steps} onIcon={setIcon} />
        </Suspense>
      </div>
    </article>
  );
}

function ProposalLine({ id }: { readonly id: string }) {
  const read = useQuery(reading("GET /proposals/:id", { params: { id } })).data?.proposal;
  return (
    <li className="row">
      {read && <StateTag kind="proposal" state={read.status} />}
      <Link to="/proposals/$id" params={{ id }}>
        {read?.summary ?? id}
      </Link>
    </li>
  );
}

function Cancel({ run }: { readonly run: string }) {
  const say = useSay();
  const tell = useTell();
  const client = useQueryClient();
  const [asks, setAsks] = useState(false);
  const [why, setWhy] = useDraft(`cancel.${run}`);
  const cancel = useMutation({
    mutationFn: () =>
      call("POST /runs/:run/cancel", { params: { run }, body: why.trim() === "" ? {} : { why: why.trim() } }),
    onSuccess: () => {
      setAsks(false);
      setWhy(undefined);
      tell(say(words.cancelling));
      return outdate(client, "/runs");
    },
    onError: () => void outdate(client, "/runs"),
  });
  return (
    <>
      <button type="button" className="button danger" onClick={() => setAsks(true)}>
        {say(words.cancel)}
      </button>
      {asks && (
        <Dialog title={say(words.cancelAsk)} onClose={() => setAsks(false)}>
          <label className="labelled">
            <span>{say(words.cancelWhy)}</span>
            <input className="field" value={why} onChange={({ target }) => setWhy(target.value)} />
          </label>
          {cancel.error && <NotDone error={cancel.error} />}
          <div className="row">
            <button type="button" className="button danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
              {say(words.cancel)}
            </button>
            <button type="button" className="button" onClick={() => setAsks(false)}>
              {say(words.back)}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** The same once more: another run, with the same input. */
function Again({ slug, input }: { readonly slug: string; readonly input: unknown }) {
  const say = useSay();
  const navigate = useNavigate();
  const { wishName, answered } = useOneWish();
  const again = useMutation({
    mutationFn: () => {
      const body = typeof input === "object" && input !== null ? { input: input as Record<string, never> } : {};
      return call("POST /agents/:slug/run", { params: { slug }, body, correlation: wishName([slug, body]) });
    },
    onSuccess: ({ run }) => {
      answered();
      return navigate({ to: "/runs/$run", params: { run: run.run_id } });
    },
  });
  return (
    <>
      {again.error && <NotDone error={again.error} fate="repeat" />}
      <button type="button" className="button" disabled={again.isPending} onClick={() => again.mutate()}>
        {say(words.again)}
      </button>
    </>
  );
}

const words = {
  forkOf: { en: "fork at step {}", uk: "відгалуження з кроку {}" },
  outcome: { en: "Outcome", uk: "Підсумок" },
  asked: { en: "Asked for", uk: "Замовлено" },
  took: { en: "Took", uk: "Тривав" },
  spent: { en: "steps: {}, tokens: {}", uk: "кроків: {}, токенів: {}" },
  id: { en: "Run", uk: "Запуск" },
  why: { en: "why?", uk: "чому?" },
  steps: { en: "Steps", uk: "Кроки" },
  proposals: { en: "Proposals of this run", uk: "Пропозиції цього запуску" },
  cancel: { en: "Cancel the run", uk: "Скасувати запуск" },
  cancelAsk: { en: "Cancel this run?", uk: "Скасувати цей запуск?" },
  cancelWhy: { en: "Why (if you like)", uk: "Чому (за бажанням)" },
  cancelling: { en: "The run is being cancelled.", uk: "Запуск скасовується." },
  back: { en: "Back", uk: "Назад" },
  again: { en: "Run again", uk: "Запустити ще раз" },
  trigger: {
    manual: { en: "by hand", uk: "вручну" },
    cron: { en: "by schedule", uk: "за розкладом" },
    event: { en: "by an event", uk: "подією" },
  },
} as const satisfies Record<string, Text | Record<string, Text>>;
