import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/client.ts";
import type { JsonValue, StepCard } from "../../api/endpoints.gen.ts";
import { useIdempotencyKey } from "../../api/idempotency-key.ts";
import { query } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { useDraft } from "../../components/draft.ts";
import { Button, TextField } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { jsonOrText } from "../../components/run-inputs.tsx";
import { duration, number } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import "../../style/run.css";

/** The steps of a run. Input and output of a step are fetched when it is opened. */
export function Steps(props: {
  readonly run: string;
  readonly steps: readonly StepCard[];
  /** Steps at this icon are highlighted. */
  readonly icon: string | undefined;
  readonly mayFork: boolean;
}) {
  const { run, steps, icon, mayFork } = props;
  return (
    <ol className="steps">
      {steps.map((step) => (
        <li key={step.position} className={icon !== undefined && step.icon === icon ? "chosen" : undefined}>
          <Row run={run} step={step} mayFork={mayFork} />
        </li>
      ))}
    </ol>
  );
}

function Row({ run, step, mayFork }: { readonly run: string; readonly step: StepCard; readonly mayFork: boolean }) {
  const t = useT();
  const { language } = usePreferences();
  const [open, setOpen] = useState(false);
  const took = Date.parse(step.finished_at) - Date.parse(step.started_at);
  const tokens = step.tokens && step.tokens.input + step.tokens.output;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className="position">{step.position}</span>
        <span className={`tag ${step.failure ? "bad" : step.kind === "step" ? "" : "info"}`}>
          {t(words[step.kind])}
        </span>
        <strong className="break">{step.name}</strong>
        <span className="quiet small">
          {duration(took, language)}
          {tokens !== undefined && tokens > 0 && ` · ${t(words.tokens, number(tokens, language))}`}
          {step.attempt > 1 && ` · ${t(words.attempt, step.attempt)}`}
          {step.waited_s !== undefined && ` · ${t(words.waited, number(step.waited_s, language))}`}
          {step.line !== undefined && ` · ${t(words.line, step.line)}`}
        </span>
        {step.failure && <span className="failure">{t(step.failure.text)}</span>}
      </summary>
      {open && (
        <div className="stack tight">
          <StepValues run={run} position={step.position} />
          {mayFork && <Fork run={run} at={step.position} />}
        </div>
      )}
    </details>
  );
}

function StepValues({ run, position }: { readonly run: string; readonly position: number }) {
  const t = useT();
  const read = useQuery(
    query("GET /runs/:run/steps", { params: { run }, query: { after: String(position - 1), limit: "1" } }),
  );
  return (
    <QueryResult of={read}>
      {({ steps: [step] }) =>
        step && (
          <>
            <Value label={t(words.given)} value={step.input} />
            {step.output !== undefined && <Value label={t(words.gave)} value={step.output} />}
          </>
        )
      }
    </QueryResult>
  );
}

const SHOWN = 20_000;

function Value({ label, value }: { readonly label: string; readonly value: JsonValue }) {
  const t = useT();
  const [whole, setWhole] = useState(false);
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return (
    <div className="stack tight">
      <span className="quiet small">{label}</span>
      <pre className="value">{whole ? text : text.slice(0, SHOWN)}</pre>
      {!whole && text.length > SHOWN && <Button onClick={() => setWhole(true)}>{t(words.whole)}</Button>}
    </div>
  );
}

/** O-7: a fork shares the journal up to this step and continues alone, with another input if wanted. */
function Fork({ run, at }: { readonly run: string; readonly at: number }) {
  const t = useT();
  const navigate = useNavigate();
  const [asks, setAsks] = useState(false);
  const [name, setName] = useDraft(`fork.${run}.${at}.name`);
  const [value, setValue] = useDraft(`fork.${run}.${at}.value`);
  const { keyFor, reset } = useIdempotencyKey();
  const fork = useMutation({
    mutationFn: () => {
      const body = { at, ...(name.trim() !== "" && { set: { [name.trim()]: jsonOrText(value) } }) };
      return call("POST /runs/:run/fork", { params: { run }, body, correlation: keyFor([run, body]) });
    },
    onSuccess: ({ run: made }) => {
      reset();
      setName(undefined);
      setValue(undefined);
      return navigate({ to: "/runs/$run", params: { run: made.run_id } });
    },
  });
  return (
    <div>
      <Button onClick={() => setAsks(true)}>{t(words.fork)}</Button>
      {asks && (
        <ActionDialog
          title={t(words.forkAsk, at)}
          action={{
            label: t(words.fork),
            tone: "primary",
            isDisabled: fork.isPending,
            onConfirm: () => fork.mutate(),
          }}
          error={fork.error && <MutationError error={fork.error} fate="repeat" />}
          onClose={() => setAsks(false)}
        >
          <p className="quiet">{t(words.forkAbout)}</p>
          <TextField label={t(words.setName)} value={name} onText={setName} />
          <TextField label={t(words.setValue)} value={value} onText={setValue} />
        </ActionDialog>
      )}
    </div>
  );
}

const words = {
  step: { en: "step", uk: "крок" },
  model: { en: "model", uk: "модель" },
  tool: { en: "tool", uk: "інструмент" },
  tokens: { en: "{} [token|tokens]", uk: "{} [токен|токени|токенів]" },
  waited: { en: "waited {} s for the rate limit", uk: "чекав {} с через обмеження частоти" },
  attempt: { en: "attempt {}", uk: "спроба {}" },
  line: { en: "line {}", uk: "рядок {}" },
  given: { en: "Input", uk: "Вхід" },
  gave: { en: "Output", uk: "Вихід" },
  whole: { en: "Show all", uk: "Усе" },
  fork: { en: "Fork here", uk: "Відгалузити тут" },
  forkAsk: { en: "Fork at step {}?", uk: "Відгалузити на кроці {}?" },
  forkAbout: {
    en: "The fork shares everything up to this step and continues alone. Its proposals are marked and need your approval.",
    uk: "Копія має все до цього кроку й далі йде сама. Її пропозиції позначено, і вони чекають на вас.",
  },
  setName: { en: "Name of an input to change", uk: "Який вхід змінити (назва)" },
  setValue: { en: "New value", uk: "Нове значення" },
} as const satisfies Record<string, Text>;
