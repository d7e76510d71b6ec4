import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { procedureIn } from "../../../../src/drakon/export/procedure-block.ts";
import type { AnswerOf } from "../../api/client.ts";
import { AgentCost, figuresQuery, RunStrip, SuccessShare } from "../../components/agent-health.tsx";
import { FactRow } from "../../components/fact-row.tsx";
import { actionLabels } from "../../components/labels.ts";
import { RunLink } from "../../components/links.tsx";
import { Markdown } from "../../components/markdown.tsx";
import { Empty } from "../../components/query-result.tsx";
import { StateTag, When } from "../../components/tags.tsx";
import { scheduleText } from "../../i18n/schedule.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";

type Report = AnswerOf<"GET /agents/:slug/contract">;

/** The contract in plain words: triggers, tools, permissions, limits and instructions. */
export function Overview({ report: { slug, contract, text } }: { readonly report: Report }) {
  const t = useT();
  const { language } = usePreferences();
  if (!contract) return <Empty>{t(words.unread)}</Empty>;
  const c = contract as unknown as ShownContract;
  const { manual, cron, events } = c.triggers;
  const facts: readonly (readonly [Text, ReactNode])[] = [
    [words.slug, <code key="slug">{slug}</code>],
    [words.version, c.version],
    [
      words.logic,
      <Link key="logic" to="/agents/$slug/logic" params={{ slug }}>
        {c.logic_version ?? t(words.none)}
      </Link>,
    ],
    [words.model, <code key="model">{c.model}</code>],
    [words.execution, t(c.execution === "flow" ? words.flow : words.prompt)],
    [words.workspace, t(c.workspace === "session" ? words.branch : words.proposals)],
    [
      words.triggers,
      <ul key="triggers" className="plain-list">
        {manual && <li>{t(words.manual)}</li>}
        {cron !== null && (
          <li>
            {scheduleText(cron, language)}
            {c.timezone !== undefined && ` (${c.timezone})`}
          </li>
        )}
        {(events ?? []).map((event) => (
          <li key={event}>
            {t(words.event)} <code>{event}</code>
          </li>
        ))}
        {!manual && cron === null && (events ?? []).length === 0 && <li>{t(words.never)}</li>}
      </ul>,
    ],
    [words.tools, <Names key="tools" names={c.tools} />],
    [
      words.outputs,
      <ul key="outputs" className="row plain-list">
        {c.safe_outputs.map((action) => (
          <li key={action} className="chip">
            {t(actionLabels[action] ?? { en: action, uk: action })}
          </li>
        ))}
      </ul>,
    ],
    [words.folder, c.context.folder === undefined ? t(words.allNotes) : <code key="f">{c.context.folder}</code>],
    [words.limits, <Limits key="limits" contract={c} />],
    [words.changed, <When key="changed" at={c.updated_at} />],
    [words.by, c.created_by],
  ];
  return (
    <div className="stack">
      <AgentFigures slug={slug} />
      <div className="agent-overview">
        <section className="stack tight" aria-labelledby="instructions">
          <h2 id="instructions" className="label">
            {t(words.instructions)}
          </h2>
          <div className="instructions">
            <Instructions text={text} />
          </div>
        </section>
        <dl className="facts agent-facts">
          {facts.map(([name, value]) => (
            <FactRow key={name.en} name={t(name)}>
              {value}
            </FactRow>
          ))}
        </dl>
      </div>
    </div>
  );
}

/** Health at a glance: share of completed runs, days, cost, last and next run. */
function AgentFigures({ slug }: { readonly slug: string }) {
  const t = useT();
  const { data } = useQuery(figuresQuery());
  const figures = data?.agents.find((each) => each.slug === slug);
  return (
    <section className="agent-figures" aria-label={t(words.figures)}>
      <div>
        <span className="label">{t(words.share)}</span>
        <SuccessShare figures={figures} />
      </div>
      <div>
        <span className="label">{t(words.days)}</span>
        {figures && <RunStrip days={figures.days} />}
      </div>
      <div>
        <span className="label">{t(words.last)}</span>
        {figures?.last ? (
          <RunLink run={figures.last.run_id} className="plain-link">
            <StateTag kind="run" state={figures.last.state} /> <When at={figures.last.at} />
          </RunLink>
        ) : (
          <span className="meta">{t(words.none)}</span>
        )}
      </div>
      <div>
        <span className="label">{t(words.next)}</span>
        {figures?.next ? <When at={figures.next} /> : <span className="meta">{t(words.manual)}</span>}
      </div>
      {figures && figures.cost !== null && (
        <div>
          <span className="label">{t(words.cost)}</span>
          <AgentCost cost={figures.cost} currency={data?.currency ?? ""} />
        </div>
      )}
    </section>
  );
}

