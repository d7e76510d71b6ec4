import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { Button, TextField } from "../../components/form.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { SettingsList } from "./settings-list.tsx";

/** P-12a: destinations of notifications, what became of their messages, and a test message. Commands are set in garden.yaml only. */
export function NotifySettings() {
  const t = useT();
  const toast = useToast();
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [variable, setVariable] = useState("");
  const [kinds, setKinds] = useState<readonly NotifyKind[]>(ALL);
  const [digest, setDigest] = useState("");
  const [quietFrom, setQuietFrom] = useState("");
  const [quietTo, setQuietTo] = useState("");
  const reports = useQuery(query("GET /notify", {}));
  const test = useMutation({
    mutationFn: (to: string) => call("POST /notify/test", { body: { name: to } }),
    onSuccess: ({ results }) => {
      for (const { ok, error } of results) toast(ok || !error ? t(words.sent) : t(error));
    },
  });
  const isComplete = name.trim() !== "" && /^https?:\/\/./.test(url.trim()) && variable.trim() !== "";
  const destination = {
    name: name.trim(),
    webhook: url.trim(),
    secret_env: variable.trim(),
    kinds: [...kinds],
    ...(digest !== "" && { digest }),
    ...(quietFrom !== "" && quietTo !== "" && { quiet: { from: quietFrom, to: quietTo } }),
  };
  return (
    <SettingsList
      list="notify"
      labels={words}
      keyOf={(each) => each.name}
      row={(each) => {
        const report = reports.data?.destinations.find((one) => one.name === each.name);
        return {
          name: each.name,
          about: <code>{report?.address ?? each.secret_env ?? ""}</code>,
          value: (
            <>
              {report && (
                <span className={`state ${report.error ? "bad" : report.waiting > 0 ? "wait" : "good"}`}>
                  {t(words.counts, report.sent, report.waiting, report.failed)}
                </span>
              )}
              {each.digest !== undefined && <p className="meta">{t(words.digestAt, each.digest)}</p>}
              {each.quiet && <p className="meta">{t(words.quietBetween, each.quiet.from, each.quiet.to)}</p>}
              {report?.error && <p className="meta">{t(report.error)}</p>}
            </>
          ),
          action: (
            <Button tone="small" disabled={test.isPending} onClick={() => test.mutate(each.name)}>
              {t(words.test)}
            </Button>
          ),
        };
      }}
      newItem={isComplete && kinds.length > 0 ? destination : undefined}
      onAdded={() => setName("")}
    >
      <div className="two">
        <TextField label={t(words.name)} value={name} onText={setName} />
        <TextField label={t(words.url)} value={url} onText={setUrl} />
      </div>
      <TextField label={t(words.variable)} value={variable} onText={setVariable} />
      <fieldset className="plain">
        <legend className="label">{t(words.when)}</legend>
        <div className="row">
          {ALL.map((kind) => (
            <label key={kind} className="row">
              <input
                type="checkbox"
                checked={kinds.includes(kind)}
                onChange={({ target }) =>
                  setKinds(target.checked ? [...kinds, kind] : kinds.filter((each) => each !== kind))
                }
              />
              {t(kindWords[kind])}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="three">
        <TextField label={t(words.digest)} type="time" value={digest} onText={setDigest} />
        <TextField label={t(words.quietFrom)} type="time" value={quietFrom} onText={setQuietFrom} />
        <TextField label={t(words.quietTo)} type="time" value={quietTo} onText={setQuietTo} />
      </div>
    </SettingsList>
  );
}

type NotifyKind = AnswerOf<"GET /settings/notify">["items"][number]["kinds"][number];

const ALL: readonly NotifyKind[] = [
  "proposal",
  "expiring",
  "question",
  "agent-error",
  "run-failed",
  "apply-failed",
  "regression",
  "settings-refused",
  "disk-full",
];

const kindWords: Readonly<Record<NotifyKind, Text>> = {
  proposal: { en: "a proposal", uk: "пропозиція" },
  expiring: { en: "one that expires soon", uk: "пропозиція, що спливає" },
  question: { en: "a question", uk: "запитання" },
  "agent-error": { en: "an agent in error", uk: "помилка агента" },
  "run-failed": { en: "a failed run", uk: "невдалий запуск" },
  "apply-failed": { en: "a change that could not be applied", uk: "зміна, яку не вдалося застосувати" },
  regression: { en: "a version that does worse", uk: "гірша версія логіки" },
  "settings-refused": { en: "refused settings", uk: "відхилені налаштування" },
  "disk-full": { en: "a full disk", uk: "повний диск" },
};

const words = {
  title: { en: "Notifications", uk: "Сповіщення" },
  about: {
    en: "A signed message when something needs you: a proposal, a question, an agent in error.",
    uk: "Підписане повідомлення, коли щось чекає на вас: пропозиція, запитання, збій агента.",
  },
  none: { en: "No destinations: nobody is notified.", uk: "Отримувачів немає: сповіщення нікому не надсилаються." },
  add: { en: "Add a destination", uk: "Додати отримувача" },
  when: { en: "Tell about", uk: "Повідомляти про" },
  digest: { en: "Once a day at (optional)", uk: "Раз на день о (необов’язково)" },
  digestAt: { en: "once a day at {}", uk: "раз на день о {}" },
  quietFrom: { en: "Quiet from (optional)", uk: "Тихо від (необов’язково)" },
  quietTo: { en: "Quiet until", uk: "Тихо до" },
  quietBetween: { en: "quiet from {} to {}", uk: "тихо від {} до {}" },
  addIt: { en: "Add", uk: "Додати" },
  name: { en: "Name", uk: "Назва" },
  url: { en: "Address of the webhook", uk: "Адреса вебхука" },
  variable: { en: "Environment variable with its secret", uk: "Змінна середовища з його секретом" },
  counts: { en: "sent {}, waiting {}, failed {}", uk: "надіслано {}, чекає {}, не вдалося {}" },
  test: { en: "Send a test", uk: "Надіслати пробу" },
  sent: { en: "Sent", uk: "Надіслано" },
} as const satisfies Record<string, Text>;
