import { useQuery } from "@tanstack/react-query";
import { Copy, type LucideIcon, PackageOpen, Settings2, Sparkles, TriangleAlert, Wrench } from "lucide-react";
import { Fragment, useMemo, useState } from "react";
import type { Answer, Request, StepCard } from "../../api/endpoints.gen.ts";
import { query } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { ProposalLink } from "../../components/links.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { Segments } from "../../components/segments.tsx";
import { stepLabel } from "../../components/step-names.ts";
import { useToast } from "../../components/toasts.tsx";
import { duration, money, number } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { isSandboxed } from "./comparison.tsx";
import { ForkDialog } from "./fork.tsx";
import { RequestForm } from "./request-form.tsx";
import { type TimelineBar, ticksOf, timelineOf } from "./timeline.ts";
import { ValueView } from "./value-view.tsx";

interface Asked {
  readonly request: Request;
  readonly answer?: Answer | undefined;
}

/** The steps of a run on an axis of active time. A question stands after the step that asked it. */
export function Steps(props: {
  readonly run: string;
  readonly slug: string;
  readonly steps: readonly StepCard[];
  readonly requests: readonly Asked[];
  readonly readAt: number;
  /** Steps at this icon are highlighted. */
  readonly icon: string | undefined;
  readonly onIcon: (icon: string) => void;
  readonly mayFork: boolean;
}) {
  const { run, slug, steps, requests, readAt, icon, onIcon, mayFork } = props;
  const t = useT();
  const { language } = usePreferences();
  const { bars, total } = useMemo(() => timelineOf(steps), [steps]);
  const placed = useMemo(() => requestsByStep(steps, requests), [steps, requests]);
  const firstOpen = requests.find(({ answer }) => !answer)?.request.id;
  const questions = (position: number) =>
    placed.get(position)?.map(({ request, answer }) => (
      <li key={request.id} className="step-question">
        <RequestForm request={request} answer={answer} readAt={readAt} hasKeys={request.id === firstOpen} />
      </li>
    ));
  return (
    <>
      <div className="waterfall-head" aria-hidden="true">
        <span />
        <span>{t(words.step)}</span>
        <span className="ticks">
          {ticksOf(total).map((at) => (
            <span key={at} style={{ insetInlineStart: `${(at / total) * 100}%` }}>
              {at === 0 ? "0" : duration(at, language)}
            </span>
          ))}
        </span>
        <span>{t(words.duration)}</span>
      </div>
      <ol className="waterfall">
        {questions(0)}
        {steps.map((step) => (
          <Fragment key={step.position}>
            <li className={icon !== undefined && step.icon === icon ? "chosen" : undefined}>
              <Row
                run={run}
                slug={slug}
                step={step}
                bar={bars.get(step.position)!}
                total={total}
                mayFork={mayFork}
                onIcon={onIcon}
              />
            </li>
            {questions(step.position)}
          </Fragment>
        ))}
      </ol>
    </>
  );
}

/** Each question after the last step that had ended when it was asked; 0 is before the first step. */
function requestsByStep(steps: readonly StepCard[], requests: readonly Asked[]): ReadonlyMap<number, readonly Asked[]> {
  return Map.groupBy(
    requests,
    ({ request: { asked_at } }) => steps.findLast(({ finished_at }) => finished_at <= asked_at)?.position ?? 0,
  );
}

const ICONS: Readonly<Record<StepCard["kind"], LucideIcon>> = { model: Sparkles, tool: Wrench, step: Settings2 };

function Row(props: {
  readonly run: string;
  readonly slug: string;
  readonly step: StepCard;
  readonly bar: TimelineBar;
  readonly total: number;
  readonly mayFork: boolean;
  readonly onIcon: (icon: string) => void;
}) {
  const { run, slug, step, bar, total, mayFork, onIcon } = props;
  const t = useT();
  const { language } = usePreferences();
  const [isOpen, setIsOpen] = useState(false);
  const Icon = step.failure ? TriangleAlert : step.name === "load-context" ? PackageOpen : ICONS[step.kind];
  const share = (ms: number): string => `${total === 0 ? 0 : (ms / total) * 100}%`;
  const tokens = step.tokens ? step.tokens.input + step.tokens.output : 0;
  const details = [
    tokens > 0 && t(words.tokens, number(tokens, language)),
    step.cost && step.cost.amount > 0 && money(step.cost.amount, step.cost.currency, language),
    step.attempt > 1 && t(words.attempt, step.attempt),
    step.waited_s !== undefined && t(words.waited, number(step.waited_s, language)),
  ].filter((each) => typeof each === "string");
  return (
    <details
      className={`step ${step.kind} ${step.failure ? "failed" : ""}`}
      onToggle={({ currentTarget }) => {
        setIsOpen(currentTarget.open);
        if (currentTarget.open && step.icon !== undefined) onIcon(step.icon);
      }}
    >
      <summary>
        <span className="step-icon">
          <Icon size={16} aria-hidden="true" />
          <span className="hidden-visually">{t(words[step.kind])}</span>
        </span>
        <span className="step-name">
          <span className="cut">
            <span className="faint number">{step.position}</span> {stepLabel(step.name, t)}
          </span>
          <span className="meta cut">
            {step.failure ? t(step.failure.text) : step.gist}
            {details.length > 0 && ` · ${details.join(" · ")}`}
          </span>
        </span>
        <span className="step-track">
          <i style={{ insetInlineStart: share(bar.start), width: share(bar.length) }} />
        </span>
        <span className="step-duration">{duration(bar.length, language)}</span>
      </summary>
      {isOpen && (
        <div className="payload">
          <Payload run={run} step={step} />
          {step.proposals.length > 0 && (
            <p className="payload-foot small">
              {step.proposals.map((id) =>
                isSandboxed(id) ? (
                  <a key={id} href="#comparison">
                    {t(words.inSandbox)}
                  </a>
                ) : (
                  <ProposalLink key={id} id={id}>
                    {t(words.openProposal)}
                  </ProposalLink>
                ),
              )}
            </p>
          )}
          {mayFork && (
            <p className="payload-foot">
              <ForkHere run={run} slug={slug} at={step.position} />
            </p>
          )}
        </div>
      )}
    </details>
  );
}

