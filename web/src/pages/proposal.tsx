import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { type BodyOf, call, Refusal } from "../api/client.ts";
import type { Review, Proposal as Whole } from "../api/endpoints.ts";
import { outdate, reading } from "../api/queries.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Diff } from "../parts/diff.tsx";
import { useDraft } from "../parts/draft.ts";
import { useKeys } from "../parts/keys.ts";
import { useTell } from "../parts/notices.tsx";
import { Failed, Shown } from "../parts/state.tsx";
import { StateTag, When } from "../parts/tags.tsx";
import { actionWords } from "../parts/words.ts";
import { type Text, useSay } from "../words/say.ts";
import "../style/proposals.css";

/** One proposal: what it would do, made from the operation itself; then a decision on exactly that. */
export function Proposal() {
  const { id } = useParams({ from: "/proposals/$id" });
  const proposal = useQuery(reading("GET /proposals/:id", { params: { id } }));
  return <Shown of={proposal}>{(read) => <Page key={id} {...read} />}</Shown>;
}

function Page({ proposal, review }: { readonly proposal: Whole; readonly review?: Review }) {
  const say = useSay();
  const [split, setSplit] = useState(() => matchMedia("(width >= 80rem)").matches);
  const { next, previous } = useNeighbours(proposal.id);
  const navigate = useNavigate();
  const go = (id: string | undefined) =>
    id === undefined ? undefined : () => void navigate({ to: "/proposals/$id", params: { id } });
  useKeys({ j: go(next), k: go(previous), s: () => setSplit(!split) });
  return (
    <article className="stack">
      <div className="row between">
        <div className="row">
          <StateTag kind="proposal" state={proposal.status} />
          <span className="tag">{say(actionWords[proposal.action]!)}</span>
          {proposal.priority === "high" && <span className="tag bad">{say(words.high)}</span>}
          {proposal.forked_from !== undefined && <span className="tag info">{say(words.fork)}</span>}
        </div>
        <nav className="row" aria-label={say(words.neighbours)}>
          {previous !== undefined && (
            <Link className="button quiet" to="/proposals/$id" params={{ id: previous }}>
              ← <kbd>k</kbd>
            </Link>
          )}
          {next !== undefined && (
            <Link className="button quiet" to="/proposals/$id" params={{ id: next }}>
              {say(words.next)} <kbd>j</kbd> →
            </Link>
          )}
        </nav>
      </div>
      <h1>{proposal.summary}</h1>
      <Facts proposal={proposal} />
      {proposal.reasoning !== undefined && (
        <section className="stack tight">
          <h2>{say(words.reasoning)}</h2>
          <p className="said break">{proposal.reasoning}</p>
          <p className="quiet small">{say(words.proposersWords)}</p>
        </section>
      )}
      <Citations proposal={proposal} />
      {review && (
        <section className="stack tight" aria-labelledby="would">
          <div className="row between">
            <h2 id="would">{say(proposal.status === "applied" ? words.did : words.would)}</h2>
            {review.files.some(({ patch }) => patch !== "") && (
              <button type="button" className="button quiet" aria-pressed={split} onClick={() => setSplit(!split)}>
                {say(split ? words.oneColumn : words.twoColumns)} <kbd>s</kbd>
              </button>
            )}
          </div>
          <Effect review={review} split={split} />
        </section>
      )}
      {proposal.approval && <Decided proposal={proposal} />}
      {review && proposal.status === "pending" && (
        <Decide key={review.digest} proposal={proposal} review={review} onDone={go(next)} />
      )}
      {proposal.status === "failed" && <Retry proposal={proposal} />}
    </article>
  );
}

/** The proposals before and behind this one among those that wait. */
function useNeighbours(id: string): { readonly next: string | undefined; readonly previous: string | undefined } {
  const list = useQuery(reading("GET /proposals/pending", { query: { limit: "100" } })).data?.proposals ?? [];
  const at = list.findIndex((card) => card.id === id);
  return at < 0
    ? { next: list.find((card) => card.id !== id)?.id, previous: undefined }
    : { next: list[at + 1]?.id ?? list.find((card) => card.id !== id)?.id, previous: list[at - 1]?.id };
}

