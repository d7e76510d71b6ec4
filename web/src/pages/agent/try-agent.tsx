import { useMutation, useQuery } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Diff } from "../../components/diff.tsx";
import { Button, Form, TextField } from "../../components/form.tsx";
import { jsonOrText } from "../../components/input-kind.ts";
import { actionLabels } from "../../components/labels.ts";
import { Failed } from "../../components/query-result.tsx";
import { duration, money } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";

type Trial = AnswerOf<"POST /agents/:slug/try">;

/** Tries an agent without proposing: with `text`, a contract that is not saved yet. */
export function TryAgent({ slug, text }: { readonly slug: string; readonly text?: string }) {
  const t = useT();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <FlaskConical size={15} aria-hidden="true" />
        {t(words.open)}
      </Button>
      {isOpen && <TrialDialog slug={slug} text={text} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function TrialDialog(props: {
  readonly slug: string;
  readonly text: string | undefined;
  readonly onClose: () => void;
}) {
  const { slug, text, onClose } = props;
  const t = useT();
  const parameters = useQuery(query("GET /agents/:slug/parameters", { params: { slug } })).data?.parameters ?? [];
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({});
  const trial = useMutation({
    mutationFn: () => {
      const input = Object.fromEntries(parameters.map(({ name }) => [name, jsonOrText(given[name] ?? "")]));
      const body = { ...(parameters.length > 0 && { input }), ...(text !== undefined && { text }) };
      return call("POST /agents/:slug/try", { params: { slug }, body });
    },
  });
  return (
    <Dialog title={t(words.title, slug)} onClose={onClose}>
      <p className="quiet">{t(words.about)}</p>
      <Form className="stack tight" onSubmit={() => trial.mutate()}>
        {parameters.map(({ name, remark }) => (
          <TextField
            key={name}
            label={remark === undefined ? name : `${name}: ${remark}`}
            value={given[name] ?? ""}
            onText={(value) => setGiven((before) => ({ ...before, [name]: value }))}
          />
        ))}
        <p className="row">
          <button type="submit" className="button primary" disabled={trial.isPending}>
            {t(trial.isPending ? words.trying : trial.data ? words.again : words.start)}
          </button>
          <Button onClick={onClose}>{t(words.close)}</Button>
        </p>
      </Form>
      {trial.error && <Failed error={trial.error} />}
      {trial.data && <TrialResult trial={trial.data} />}
    </Dialog>
  );
}

function TrialResult({ trial }: { readonly trial: Trial }) {
  const t = useT();
  const { language } = usePreferences();
  const { effects, steps, question, outcome, tokens, cost } = trial;
  const possible = effects.filter(({ refusal }) => refusal === undefined).length;
  const spent = tokens.input + tokens.output;
  return (
    <div className="trial stack" role="status">
      <p className="lede">{possible === 0 ? t(words.noChange) : t(words.verdict, possible)}</p>
      <p className="meta">
        {t(words.calls, steps.length)}
        {spent > 0 && <> · {t(words.tokens, spent)}</>}
        {cost && <> · {money(cost.amount, cost.currency, language)}</>} · {t(words.nothing)}
      </p>
      {question !== undefined && <p className="warning">{t(words.asks, question)}</p>}
      {outcome?.reason !== undefined && <p className="quiet">{outcome.reason}</p>}
      {effects.map(({ action, summary, target, files, sentences, refusal }, index) => (
        // oxlint-disable-next-line no-array-index-key -- effects keep their order
        <section key={index} className="card stack tight">
          <h3>{summary}</h3>
          <p className="meta">
            {t(actionLabels[action] ?? { en: action, uk: action })}
            {target !== undefined && <> · {target}</>}
          </p>
          {refusal && <p className="warning">{t(words.refused, t(refusal))}</p>}
          {sentences.map((sentence) => (
            <p key={sentence.en}>{t(sentence)}</p>
          ))}
          {sentences.length === 0 && files.map(({ path, patch }) => <Diff key={path} patch={patch} />)}
        </section>
      ))}
      <details>
        <summary>{t(words.steps, steps.length)}</summary>
        <ol className="trial-steps">
          {steps.map(({ name, gist, ms, failure, line }, index) => (
            // oxlint-disable-next-line no-array-index-key -- steps keep their order
            <li key={index}>
              <code>{name}</code> <span className="cut">{failure ? t(failure) : gist}</span>
              <span className="meta number">
                {line !== undefined && `${t(words.line, line)} · `}
                {duration(ms, language)}
              </span>
            </li>
          ))}
        </ol>
      </details>
    </div>
  );
}

const words = {
  open: { en: "Try without proposing", uk: "Спробувати без пропозицій" },
  title: { en: "Try {} without proposing", uk: "Спробувати {} без пропозицій" },
  about: {
    en: "It does its work on the garden as it is now and shows what it would propose. Nothing is filed or remembered. Calls of a language model are real.",
    uk: "Він виконає роботу на саді, який він є зараз, і покаже, що запропонував би. Нічого не подається й не запам’ятовується. Виклики мовної моделі справжні.",
  },
  start: { en: "Try it", uk: "Спробувати" },
  again: { en: "Try again", uk: "Спробувати ще раз" },
  trying: { en: "Trying…", uk: "Пробую…" },
  close: { en: "Close", uk: "Закрити" },
  verdict: {
    en: "It would propose {} [change|changes].",
    uk: "Він запропонував би {} [зміну|зміни|змін].",
  },
  noChange: { en: "It would propose nothing.", uk: "Він нічого не запропонував би." },
  calls: { en: "{} [call|calls]", uk: "{} [виклик|виклики|викликів]" },
  tokens: { en: "{} [token|tokens]", uk: "{} [токен|токени|токенів]" },
  nothing: { en: "nothing was written", uk: "нічого не записано" },
  asks: { en: "It would ask you here: {}", uk: "Тут він запитав би вас: {}" },
  refused: { en: "Would be refused: {}", uk: "Було б відмовлено: {}" },
  steps: { en: "{} [step|steps]", uk: "{} [крок|кроки|кроків]" },
  line: { en: "line {}", uk: "рядок {}" },
} as const satisfies Record<string, Text>;
