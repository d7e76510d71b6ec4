import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { Button, TextField } from "../../components/form.tsx";
import { SettingsList } from "../../components/settings-list.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** P-12a: destinations of notifications, what became of their messages, and a test message. Commands are set in garden.yaml only. */
export function NotifySettings() {
  const t = useT();
  const toast = useToast();
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [variable, setVariable] = useState("");
  const reports = useQuery(query("GET /notify", {}));
  const test = useMutation({
    mutationFn: (to: string) => call("POST /notify/test", { body: { name: to } }),
    onSuccess: ({ results }) => {
      for (const { ok, error } of results) toast(ok || !error ? t(words.sent) : t(error));
    },
  });
  const isComplete = name.trim() !== "" && /^https?:\/\/./.test(url.trim()) && variable.trim() !== "";
  const destination = { name: name.trim(), webhook: url.trim(), secret_env: variable.trim(), kinds: ALL };
  return (
    <SettingsList
      list="notify"
      labels={words}
      keyOf={(each) => each.name}
      row={(each) => {
        const report = reports.data?.destinations.find((one) => one.name === each.name);
        return (
          <>
            <strong>{each.name}</strong> <code>{report?.address ?? each.secret_env ?? ""}</code>{" "}
            {report && t(words.counts, String(report.sent), String(report.waiting), String(report.failed))}{" "}
            <Button disabled={test.isPending} onClick={() => test.mutate(each.name)}>
              {t(words.test)}
            </Button>
            {report?.error && <p className="quiet small">{t(report.error)}</p>}
          </>
        );
      }}
      newItem={isComplete ? destination : undefined}
      onAdded={() => setName("")}
    >
      <div className="two">
        <TextField label={t(words.name)} value={name} onText={setName} />
        <TextField label={t(words.url)} value={url} onText={setUrl} />
      </div>
      <TextField label={t(words.variable)} value={variable} onText={setVariable} />
    </SettingsList>
  );
}

const ALL: AnswerOf<"GET /settings/notify">["items"][number]["kinds"] = [
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

const words = {
  title: { en: "Notifications", uk: "Сповіщення" },
  about: {
    en: "A signed message when something needs you: a proposal, a question, an agent in error.",
    uk: "Підписане повідомлення, коли щось чекає на вас: пропозиція, запитання, агент у стані error.",
  },
  none: { en: "No destinations", uk: "Немає куди надсилати." },
  add: { en: "New destination", uk: "Нове місце" },
  addIt: { en: "Add destination", uk: "Додати" },
  name: { en: "Name", uk: "Назва" },
  url: { en: "Address of the webhook", uk: "Адреса вебхука" },
  variable: { en: "Environment variable with its secret", uk: "Змінна середовища з його секретом" },
  counts: { en: "sent {}, waiting {}, failed {}", uk: "надіслано {}, чекає {}, не вдалося {}" },
  test: { en: "Send a test", uk: "Надіслати пробу" },
  sent: { en: "Sent", uk: "Надіслано" },
} as const satisfies Record<string, Text>;