/** The contract's body: prose as Markdown, the procedure of a diagram as preformatted text. */
function Instructions({ text }: { readonly text: string }) {
  const span = procedureIn(text);
  if (!span) return <Markdown text={text} />;
  const after = text.slice(span.end);
  return (
    <>
      <Markdown text={text.slice(0, span.start)} />
      <pre className="procedure">{text.slice(span.start, span.end)}</pre>
      {after.trim() !== "" && <Markdown text={after} />}
    </>
  );
}

/** The shown fields of a contract. The gateway has validated them. */
interface ShownContract {
  readonly version: string;
  readonly description: string;
  readonly model: string;
  readonly temperature: number;
  readonly max_steps: number;
  readonly tools: readonly string[];
  readonly safe_outputs: readonly string[];
  readonly triggers: {
    readonly manual: boolean;
    readonly cron: string | null;
    readonly events: readonly string[] | null;
  };
  readonly context: { readonly folder?: string; readonly max_sources: number };
  readonly execution: "prompt" | "flow";
  readonly workspace: "proposals" | "session";
  readonly budget: { readonly tokens?: number; readonly calls?: number };
  readonly timeouts: { readonly step_s?: number; readonly run_s?: number };
  readonly timezone?: string;
  readonly logic_version?: string;
  readonly updated_at: string;
  readonly created_by: string;
}

function Limits({
  contract: { max_steps, temperature, context, budget, timeouts },
}: {
  readonly contract: ShownContract;
}) {
  const t = useT();
  const limits: readonly (readonly [Text, number | undefined])[] = [
    [words.steps, max_steps],
    [words.sources, context.max_sources],
    [words.tokens, budget.tokens],
    [words.calls, budget.calls],
    [words.stepSeconds, timeouts.step_s],
    [words.runSeconds, timeouts.run_s],
    [words.temperature, temperature],
  ];
  return (
    <ul className="plain-list">
      {limits
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <li key={name.en}>{t(name, value!)}</li>
        ))}
    </ul>
  );
}

const Names = ({ names }: { readonly names: readonly string[] }) => (
  <ul className="row plain-list">
    {names.map((name) => (
      <li key={name}>
        <code className="chip">{name}</code>
      </li>
    ))}
  </ul>
);

const words = {
  unread: {
    en: "Fix the contract to see the overview.",
    uk: "Що це за агент, стане відомо, коли контракт буде виправлено.",
  },
  none: { en: "none yet", uk: "ще немає" },
  slug: { en: "Slug", uk: "Назва у файлах" },
  version: { en: "Version", uk: "Версія" },
  logic: { en: "Logic", uk: "Логіка" },
  model: { en: "Model", uk: "Модель" },
  execution: { en: "Execution", uk: "Як виконується" },
  flow: { en: "Follows its diagram step by step", uk: "іде за діаграмою, крок за кроком" },
  prompt: { en: "Gets all instructions in one prompt", uk: "отримує всі вказівки разом" },
  workspace: { en: "Changes", uk: "Зміни" },
  branch: {
    en: "Writes on a branch of its own, and proposes to merge it",
    uk: "пише у власній гілці й пропонує її злити",
  },
  proposals: { en: "Proposes each change", uk: "пропонує кожну зміну окремо" },
  triggers: { en: "Runs", uk: "Запускається" },
  manual: { en: "On request", uk: "коли хтось попросить" },
  event: { en: "On the event", uk: "за подією" },
  never: { en: "Never by itself", uk: "ніколи сам" },
  tools: { en: "Tools", uk: "Інструменти" },
  outputs: { en: "May propose", uk: "Може пропонувати" },
  folder: { en: "Reads", uk: "Читає" },
  allNotes: { en: "all notes", uk: "усі нотатки" },
  limits: { en: "Limits", uk: "Межі" },
  steps: { en: "Max model turns: {}", uk: "звертань до моделі: {}" },
  sources: { en: "Max sources at once: {}", uk: "джерел за раз: {}" },
  tokens: { en: "Max tokens: {}", uk: "токенів: {}" },
  calls: { en: "Max calls: {}", uk: "викликів: {}" },
  stepSeconds: { en: "Step timeout: {} s", uk: "секунд на крок: {}" },
  runSeconds: { en: "Run timeout: {} s", uk: "секунд на запуск: {}" },
  temperature: { en: "Temperature: {}", uk: "температура: {}" },
  changed: { en: "Changed", uk: "Змінено" },
  by: { en: "Created by", uk: "Створив" },
  figures: { en: "Figures", uk: "Показники" },
  share: { en: "Completed, 95% interval", uk: "Завершено, 95% інтервал" },
  days: { en: "14 days", uk: "14 днів" },
  last: { en: "Last run", uk: "Останній запуск" },
  next: { en: "Next run", uk: "Наступний запуск" },
  cost: { en: "Cost, 14 days", uk: "Ціна за 14 днів" },
  instructions: { en: "Instructions", uk: "Вказівки" },
} as const satisfies Record<string, Text>;