function Facts({ proposal }: { readonly proposal: Whole }) {
  const say = useSay();
  const { source, agent, target, created_at, expires_at, edits, reverts } = proposal;
  const isNote = target.endsWith(".md") && !/^(?:memory|logic|agents)\//.test(target);
  return (
    <dl className="facts">
      <dt>{say(words.target)}</dt>
      <dd>
        {isNote ? (
          <Link to="/notes/$" params={{ _splat: target }}>
            <code>{target}</code>
          </Link>
        ) : (
          <code>{target}</code>
        )}
      </dd>
      <dt>{say(words.by)}</dt>
      <dd>
        {agent ? (
          <Link to="/agents/$slug" params={{ slug: agent.slug }}>
            {agent.slug} {agent.logic ?? agent.version}
          </Link>
        ) : (
          source.identity
        )}
        {source.run_id !== undefined && (
          <>
            {" · "}
            <Link to="/runs/$run" params={{ run: source.run_id }}>
              {say(words.run)}
            </Link>
          </>
        )}
      </dd>
      <dt>{say(words.made)}</dt>
      <dd>
        <When at={created_at} />
        {proposal.status === "pending" && (
          <>
            {" · "}
            {say(words.expires)} <When at={expires_at} />
          </>
        )}
        {" · "}
        <Link to="/why" search={{ subject: proposal.id } as never}>
          {say(words.why)}
        </Link>
      </dd>
      {[edits, reverts].map(
        (other, index) =>
          other !== undefined && (
            <Related key={other} label={say(index === 0 ? words.edits : words.reverts)} id={other} />
          ),
      )}
    </dl>
  );
}

const Related = ({ label, id }: { readonly label: string; readonly id: string }) => (
  <>
    <dt>{label}</dt>
    <dd>
      <Link to="/proposals/$id" params={{ id }}>
        <code>{id}</code>
      </Link>
    </dd>
  </>
);

