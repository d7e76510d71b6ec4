import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { call } from "../../api/client.ts";
import type { Answer, JsonValue, Request } from "../../api/endpoints.gen.ts";
import { useIdempotencyKey } from "../../api/idempotency-key.ts";
import { invalidate } from "../../api/queries.ts";
import { useDraft } from "../../components/draft.ts";
import { FactRow } from "../../components/fact-row.tsx";
import { Button, Form, TextArea, TextField } from "../../components/form.tsx";
import { RunLink } from "../../components/links.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { useToast } from "../../components/toasts.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { span } from "../../i18n/day.ts";
import { dateTime } from "../../i18n/format.ts";
import { type Text, type Translate, usePreferences, useT } from "../../i18n/use-t.ts";
import { Marked, questionParts } from "./question-parts.tsx";
import "../../style/question.css";

interface RequestProps {
  readonly request: Request;
  readonly answer: Answer | undefined;
  /** When `answer` was read. */
  readonly readAt: number;
  /** The digits choose an option. Only one question of a page has them. */
  readonly hasKeys?: boolean;
  /** Shown outside of the run's page: says whose question it is, and links to the run. */
  readonly isElsewhere?: boolean;
  /** S-8: the session whose run asks. The answer becomes a commit of its branch, with the reason as its message. */
  readonly session?: string;
}

/** O-6: a question of a run, with a form for the answer and nothing chosen beforehand, or the answer that was given. */
export function RequestForm(props: RequestProps) {
  const t = useT();
  const { language } = usePreferences();
  const { request, answer, isElsewhere = false } = props;
  const { ask, agent_slug: agent, asked_at: at } = request;
  const { title, text } = questionParts(ask);
  const waited = span(Date.now() - Date.parse(at), language);
  return (
    <section className="ask" aria-label={t(words.question)}>
      <div className="ask-head">
        <h2>
          <Marked text={title} />
        </h2>
        {answer ? (
          <span className="state good">{t(words.answered)}</span>
        ) : (
          <span className="state wait" title={dateTime(at, language)}>
            {t(words.waits, waited)}
          </span>
        )}
      </div>
      {isElsewhere && <p className="small faint">{t(words.asks, agent)}</p>}
      {text !== "" && (
        <p className="reason said break">
          <Marked text={text} />
        </p>
      )}
      {ask.values && (
        <dl className="facts">
          {Object.entries(ask.values).map(([name, value]) => (
            <FactRow key={name} name={name}>
              {typeof value === "string" ? value : <pre>{JSON.stringify(value, null, 2)}</pre>}
            </FactRow>
          ))}
        </dl>
      )}
      {answer ? <Given answer={answer} /> : <AnswerForm {...props} />}
      {answer && !isElsewhere && request.reason === "asked" && <Otherwise {...props} />}
    </section>
  );
}

function Given({ answer: { value, by, answered_at: at, note } }: { readonly answer: Answer }) {
  const t = useT();
  const { language } = usePreferences();
  return (
    <p>
      <strong className="serif">{answerText(value, t)}</strong>{" "}
      <span className="meta">
        {by === "owner" ? t(words.you) : by} · {dateTime(at, language)}
      </span>
      {note !== undefined && <span className="said">{note}</span>}
    </p>
  );
}

/** S-7: the same run with another answer, as an experiment. */
function Otherwise(props: RequestProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <AnswerForm {...props} isWhatIf />;
  return (
    <p>
      <Button tone="small" onClick={() => setOpen(true)}>
        <FlaskConical size={14} aria-hidden="true" />
        {t(words.otherwise)}
      </Button>
    </p>
  );
}

interface FormProps extends RequestProps {
  /** S-7: the answer is tried in an experiment, not given. */
  readonly isWhatIf?: boolean;
}

