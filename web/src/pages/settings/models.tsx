import { useMutation, useQuery } from "@tanstack/react-query";
import { type AnswerOf, call } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { AgentLink } from "../../components/links.tsx";
import { Empty, Failed, QueryResult } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

type Model = AnswerOf<"GET /models">["models"][number];

/** The models of the agents: what each needs, what is missing, and a test call. Keys are names of variables, never values. */
export function ModelSection() {
  const t = useT();
  const models = useQuery(query("GET /models", {}));
  return (
    <section className="card stack tight" aria-labelledby="models">
      <h2 id="models">{t(words.title)}</h2>
      <QueryResult of={models}>
        {({ models: list }) =>
          list.length === 0 ? (
            <Empty>{t(words.none)}</Empty>
          ) : (
            <ul className="stack">
              {list.map((model) => (
                <ModelRow key={model.id} model={model} />
              ))}
            </ul>
          )
        }
      </QueryResult>
    </section>
  );
}

function ModelRow({ model }: { readonly model: Model }) {
  const t = useT();
  const { id, agents, host, variables, ok, trouble, hint } = model;
  const test = useMutation({ mutationFn: () => call("POST /models/test", { body: { id } }) });
  const result = test.data;
  return (
    <li className="stack tight">
      <div className="row between">
        <span className="break">
          <code>{id}</code> <span className={`tag ${ok ? "good" : "bad"}`}>{t(ok ? words.found : words.missing)}</span>
        </span>
        <Button tone="small" disabled={test.isPending} onClick={() => test.mutate()}>
          {t(test.isPending ? words.testing : words.test)}
        </Button>
      </div>
      <p className="quiet small">
        {host !== undefined && <code>{host}</code>} {variables.map((name) => name).join(", ")}{" "}
        {agents.map((slug, at) => (
          <span key={slug}>
            {at > 0 && ", "}
            <AgentLink slug={slug}>{slug}</AgentLink>
          </span>
        ))}
      </p>
      {trouble && (
        <p>
          {t(trouble)} {hint && <span className="quiet">{t(hint)}</span>}
        </p>
      )}
      <div role="status">
        {result?.ok === true && <p>{t(words.answered, Math.round(result.ms ?? 0), result.text ?? "")}</p>}
        {result?.ok === false && result.error && (
          <p>
            <strong>{t(result.error)}</strong> {result.hint && <span className="quiet">{t(result.hint)}</span>}
          </p>
        )}
      </div>
      {test.error && <Failed error={test.error} />}
    </li>
  );
}

const words = {
  title: { en: "Models", uk: "Моделі" },
  none: { en: "No agent has a model yet", uk: "Жоден агент ще не має моделі" },
  found: { en: "configured", uk: "налаштовано" },
  missing: { en: "incomplete", uk: "чогось бракує" },
  test: { en: "Make a test call", uk: "Пробний виклик" },
  testing: { en: "Calling …", uk: "Виклик …" },
  answered: { en: "Answered in {} ms: {}", uk: "Відповідь за {} мс: {}" },
} as const satisfies Record<string, Text>;