function Citations({ proposal: { operation } }: { readonly proposal: Whole }) {
  const say = useSay();
  const citations = operation.action === "propose-summary" ? operation.payload.citations : [];
  if (citations.length === 0) return null;
  return (
    <section className="stack tight">
      <h2>{say(words.citations)}</h2>
      <ul className="stack tight">
        {citations.map(({ source, quote, line }) => (
          <li key={`${source} ${line ?? ""} ${quote ?? ""}`}>
            <code>
              {source}
              {line !== undefined && `:${line}`}
            </code>
            {quote !== undefined && <blockquote className="said">{quote}</blockquote>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Effect({ review, split }: { readonly review: Review; readonly split: boolean }) {
  const say = useSay();
  return (
    <div className="stack tight">
      {review.merged && <p className="warning">{say(words.merged)}</p>}
      {review.warnings.map((warning) => (
        <p key={warning.en} className="warning">
          {say(warning)}
        </p>
      ))}
      {review.nothing && <p className="warning">{say(review.nothing)}</p>}
      {review.refusal && (
        <div className="card" role="alert">
          <strong>{say(review.refusal.text)}</strong>
          {review.refusal.hint && <p className="quiet">{say(review.refusal.hint)}</p>}
        </div>
      )}
      {review.conflicts.map(({ path, why, hunks }) => (
        <div key={path} className="card stack tight" role="alert">
          <p>
            <strong>{say(words.conflict)}</strong> <code>{path}</code>: {say(why)}
          </p>
          {hunks.map(({ line, ours, theirs }) => (
            <div key={line} className="conflict">
              <div>
                <p className="quiet small">{say(words.standing, line)}</p>
                <pre>{ours}</pre>
              </div>
              <div>
                <p className="quiet small">{say(words.proposed)}</p>
                <pre>{theirs}</pre>
              </div>
            </div>
          ))}
          <p className="quiet">{say(words.solve)}</p>
        </div>
      ))}
      {review.files.map(({ path, change, patch, bytes }) => (
        <div key={path} className="stack tight">
          <p className="row">
            <span className={`tag ${change === "added" ? "good" : change === "removed" ? "bad" : ""}`}>
              {say(words[change])}
            </span>
            <code className="break">{path}</code>
            {bytes !== undefined && <span className="quiet small">{say(words.bytes, bytes)}</span>}
          </p>
          {patch !== "" && <Diff patch={patch} split={split} />}
        </div>
      ))}
    </div>
  );
}

function Decided({ proposal: { approval, apply_result } }: { readonly proposal: Whole }) {
  const say = useSay();
  return (
    <section className="card stack tight">
      <h2>{say(words.decision)}</h2>
      <p>
        {approval!.decided_by} · <When at={approval!.decided_at} />
      </p>
      {approval!.decision_note !== undefined && <p className="said">{approval!.decision_note}</p>}
      {apply_result?.git_commit !== undefined && (
        <p>
          {say(words.commit)}{" "}
          <Link to="/why" search={{ subject: apply_result.git_commit } as never}>
            <code>{apply_result.git_commit.slice(0, 10)}</code>
          </Link>
        </p>
      )}
      {apply_result?.error && <p role="alert">{say(apply_result.error.message)}</p>}
    </section>
  );
}

type Verdict = BodyOf<"PATCH /proposals/:id">;

/** P-10a: the decision names the digest of what is on this page. If that has changed meanwhile, it is shown anew and nothing happens. */
function Decide(props: {
  readonly proposal: Whole;
  readonly review: Review;
  readonly onDone: (() => void) | undefined;
}) {
  const { proposal, review, onDone } = props;
  const say = useSay();
  const tell = useTell();
  const client = useQueryClient();
  const [note, setNote] = useDraft(`note.${proposal.id}`);
  const [asks, setAsks] = useState<"reject" | "edit">();
  const decide = useMutation({
    mutationFn: (body: Verdict) => call("PATCH /proposals/:id", { params: { id: proposal.id }, body }),
    onSuccess: async (answer, { verdict }) => {
      setNote(undefined);
      setAsks(undefined);
      tell(
        say(
          verdict === "reject" ? words.rejected : words.approvedAs,
          answer.proposal.apply_result?.git_commit?.slice(0, 10) ?? "",
        ),
      );
      await outdate(client, "/proposals", "/notes", "/agents", "/logic", "/memory");
      onDone?.();
    },
    onError: (error) => {
      if (error instanceof Refusal && error.status === 409) void outdate(client, "/proposals");
    },
  });
  const { digest } = review;
  const said = note.trim();
  const mayApprove = review.files.length > 0 && review.conflicts.length === 0 && !review.refusal;
  const approve = (): void => decide.mutate({ verdict: "approve", digest, ...(said !== "" && { note: said }) });
  const text = textOf(proposal);
  useKeys({
    a: mayApprove && !decide.isPending ? approve : undefined,
    r: () => setAsks("reject"),
    ...(text !== undefined && { e: () => setAsks("edit") }),
  });
  return (
    <section className="decide stack tight" aria-label={say(words.decision)}>
      {decide.error && asks === undefined && <Failed error={decide.error} />}
      <div className="row">
        <button type="button" className="button primary" disabled={!mayApprove || decide.isPending} onClick={approve}>
          {say(words.approve)} <kbd>a</kbd>
        </button>
        <button type="button" className="button danger" disabled={decide.isPending} onClick={() => setAsks("reject")}>
          {say(words.reject)} <kbd>r</kbd>
        </button>
        {text !== undefined && (
          <button type="button" className="button" disabled={decide.isPending} onClick={() => setAsks("edit")}>
            {say(words.edit)} <kbd>e</kbd>
          </button>
        )}
        <span className="quiet small">
          {say(words.deciding)} <code>{digest.slice(0, 10)}</code>
        </span>
      </div>
      {asks === "reject" && (
        <Dialog title={say(words.reject)} onClose={() => setAsks(undefined)}>
          <label className="labelled">
            <span>{say(words.reason)}</span>
            <textarea className="field" rows={3} value={note} onChange={({ target }) => setNote(target.value)} />
          </label>
          {decide.error && <Failed error={decide.error} />}
          <div className="row">
            <button
              type="button"
              className="button danger"
              disabled={said === "" || decide.isPending}
              onClick={() => decide.mutate({ verdict: "reject", digest, note: said })}
            >
              {say(words.reject)}
            </button>
            <button type="button" className="button" onClick={() => setAsks(undefined)}>
              {say(words.back)}
            </button>
          </div>
        </Dialog>
      )}
      {asks === "edit" && text !== undefined && (
        <EditAndApprove
          id={proposal.id}
          text={text}
          error={decide.error}
          isPending={decide.isPending}
          onClose={() => setAsks(undefined)}
          onSend={(now) =>
            decide.mutate({ verdict: "edit", digest, payload: { ...proposal.operation.payload, text: now } })
          }
        />
      )}
    </section>
  );
}

/** What of an operation is text that a person can put right before approving. */
function textOf({ operation }: Whole): string | undefined {
  const { payload } = operation as { payload: Readonly<Record<string, unknown>> };
  return typeof payload["text"] === "string" && payload["remove"] !== true ? payload["text"] : undefined;
}

function EditAndApprove(props: {
  readonly id: string;
  readonly text: string;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onClose: () => void;
  readonly onSend: (text: string) => void;
}) {
  const say = useSay();
  const [text, setText] = useDraft(`edit.${props.id}`, props.text);
  return (
    <Dialog title={say(words.edit)} onClose={props.onClose}>
      <label className="labelled">
        <span>{say(words.editHow)}</span>
        <textarea className="field" rows={16} value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      {props.error && <Failed error={props.error} />}
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={props.isPending || text === props.text}
          onClick={() => props.onSend(text)}
        >
          {say(words.editSend)}
        </button>
        <button type="button" className="button" onClick={props.onClose}>
          {say(words.back)}
        </button>
      </div>
    </Dialog>
  );
}

function Retry({ proposal }: { readonly proposal: Whole }) {
  const say = useSay();
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: () => call("PATCH /proposals/:id", { params: { id: proposal.id }, body: { verdict: "retry" } }),
    onSettled: () => outdate(client, "/proposals"),
  });
  return (
    <div className="row">
      <button type="button" className="button" disabled={retry.isPending} onClick={() => retry.mutate()}>
        {say(words.retry)}
      </button>
      {retry.error && <Failed error={retry.error} />}
    </div>
  );
}

const words = {
  high: { en: "high priority", uk: "високий пріоритет" },
  fork: { en: "from a fork", uk: "з відгалуження" },
  neighbours: { en: "Other proposals", uk: "Інші пропозиції" },
  next: { en: "Next", uk: "Наступна" },
  reasoning: { en: "Why, in the proposer's words", uk: "Чому, словами автора" },
  proposersWords: {
    en: "These words are the proposer's. What would happen stands below, made from the change itself.",
    uk: "Це слова автора. Що станеться насправді — нижче, зроблено із самої зміни.",
  },
  citations: { en: "Sources", uk: "Джерела" },
  would: { en: "What would change", uk: "Що зміниться" },
  did: { en: "What changed", uk: "Що змінилося" },
  oneColumn: { en: "One column", uk: "Одна колонка" },
  twoColumns: { en: "Side by side", uk: "Поруч" },
  target: { en: "About", uk: "Про що" },
  by: { en: "From", uk: "Від" },
  run: { en: "its run", uk: "запуск" },
  made: { en: "Made", uk: "Створено" },
  expires: { en: "waits until", uk: "чекає до" },
  why: { en: "why?", uk: "чому?" },
  edits: { en: "Edited version of", uk: "Змінена версія" },
  reverts: { en: "Takes back", uk: "Скасовує" },
  merged: {
    en: "The target has changed since this was proposed; both changes fit together, and this is the result.",
    uk: "Ціль змінилася відтоді; обидві зміни поєднуються, і ось результат.",
  },
  conflict: { en: "Both changed the same place:", uk: "Обидві зміни зачіпають те саме місце:" },
  standing: { en: "As it stands now (line {})", uk: "Як є зараз (рядок {})" },
  proposed: { en: "As proposed", uk: "Як запропоновано" },
  solve: {
    en: "Edit and approve with a text that holds both, or reject.",
    uk: "Відредагуйте і схваліть текст, у якому є обидві зміни, або відхиліть.",
  },
  added: { en: "new", uk: "нове" },
  changed: { en: "changed", uk: "змінено" },
  removed: { en: "removed", uk: "вилучено" },
  bytes: { en: "{} bytes", uk: "{} байтів" },
  decision: { en: "Decision", uk: "Рішення" },
  commit: { en: "Commit", uk: "Коміт" },
  approve: { en: "Approve", uk: "Схвалити" },
  reject: { en: "Reject", uk: "Відхилити" },
  edit: { en: "Edit and approve", uk: "Виправити і схвалити" },
  editHow: { en: "The text as it should be", uk: "Текст, яким він має бути" },
  editSend: { en: "Approve this text", uk: "Схвалити цей текст" },
  deciding: { en: "You decide on exactly this:", uk: "Ви вирішуєте саме про це:" },
  reason: { en: "Reason (the proposer reads it)", uk: "Причина (її прочитає автор)" },
  back: { en: "Back", uk: "Назад" },
  rejected: { en: "Rejected.", uk: "Відхилено." },
  approvedAs: { en: "Approved. {}", uk: "Схвалено. {}" },
  retry: { en: "Try to apply again", uk: "Спробувати застосувати знову" },
} as const satisfies Record<string, Text>;