function AnswerForm(props: FormProps) {
  const { request, readAt, hasKeys = false, session, isWhatIf = false } = props;
  const { id, ask } = request;
  const t = useT();
  const [text, setText] = useDraft(`answer.${id}`);
  const [chosen, setChoice] = useDraft(`choice.${id}`);
  const choice = ask.options?.includes(chosen) ? chosen : undefined;
  const [note, setNote] = useDraft(`answer-note.${id}`);
  const { send, failedAt } = useSending(props, note.trim(), () => {
    setText(undefined);
    setChoice(undefined);
    setNote(undefined);
  });
  const value = valueOf(ask.form, text, choice);
  const fate = isWhatIf ? "repeat" : readAt > failedAt ? "waits" : "unknown";
  return (
    <Form
      className="stack tight"
      onSubmit={() => {
        if (value !== undefined) send.mutate(value);
      }}
    >
      {ask.form === "choice" && <Options request={request} choice={choice} onChoice={setChoice} hasKeys={hasKeys} />}
      {(ask.form === "text" || ask.form === "review") && (
        <TextArea label={t(ask.form === "text" ? words.text : words.comment)} rows={3} value={text} onText={setText} />
      )}
      {ask.form === "number" && <TextField label={t(words.number)} inputMode="decimal" value={text} onText={setText} />}
      {session !== undefined && <TextField label={t(words.reason)} value={note} maxLength={20_000} onText={setNote} />}
      {send.error && <MutationError error={send.error} fate={fate} />}
      <div className="row">
        {ask.form === "review" ? (
          (["approve", "reject"] as const).map((decision) => (
            <Button
              key={decision}
              tone={decision === "approve" ? "approve" : "danger"}
              disabled={send.isPending}
              onClick={() => send.mutate({ decision, ...(text.trim() !== "" && { comment: text.trim() }) })}
            >
              {t(words[decision])}
            </Button>
          ))
        ) : (
          <button type="submit" className="button primary" disabled={value === undefined || send.isPending}>
            {t(isWhatIf ? words.tryIt : words.send)}
          </button>
        )}
        <span className="grow" />
        <WhatFollows {...props} />
      </div>
    </Form>
  );
}

/** Sends an answer, or starts the experiment with it and opens its run. */
function useSending({ request: { id }, session, isWhatIf = false }: FormProps, note: string, onSent: () => void) {
  const t = useT();
  const navigate = useNavigate();
  const toast = useToast();
  const client = useQueryClient();
  const { keyFor, reset } = useIdempotencyKey();
  const [failedAt, setFailedAt] = useState(0);
  const send = useMutation({
    mutationFn: (value: JsonValue) =>
      isWhatIf
        ? tryAnswer(id, { value, ...(note !== "" && { note }) }, keyFor([id, value, note]))
        : sendAnswer({ id, value, session, note }).then(() => undefined),
    onSuccess: (experiment) => {
      onSent();
      reset();
      if (experiment !== undefined) return navigate({ to: "/runs/$run", params: { run: experiment } });
      toast(t(words.sent));
      return invalidate(client, ...CHANGED);
    },
    // Answering is idempotent. After an error, the refetch shows an answer that came first, or that the run has ended.
    onError: () => {
      setFailedAt(Date.now());
      void invalidate(client, ...CHANGED);
    },
  });
  return { send, failedAt };
}

/** The options of a choice; the digits choose one where the page gives them to this question. */
function Options(props: {
  readonly request: Request;
  readonly choice: string | undefined;
  readonly onChoice: (option: string) => void;
  readonly hasKeys: boolean;
}) {
  const { request, choice, onChoice, hasKeys } = props;
  const { id, ask } = request;
  const { options } = questionParts(ask);
  const byDigit = options.slice(0, 9).map(({ value }, index) => [`${index + 1}`, () => onChoice(value)] as const);
  useKeys(hasKeys ? Object.fromEntries(byDigit) : {});
  return (
    <fieldset className="options">
      <legend className="hidden-visually">{ask.question.split("\n", 1)[0]}</legend>
      {options.map(({ value: option, said, source }, index) => (
        <label key={option} className="option">
          <input type="radio" name={id} checked={choice === option} onChange={() => onChoice(option)} />
          <span>
            <span className="option-said">
              <Marked text={said} />
            </span>
            {source !== undefined && <span className="meta">{source}</span>}
          </span>
          {hasKeys && index < 9 && <kbd aria-hidden="true">{index + 1}</kbd>}
        </label>
      ))}
    </fieldset>
  );
}

