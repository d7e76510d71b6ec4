import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/client.ts";
import type { Json, StepCard } from "../../api/endpoints.gen.ts";
import { useOneWish } from "../../api/one-wish.ts";
import { reading } from "../../api/queries.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { useDraft } from "../../parts/draft.ts";
import { NotDone } from "../../parts/not-done.tsx";
import { typed } from "../../parts/run-now.tsx";
import { Shown } from "../../parts/state.tsx";
import { type Text, useReader, useSay } from "../../words/say.ts";
import { duration, number } from "../../words/time.ts";
import "../../style/run.css";

/** What a run did, step by step; what each was given and gave is fetched when it is opened. */
export function Steps(props: {
  readonly run: string;
  readonly steps: readonly StepCard[];
  /** Only those at this icon of the diagram, if one was chosen. */
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
  const say = useSay();
  const { language } = useReader();
  const [open, setOpen] = useState(false);
  const took = Date.parse(step.finished_at) - Date.parse(step.started_at);
  const tokens = step.tokens && step.tokens.input + step.tokens.output;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className="position">{step.position}</span>
        <span className={`tag ${step.failure ? "bad" : step.kind === "step" ? "" : "info"}`}>
          {say(words[step.kind])}
        </span>
        <strong className="break">{step.name}</strong>
        <span className="quiet small">
          {duration(took, language)}
          {tokens !== undefined && tokens > 0 && ` · ${say(words.tokens, number(tokens, language))}`}
          {step.attempt > 1 && ` · ${say(words.attempt, step.attempt)}`}
          {step.line !== undefined && ` · ${say(words.line, step.line)}`}
        </span>
        {step.failure && <span className="failure">{say(step.failure.text)}</span>}
      </summary>
      {open && (
        <div className="stack tight">
          <Inside run={run} position={step.position} />
          {mayFork && <Fork run={run} at={step.position} />}
        </div>
      )}
    </details>
  );
}

function Inside({ run, position }: { readonly run: string; readonly position: number }) {
  const say = useSay();
  const read = useQuery(
    reading("GET /runs/:run/steps", { params: { run }, query: { after: String(position - 1), limit: "1" } }),
  );
  return (
    <Shown of={read}>
      {({ steps: [step] }) =>
        step && (
          <>
            <Value label={say(words.given)} value={step.input} />
            {step.output !== undefined && <Value label={say(words.gave)} value={step.output} />}
          </>
        )
      }
    </Shown>
  );
}

const SHOWN = 20_000;

function Value({ label, value }: { readonly label: string; readonly value: Json }) {
  const say = useSay();
  const [whole, setWhole] = useState(false);
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return (
    <div className="stack tight">
      <span className="quiet small">{label}</span>
      <pre className="value">{whole ? text : text.slice(0, SHOWN)}</pre>
      {!whole && text.length > SHOWN && (
        <button type="button" className="button" onClick={() => setWhole(true)}>
          {say(words.whole)}
        </button>
      )}
    </div>
  );
}

/** O-7: a copy that shares the journal up to here and goes on alone, with another input if wanted. */
function Fork({ run, at }: { readonly run: string; readonly at: number }) {
  const say = useSay();
  const navigate = useNavigate();
  const [asks, setAsks] = useState(false);
  const [name, setName] = useDraft(`fork.${run}.${at}.name`);
  const [value, setValue] = useDraft(`fork.${run}.${at}.value`);
  const { wishName, answered } = useOneWish();
  const fork = useMutation({
    mutationFn: () => {
      const body = { at, ...(name.trim() !== "" && { set: { [name.trim()]: typed(value) } }) };
      return call("POST /runs/:run/fork", { params: { run }, body, correlation: wishName([run, body]) });
    },
    onSuccess: ({ run: made }) => {
      answered();
      setName(undefined);
      setValue(undefined);
      return navigate({ to: "/runs/$run", params: { run: made.run_id } });
    },
  });
  return (
    <div>
      <button type="button" className="button" onClick={() => setAsks(true)}>
        {say(words.fork)}
      </button>
      {asks && (
        <Dialog title={say(words.forkAsk, at)} onClose={() => setAsks(false)}>
          <p className="quiet">{say(words.forkAbout)}</p>
          <label className="labelled">
            <span>{say(words.setName)}</span>
            <input className="field" value={name} onChange={({ target }) => setName(target.value)} />
          </label>
          <label className="labelled">
            <span>{say(words.setValue)}</span>
            <input className="field" value={value} onChange={({ target }) => setValue(target.value)} />
          </label>
          {fork.error && <NotDone error={fork.error} fate="repeat" />}
          <div className="row">
            <button type="button" className="button primary" disabled={fork.isPending} onClick={() => fork.mutate()}>
              {say(words.fork)}
            </button>
            <button type="button" className="button" onClick={() => setAsks(false)}>
              {say(words.back)}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

const words = {
  step: { en: "step", uk: "крок" },
  model: { en: "model", uk: "модель" },
  tool: { en: "tool", uk: "інструмент" },
  tokens: { en: "{} tokens", uk: "{} токенів" },
  attempt: { en: "attempt {}", uk: "спроба {}" },
  line: { en: "line {}", uk: "рядок {}" },
  given: { en: "Was given", uk: "Отримав" },
  gave: { en: "Gave", uk: "Дав" },
  whole: { en: "All of it", uk: "Усе" },
  fork: { en: "Fork here", uk: "Відгалузити тут" },
  forkAsk: { en: "Fork at step {}?", uk: "Відгалузити на кроці {}?" },
  forkAbout: {
    en: "The copy shares everything up to here and goes on alone. What it proposes is marked and waits for you.",
    uk: "Копія має все до цього кроку й далі йде сама. Її пропозиції позначено, і вони чекають на вас.",
  },
  setName: { en: "Input to change (its name)", uk: "Який вхід змінити (назва)" },
  setValue: { en: "Its new value", uk: "Нове значення" },
  back: { en: "Back", uk: "Назад" },
} as const satisfies Record<string, Text>;