function ForkHere({ run, slug, at }: { readonly run: string; readonly slug: string; readonly at: number }) {
  const t = useT();
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Button tone="small" onClick={() => setAsks(true)}>
        {t(words.fork)}
      </Button>
      {asks && <ForkDialog run={run} slug={slug} at={at} onClose={() => setAsks(false)} />}
    </>
  );
}

const VIEWS = ["output", "input", "raw"] as const;

/** Output first, then input, then the record as it is stored. */
function Payload({ run, step }: { readonly run: string; readonly step: StepCard }) {
  const t = useT();
  const toast = useToast();
  const [view, setView] = useState<(typeof VIEWS)[number]>("output");
  const read = useQuery(
    query("GET /runs/:run/steps", { params: { run }, query: { after: String(step.position - 1), limit: "1" } }),
  );
  const copy = async (value: unknown): Promise<void> => {
    await navigator.clipboard.writeText(typeof value === "string" ? value : JSON.stringify(value, null, 2));
    toast(t(words.copied));
  };
  return (
    <QueryResult of={read}>
      {({ steps: [found] }) => {
        if (!found) return null;
        const shown = view === "raw" ? found : view === "input" ? found.input : (found.output ?? found.failure);
        return (
          <>
            <div className="payload-head">
              <Segments
                label={t(words.views)}
                value={view}
                options={VIEWS.map((value) => ({ value, name: t(words[value]) }))}
                onChoose={setView}
              />
              {Array.isArray(shown) && <span className="meta">{t(words.items, shown.length)}</span>}
              <span className="grow" />
              {step.icon !== undefined && <span className="meta">{t(words.place, step.icon, step.line ?? "–")}</span>}
              <Button tone="ghost icon small" aria-label={t(words.copy)} onClick={() => void copy(shown)}>
                <Copy size={14} aria-hidden="true" />
              </Button>
            </div>
            <div className="payload-body">
              {view === "raw" ? (
                <RawText text={JSON.stringify(found, null, 2)} />
              ) : found.failure && view === "output" ? (
                <p className="failure break">{t(found.failure.text)}</p>
              ) : (
                <ValueView value={view === "input" ? found.input : found.output} />
              )}
            </div>
          </>
        );
      }}
    </QueryResult>
  );
}

const SHOWN = 20_000;

function RawText({ text }: { readonly text: string }) {
  const t = useT();
  const [isWhole, setIsWhole] = useState(false);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
      <pre className="value" tabIndex={0} aria-label={t(words.raw)}>
        {isWhole ? text : text.slice(0, SHOWN)}
      </pre>
      {!isWhole && text.length > SHOWN && (
        <Button tone="small" onClick={() => setIsWhole(true)}>
          {t(words.whole)}
        </Button>
      )}
    </>
  );
}

const words = {
  step: { en: "Step", uk: "Крок" },
  duration: { en: "Duration", uk: "Тривалість" },
  model: { en: "model", uk: "модель" },
  tool: { en: "tool", uk: "інструмент" },
  tokens: { en: "{} [token|tokens]", uk: "{} [токен|токени|токенів]" },
  waited: { en: "waited {} s for the rate limit", uk: "чекав {} с через обмеження частоти" },
  attempt: { en: "attempt {}", uk: "спроба {}" },
  place: { en: "icon {}, line {}", uk: "ікона {}, рядок {}" },
  views: { en: "What to show", uk: "Що показати" },
  output: { en: "Output", uk: "Вихід" },
  input: { en: "Input", uk: "Вхід" },
  raw: { en: "Raw", uk: "Як записано" },
  items: { en: "{} [item|items]", uk: "{} [елемент|елементи|елементів]" },
  copy: { en: "Copy", uk: "Копіювати" },
  copied: { en: "Copied.", uk: "Скопійовано." },
  whole: { en: "Show all", uk: "Показати все" },
  inSandbox: { en: "In the sandbox, below", uk: "У пісочниці, нижче" },
  openProposal: { en: "Open what it proposed", uk: "Відкрити запропоноване" },
  fork: { en: "Fork here", uk: "Відгалузити тут" },
} as const satisfies Record<string, Text>;
