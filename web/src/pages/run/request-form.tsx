import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import type { Answer, JsonValue, Request } from "../../api/endpoints.gen.ts";
import { invalidate } from "../../api/queries.ts";
import { useDraft } from "../../components/draft.ts";
import { FactRow } from "../../components/fact-row.tsx";
import { Button, Form, TextArea, TextField } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { When } from "../../components/tags.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, type Translate, useT } from "../../i18n/use-t.ts";

/** O-6: a question of a run, with a form for the answer, or the answer that was given. */
export function RequestForm(props: {
  readonly request: Request;
  readonly answer: Answer | undefined;
  /** When `answer` was read. */
  readonly readAt: number;
}) {
  const t = useT();
  const { request, answer, readAt } = props;
  const { ask } = request;
  const [question, ...more] = ask.question.split("\n");
  return (
    <section className="card stack tight" aria-label={t(words.question)}>
      <p className="row">
        <span className={`tag ${answer ? "good" : "wait"}`}>{t(answer ? words.answered : words.waits)}</span>
        <span className="quiet small">
          <When at={request.asked_at} />
        </span>
      </p>
      <h2>{question}</h2>
      {more.length > 0 && <p className="said break">{more.join("\n").trim()}</p>}
      {ask.values && (
        <dl className="facts">
          {Object.entries(ask.values).map(([name, value]) => (
            <FactRow key={name} name={name}>
              {typeof value === "string" ? value : <pre>{JSON.stringify(value, null, 2)}</pre>}
            </FactRow>
          ))}
        </dl>
      )}
      {answer ? (
        <p>
          <strong>{answerText(answer.value, t)}</strong>{" "}
          <span className="quiet small">
            {answer.by} · <When at={answer.answered_at} />
          </span>
          {answer.note !== undefined && <span className="said">{answer.note}</span>}
        </p>
      ) : (
        <AnswerForm request={request} readAt={readAt} />
      )}
    </section>
  );
}

function AnswerForm({ request: { id, ask }, readAt }: { readonly request: Request; readonly readAt: number }) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const [text, setText] = useDraft(`answer.${id}`);
  const [chosen, setChoice] = useDraft(`choice.${id}`);
  const choice = ask.options?.includes(chosen) ? chosen : undefined;
  const [failedAt, setFailedAt] = useState(0);
  const send = useMutation({
    mutationFn: (value: JsonValue) => call("POST /requests/:id/answer", { params: { id }, body: { value } }),
    onSuccess: () => {
      setText(undefined);
      setChoice(undefined);
      toast(t(words.sent));
      return invalidate(client, "/requests", "/runs");
    },
    // Answering is idempotent. After an error, the refetch shows an answer that came first, or that the run has ended.
    onError: () => {
      setFailedAt(Date.now());
      void invalidate(client, "/requests", "/runs");
    },
  });
  const value = valueOf(ask.form, text, choice);
  return (
    <Form
      className="stack tight"
      onSubmit={() => {
        if (value !== undefined) send.mutate(value);
      }}
    >
      {ask.form === "choice" && (
        <fieldset className="stack tight plain">
          <legend className="hidden-visually">{ask.question}</legend>
          {ask.options?.map((option) => (
            <label key={option} className="row">
              <input type="radio" name={id} checked={choice === option} onChange={() => setChoice(option)} /> {option}
            </label>
          ))}
        </fieldset>
      )}
      {(ask.form === "text" || ask.form === "review") && (
        <TextArea label={t(ask.form === "text" ? words.text : words.comment)} rows={3} value={text} onText={setText} />
      )}
      {ask.form === "number" && <TextField label={t(words.number)} inputMode="decimal" value={text} onText={setText} />}
      {send.error && <MutationError error={send.error} fate={readAt > failedAt ? "waits" : "unknown"} />}
      {ask.form === "review" ? (
        <div className="row">
          {(["approve", "reject"] as const).map((decision) => (
            <Button
              key={decision}
              tone={decision === "approve" ? "primary" : "danger"}
              disabled={send.isPending}
              onClick={() => send.mutate({ decision, ...(text.trim() !== "" && { comment: text.trim() }) })}
            >
              {t(words[decision])}
            </Button>
          ))}
        </div>
      ) : (
        <p>
          <button type="submit" className="button primary" disabled={value === undefined || send.isPending}>
            {t(words.send)}
          </button>
        </p>
      )}
    </Form>
  );
}

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
  waits: { en: "needs your answer", uk: "чекає вашої відповіді" },
  answered: { en: "answered", uk: "є відповідь" },
  text: { en: "Your answer", uk: "Ваша відповідь" },
  number: { en: "Number", uk: "Число" },
  comment: { en: "Comment (optional)", uk: "Коментар (за бажанням)" },
  approve: { en: "Approve", uk: "Схвалити" },
  reject: { en: "Reject", uk: "Відхилити" },
  send: { en: "Answer", uk: "Відповісти" },
  sent: { en: "Answered. The run continues.", uk: "Відповідь надіслано. Запуск іде далі." },
} as const satisfies Record<string, Text>;