/** Beside the button: what happens after the answer, or the way to the run. */
function WhatFollows({ request, isElsewhere = false, isWhatIf = false }: FormProps) {
  const t = useT();
  if (!isElsewhere) return <span className="meta">{t(isWhatIf ? words.stays : words.goesOn)}</span>;
  return (
    <RunLink run={request.run_id} className="small">
      {t(words.openRun)}
    </RunLink>
  );
}

/** Endpoints whose answers change with an answer. */
const CHANGED = ["/requests", "/runs", "/session-requests", "/sessions", "/session-graph"] as const;

function sendAnswer(given: {
  readonly id: string;
  readonly value: JsonValue;
  readonly session: string | undefined;
  readonly note: string;
}): Promise<unknown> {
  const { id, value, session, note } = given;
  const body = { value, ...(note !== "" && { note }) };
  return session === undefined
    ? call("POST /requests/:id/answer", { params: { id }, body })
    : call("POST /sessions/:name/decide", { params: { name: session }, body: { ...body, request: id } });
}

/** Starts the experiment, and returns its run. */
const tryAnswer = async (
  id: string,
  body: { readonly value: JsonValue; readonly note?: string },
  correlation: string,
): Promise<string> => (await call("POST /requests/:id/what-if", { params: { id }, body, correlation })).run.run_id;

/** The answer as text. */
function answerText(value: JsonValue, t: Translate): string {
  if (typeof value !== "object" || value === null) return String(value);
  const { decision, comment, ...rest } = value as Readonly<Record<string, JsonValue>>;
  const parts = decision === "approve" || decision === "reject" ? [t(words[decision]), comment] : Object.values(rest);
  return parts
    .filter((part) => part !== undefined)
    .map(String)
    .join(": ");
}

function valueOf(form: Request["ask"]["form"], text: string, choice: string | undefined): JsonValue | undefined {
  if (form === "choice") return choice === undefined ? undefined : { choice };
  if (form === "text") return text.trim() === "" ? undefined : { text };
  const number = Number(text.replace(",", "."));
  return form === "number" && text.trim() !== "" && Number.isFinite(number) ? { number } : undefined;
}

const words = {
  question: { en: "Question for you", uk: "Запитання до вас" },
  waits: { en: "waiting {}", uk: "чекає {}" },
  asks: { en: "{} asks", uk: "{} питає" },
  answered: { en: "answered", uk: "є відповідь" },
  you: { en: "you", uk: "ви" },
  text: { en: "Your answer", uk: "Ваша відповідь" },
  number: { en: "Number", uk: "Число" },
  comment: { en: "Comment (optional)", uk: "Коментар (за бажанням)" },
  reason: { en: "Reason (optional)", uk: "Чому (за бажанням)" },
  approve: { en: "Approve", uk: "Схвалити" },
  reject: { en: "Reject", uk: "Відхилити" },
  send: { en: "Answer", uk: "Відповісти" },
  openRun: { en: "Open the run", uk: "Відкрити запуск" },
  otherwise: { en: "What if I had answered otherwise?", uk: "А якби відповідь була інша?" },
  tryIt: { en: "Try it", uk: "Спробувати" },
  stays: { en: "What it would propose stays in the sandbox", uk: "Його пропозиції лишаться в пісочниці" },
  goesOn: { en: "The run goes on from here", uk: "Запуск піде далі звідси" },
  sent: { en: "Answered. The run continues.", uk: "Відповідь надіслано. Запуск іде далі." },
} as const satisfies Record<string, Text>;
