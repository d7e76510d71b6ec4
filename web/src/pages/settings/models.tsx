import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { Button, Form, TextField } from "../../components/form.tsx";
import { AgentLink } from "../../components/links.tsx";
import { Empty, QueryResult } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { AddForm, RowError, SettingRow, SettingsSection } from "./section.tsx";
import { useSetting } from "./use-setting.ts";
import { settingIn } from "./values.ts";

type Model = AnswerOf<"GET /models">["models"][number];

/** The models of the agents: what each needs, what is missing, and a test call. Keys are names of variables, never values. */
export function ModelSection() {
  const t = useT();
  const models = useQuery(query("GET /models", {}));
  return (
    <SettingsSection id="models" title={t(words.title)} about={t(words.about)}>
      <QueryResult of={models}>
        {({ models: list }) =>
          list.length === 0 ? (
            <Empty>{t(words.none)}</Empty>
          ) : (
            list.map((model) => <ModelRow key={model.id} model={model} />)
          )
        }
      </QueryResult>
      <OwnServers />
    </SettingsSection>
  );
}

function ModelRow({ model }: { readonly model: Model }) {
  const t = useT();
  const { id, agents, host, variables, ok, trouble, hint } = model;
  const test = useMutation({ mutationFn: () => call("POST /models/test", { body: { id } }) });
  const result = test.data;
  const usedBy =
    agents.length === 0
      ? t(words.unused)
      : agents.map((slug, at) => (
          <span key={slug}>
            {at > 0 && ", "}
            <AgentLink slug={slug}>{slug}</AgentLink>
          </span>
        ));
  return (
    <SettingRow
      name={<code>{id}</code>}
      about={usedBy}
      action={
        <Button tone="small" disabled={test.isPending} onClick={() => test.mutate()}>
          {t(test.isPending ? words.testing : words.test)}
        </Button>
      }
    >
      <span className="row">
        {variables.map((name) => (
          <code key={name}>{name}</code>
        ))}
        <span className={`state ${ok ? "good" : "warn"}`}>{t(ok ? words.found : words.missing)}</span>
        {host !== undefined && <span className="meta">{host}</span>}
      </span>
      {trouble && (
        <p className="small">
          {t(trouble)} {hint && <span className="quiet">{t(hint)}</span>}
        </p>
      )}
      <div role="status">
        {result?.ok === true && (
          <p className="state good">{t(words.answered, Math.round(result.ms ?? 0), result.text ?? "")}</p>
        )}
        {result?.ok === false && result.error && (
          <p className="small">
            <strong>{t(result.error)}</strong> {result.hint && <span className="quiet">{t(result.hint)}</span>}
          </p>
        )}
      </div>
      {test.error && <RowError error={test.error} />}
    </SettingRow>
  );
}

/** Servers of the owner that speak the protocol of OpenAI, and prices of models. */
function OwnServers() {
  const t = useT();
  const change = useSetting();
  const settings = useQuery(query("GET /settings", {})).data?.settings ?? {};
  const servers = Object.entries(
    (settingIn(settings, "models") ?? {}) as Record<string, { url: string; key_env?: string }>,
  );
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [variable, setVariable] = useState("");
  const isComplete = /^[a-z0-9-]+$/.test(name.trim()) && /^https?:\/\/./.test(url.trim());
  return (
    <>
      {servers.map(([each, server]) => (
        <SettingRow
          key={each}
          name={each}
          about={t(words.own)}
          action={
            <Button
              tone="ghost danger small"
              aria-label={`${t(words.remove)}: ${each}`}
              onClick={() => change.mutate({ key: `models.${each}`, value: undefined, before: server })}
            >
              {t(words.remove)}
            </Button>
          }
        >
          <code className="break">{server.url}</code> {server.key_env !== undefined && <code>{server.key_env}</code>}
        </SettingRow>
      ))}
      <AddForm label={t(words.add)}>
        <Form
          className="stack tight"
          onSubmit={() =>
            isComplete &&
            change.mutate(
              {
                key: `models.${name.trim()}`,
                value: { url: url.trim(), ...(variable.trim() !== "" && { key_env: variable.trim() }) },
                before: undefined,
              },
              { onSuccess: () => setName("") },
            )
          }
        >
          <p className="meta">{t(words.compatible)}</p>
          <div className="three">
            <TextField label={t(words.name)} value={name} onText={setName} placeholder="local" />
            <TextField label={t(words.url)} value={url} onText={setUrl} placeholder="http://localhost:11434/v1" />
            <TextField label={t(words.variable)} value={variable} onText={setVariable} placeholder="MODEL_KEY" />
          </div>
          <div>
            <button type="submit" className="button" disabled={!isComplete || change.isPending}>
              {t(words.addIt)}
            </button>
          </div>
        </Form>
      </AddForm>
      {change.error && <RowError error={change.error} />}
    </>
  );
}

const words = {
  title: { en: "Models and keys", uk: "Моделі й ключі" },
  about: {
    en: "Keys stay in the environment. Garden Bloom keeps only their names.",
    uk: "Ключі лишаються в середовищі. Garden Bloom зберігає лише їхні назви.",
  },
  unused: { en: "Not used by any agent", uk: "Не використовує жоден агент" },
  own: { en: "Own server", uk: "Власний сервер" },
  add: { en: "Add a server", uk: "Додати сервер" },
  compatible: {
    en: "Ollama, vLLM or any server that is compatible with OpenAI.",
    uk: "Ollama, vLLM або будь-який сервер, сумісний з OpenAI.",
  },
  addIt: { en: "Add server", uk: "Додати сервер" },
  remove: { en: "Remove", uk: "Вилучити" },
  name: { en: "Name", uk: "Назва" },
  url: { en: "Address", uk: "Адреса" },
  variable: { en: "Variable with its key (optional)", uk: "Змінна з ключем (необов’язково)" },
  none: { en: "No agent has a model yet", uk: "Жоден агент ще не має моделі" },
  found: { en: "Ready", uk: "Готова" },
  missing: { en: "Incomplete", uk: "Чогось бракує" },
  test: { en: "Test call", uk: "Пробний виклик" },
  testing: { en: "Calling …", uk: "Виклик …" },
  answered: { en: "Answered in {} ms: {}", uk: "Відповідь за {} мс: {}" },
} as const satisfies Record<string, Text>;
