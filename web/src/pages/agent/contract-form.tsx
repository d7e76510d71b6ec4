import { useMutation, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { frontField, withFrontField } from "../../../../src/domain/contract/front-edit.ts";
import { type AnswerOf, call } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { Button, TextArea, TextField } from "../../components/form.tsx";
import { dateTime, duration, money } from "../../i18n/format.ts";
import { scheduleText } from "../../i18n/schedule.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";

type Check = AnswerOf<"POST /agents/:slug/contract/check"> | undefined;

interface FormProps {
  readonly text: string;
  readonly checked: Check;
  readonly onText: (text: string | undefined) => void;
}

const PRESETS = ["", "0 8 * * *", "30 6 * * 1-5", "0 7 * * 1", "0 5 1 * *"] as const;

/** The fields of the front matter that people change. Each edits the text in place. */
export function ContractForm({ text, checked, onText }: FormProps) {
  const t = useT();
  const isReadable = frontField(text, []) !== undefined;
  const value = (...path: readonly string[]): string => textField(text, path);
  const set = (path: readonly [string, ...string[]], now: string): void =>
    onText(withFrontField(text, path, now === "" ? undefined : now));
  const setNumber = (path: readonly [string, ...string[]], now: string): void =>
    onText(withFrontField(text, path, /^\d+$/.test(now) ? Number(now) : undefined));
  if (!isReadable)
    return (
      <section className="contract-form" aria-label={t(words.form)}>
        <p className="warning">{t(words.unread)}</p>
      </section>
    );
  return (
    <section className="contract-form" aria-label={t(words.form)}>
      <TextField label={t(words.name)} value={value("name")} onText={(now) => set(["name"], now)} />
      <TextArea
        label={t(words.purpose)}
        rows={3}
        value={value("description")}
        onText={(now) => set(["description"], now.replaceAll("\n", " "))}
      />
      <ModelField text={text} checked={checked} onText={onText} />
      <ScheduleField text={text} checked={checked} onText={onText} />
      <div className="two">
        <TextField
          label={t(words.turns)}
          inputMode="numeric"
          value={value("max_steps")}
          onText={(now) => setNumber(["max_steps"], now)}
        />
        <TextField
          label={t(words.proposals)}
          inputMode="numeric"
          placeholder="10"
          value={value("budget", "proposals")}
          onText={(now) => setNumber(["budget", "proposals"], now)}
        />
      </div>
      <div className="two">
        <TextField
          label={t(words.folder)}
          placeholder={t(words.everywhere)}
          value={value("context", "folder")}
          onText={(now) => set(["context", "folder"], now)}
        />
        <TextField
          label={t(words.sources)}
          inputMode="numeric"
          placeholder="10"
          value={value("context", "max_sources")}
          onText={(now) => setNumber(["context", "max_sources"], now)}
        />
      </div>
    </section>
  );
}

/** A text or a number of the front matter; "" for anything else. */
function textField(text: string, path: readonly string[]): string {
  const found = frontField(text, path);
  return typeof found === "string" || typeof found === "number" ? String(found) : "";
}

/** The model: choices, its price, what is missing, and a test call. */
function ModelField({ text, checked, onText }: FormProps) {
  const t = useT();
  const { language } = usePreferences();
  const list = useId();
  const choices = useQuery(query("GET /models", {})).data?.choices ?? [];
  const id = textField(text, ["model"]);
  const test = useMutation({ mutationFn: (model: string) => call("POST /models/test", { body: { id: model } }) });
  const facts = checked?.model;
  return (
    <div className="stack tight">
      <TextField
        label={t(words.model)}
        list={list}
        value={id}
        spellCheck={false}
        onText={(now) => onText(withFrontField(text, ["model"], now))}
      />
      <datalist id={list}>
        {choices.map((choice) => (
          <option key={choice} value={choice} />
        ))}
      </datalist>
      <p className="meta">
        {id === "bloom/follower"
          ? t(words.free)
          : facts?.price
            ? t(
                words.price,
                money(facts.price.input, facts.price.currency, language),
                money(facts.price.output, facts.price.currency, language),
              )
            : t(words.noPrice)}
        {facts?.trouble && <span className="bad-text"> {t(facts.trouble)}</span>}
      </p>
      {id !== "bloom/follower" && (
        <p className="row">
          <Button tone="small" disabled={test.isPending || id === ""} onClick={() => test.mutate(id)}>
            {t(words.test)}
          </Button>
          {test.data && (
            <span className={`state ${test.data.ok ? "good" : "bad"}`}>
              {test.data.ok
                ? t(words.answered, duration(test.data.ms ?? 0, language))
                : t(test.data.error ?? words.noAnswer)}
            </span>
          )}
        </p>
      )}
    </div>
  );
}

/** The schedule in words, with the next times; any other cron expression is typed. */
function ScheduleField({ text, checked, onText }: FormProps) {
  const t = useT();
  const { language } = usePreferences();
  const cron = textField(text, ["triggers", "cron"]);
  const isPreset = PRESETS.some((preset) => preset === cron);
  const set = (now: string): void => onText(withFrontField(text, ["triggers", "cron"], now === "" ? undefined : now));
  return (
    <div className="stack tight">
      <label className="labelled">
        <span>{t(words.runs)}</span>
        <select aria-label={t(words.runs)} className="field" value={cron} onChange={({ target }) => set(target.value)}>
          {PRESETS.map((preset) => (
            <option key={preset} value={preset}>
              {preset === "" ? t(words.byHand) : scheduleText(preset, language)}
            </option>
          ))}
          {!isPreset && <option value={cron}>{scheduleText(cron, language)}</option>}
        </select>
      </label>
      <TextField label={t(words.cron)} value={cron} placeholder="0 8 * * 1-5" spellCheck={false} onText={set} />
      {checked && checked.next.length > 0 && (
        <p className="meta">
          {t(words.next)} {checked.next.map((at) => dateTime(at, language)).join("; ")} ({checked.timezone})
        </p>
      )}
    </div>
  );
}

const words = {
  form: { en: "Fields", uk: "Поля" },
  unread: {
    en: "The front matter cannot be read. Repair it in the text; the form follows.",
    uk: "Поля на початку файлу не читаються. Виправте їх у тексті; форма піде слідом.",
  },
  name: { en: "Name", uk: "Назва" },
  purpose: { en: "Purpose", uk: "Призначення" },
  model: { en: "Model", uk: "Модель" },
  free: {
    en: "Built in: follows the procedure, free, no network.",
    uk: "Вбудована: виконує процедуру, безкоштовно, без мережі.",
  },
  price: { en: "{} in, {} out for a million tokens.", uk: "{} на вхід, {} на вихід за мільйон токенів." },
  noPrice: { en: "No price is set for it in the settings.", uk: "У налаштуваннях для неї немає ціни." },
  test: { en: "Make a test call", uk: "Зробити пробний виклик" },
  answered: { en: "Answered in {}", uk: "Відповіла за {}" },
  noAnswer: { en: "No answer", uk: "Не відповіла" },
  runs: { en: "Runs", uk: "Запускається" },
  byHand: { en: "When you ask", uk: "Коли ви попросите" },
  cron: { en: "Other schedule (cron)", uk: "Інший розклад (cron)" },
  next: { en: "Next:", uk: "Далі:" },
  turns: { en: "Max model turns", uk: "Звертань до моделі" },
  proposals: { en: "Proposals a run", uk: "Пропозицій за запуск" },
  folder: { en: "Reads folder", uk: "Читає теку" },
  everywhere: { en: "all notes", uk: "усі нотатки" },
  sources: { en: "Notes a run", uk: "Нотаток за запуск" },
} as const satisfies Record<string, Text>;
