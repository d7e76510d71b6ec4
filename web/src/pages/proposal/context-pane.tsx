import { CircleAlert, CircleCheck, CircleHelp, CircleX, X } from "lucide-react";
import type { ReactNode } from "react";
import type { AnswerOf } from "../../api/client.ts";
import type { Review, Proposal as Whole } from "../../api/endpoints.gen.ts";
import { actorName } from "../../components/labels.ts";
import { NotePageLink } from "../../components/links.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { noteName } from "../proposals/title.ts";
import { Section } from "./context-section.tsx";
import type { LogicReport } from "./logic-report.ts";
import { ProposalOrigin } from "./origin.tsx";
import { Revision } from "./revision.tsx";
import { RiskBars, riskOf } from "./risk.tsx";

type Sources = AnswerOf<"GET /proposals/:id">["sources"];

interface ContextProps {
  readonly proposal: Whole;
  readonly review: Review | undefined;
  readonly sources: Sources;
  readonly report: LogicReport | undefined;
  /** More about the purpose of a change of logic. */
  readonly children?: ReactNode;
}

/** The third pane: why, the sources, the checks, the risk and the origin of a change. On a narrower screen it is a sheet. */
export function ContextPane(props: ContextProps & { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { proposal, review, sources, report, isOpen, onClose, children } = props;
  const t = useT();
  const { reasoning, content } = proposal;
  return (
    <aside className={`context ${isOpen ? "open" : ""}`} aria-label={t(words.context)}>
      <button
        type="button"
        className="button icon small ghost context-close"
        aria-label={t(words.close)}
        onClick={onClose}
      >
        <X size={16} aria-hidden="true" />
      </button>
      <Section name={t(words.why)}>
        {reasoning === undefined ? (
          <p className="quiet small">{t(words.noReason)}</p>
        ) : (
          <>
            <p className="said break">{reasoning}</p>
            <p className="quiet small">
              {proposal.source.type === "owner"
                ? t(words.ownReason)
                : t(words.notVerified, actorName(proposal.source.identity, t))}
            </p>
          </>
        )}
      </Section>
      {children}
      {proposal.revises !== undefined && <Revision of={proposal.revises} />}
      {content.citations.length > 0 && (
        <Section name={t(words.sources)} aside={content.citations.length}>
          <ol className="sources">
            {content.citations.map((citation, index) => (
              <Source
                key={`${citation.source} ${citation.line ?? ""} ${citation.step ?? ""} ${citation.quote ?? ""}`}
                citation={citation}
                number={index + 1}
                state={sources?.[index] ?? "unchecked"}
              />
            ))}
          </ol>
        </Section>
      )}
      {review && (
        <>
          <Section name={t(words.checks)} aside={t(words.byUs)}>
            <Checks review={review} proposal={proposal} report={report} sources={sources} />
          </Section>
          <RiskSection proposal={proposal} review={review} report={report} />
        </>
      )}
      <Section name={t(words.origin)}>
        <ProposalOrigin proposal={proposal} />
      </Section>
    </aside>
  );
}

function Source(props: {
  readonly citation: Whole["content"]["citations"][number];
  readonly number: number;
  readonly state: NonNullable<Sources>[number];
}) {
  const { citation, number, state } = props;
  const { source, line, quote, step } = citation;
  const t = useT();
  const isNote = source.endsWith(".md") && !source.includes(":");
  return (
    <li>
      <span className="source-number">{number}</span>
      <div>
        {isNote ? (
          <NotePageLink path={source} className="source-name" search={line === undefined ? {} : { line }}>
            {noteName(source)}
          </NotePageLink>
        ) : (
          <code className="break">{source}</code>
        )}
        {line !== undefined && <span className="quiet">, {t(words.line, line)}</span>}
        {quote !== undefined && <blockquote>{quote}</blockquote>}
        <p className={`source-state ${state}`}>
          {t(states[state])}
          {step !== undefined && ` · ${t(words.step, step)}`}
        </p>
      </div>
    </li>
  );
}

type CheckResult = "pass" | "warning" | "fail" | "skipped";

const icons = { pass: CircleCheck, warning: CircleAlert, fail: CircleX, skipped: CircleHelp } as const;

const Check = ({ result, children }: { readonly result: CheckResult; readonly children: ReactNode }) => {
  const t = useT();
  const Icon = icons[result];
  return (
    <li className={`check ${result}`}>
      <Icon size={16} aria-label={t(results[result])} />
      <span>{children}</span>
    </li>
  );
};

/** The checks that the program made itself. */
function Checks({
  proposal,
  review,
  report,
  sources = [],
}: Omit<ContextProps, "review"> & { readonly review: Review }) {
  const t = useT();
  const isPending = proposal.status === "pending";
  const canApply = review.conflicts.length === 0 && !review.refusal && !review.nothing;
  const found = sources.filter((state) => state === "found").length;
  const checkable = sources.filter((state) => state !== "unchecked").length;
  return (
    <ul className="checks">
      {isPending && (
        <>
          <Check result={canApply ? "pass" : "fail"}>{t(canApply ? words.applies : words.cannotApply)}</Check>
          {canApply && (
            <Check result={review.merged ? "warning" : "pass"}>
              {t(review.merged ? words.targetChanged : words.targetSame)}
            </Check>
          )}
        </>
      )}
      {!report && review.files.length > 0 && (
        <Check result="pass">
          {review.files.length === 1 ? t(words.onlyThis) : t(words.onlyThese, review.files.length)}
        </Check>
      )}
      {checkable > 0 && (
        <Check result={found === checkable ? "pass" : "warning"}>{t(words.quotes, found, checkable)}</Check>
      )}
      {report?.static.rows.map(({ id, title, result, words: said }) => (
        <Check key={id} result={result}>
          {t(title)}
          {result !== "pass" && <span className="quiet"> {t(said)}</span>}
        </Check>
      ))}
      {review.warnings.map((warning) => (
        <Check key={warning.en} result="warning">
          {t(warning)}
        </Check>
      ))}
    </ul>
  );
}

function RiskSection(props: {
  readonly proposal: Whole;
  readonly review: Review;
  readonly report: LogicReport | undefined;
}) {
  const t = useT();
  const { level, text, value } = riskOf(props.proposal, props.review, props.report);
  const reasons = props.report?.static.reasons.filter(({ en }) => !text.en.includes(en)) ?? [];
  return (
    <Section name={t(words.risk)} aside={t(levels[level])}>
      <RiskBars level={level} />
      <p className="risk-text break">{props.report ? t(text) : t(text, value, value)}</p>
      {reasons.length > 0 && (
        <ul className="checks">
          {reasons.map((reason) => (
            <Check key={reason.en} result="warning">
              {t(reason)}
            </Check>
          ))}
        </ul>
      )}
    </Section>
  );
}

const states = {
  found: { en: "found in the garden", uk: "є в саду" },
  changed: { en: "the source no longer says this", uk: "у джерелі цих слів уже немає" },
  missing: { en: "no such source", uk: "такого джерела немає" },
  unchecked: { en: "not checked", uk: "не перевірено" },
} as const satisfies Record<string, Text>;

const results = {
  pass: { en: "passed", uk: "гаразд" },
  warning: { en: "warning", uk: "увага" },
  fail: { en: "failed", uk: "помилка" },
  skipped: { en: "not checked", uk: "не перевірено" },
} as const satisfies Record<CheckResult, Text>;

const levels = {
  low: { en: "low", uk: "низький" },
  medium: { en: "medium", uk: "середній" },
  high: { en: "high", uk: "високий" },
} as const satisfies Record<string, Text>;

const words = {
  context: { en: "Context", uk: "Контекст" },
  close: { en: "Close context", uk: "Закрити контекст" },
  why: { en: "Why", uk: "Чому" },
  noReason: { en: "No reason given.", uk: "Причину не названо." },
  notVerified: { en: "Reason given by {}, not verified", uk: "Причину називає {}; її не перевірено" },
  ownReason: { en: "Your own words", uk: "Ваші слова" },
  sources: { en: "Sources", uk: "Джерела" },
  line: { en: "line {}", uk: "рядок {}" },
  step: { en: "run step {}", uk: "крок запуску {}" },
  checks: { en: "Checks", uk: "Перевірки" },
  byUs: { en: "by Garden Bloom", uk: "від Garden Bloom" },
  applies: { en: "It can be applied now", uk: "Це можна застосувати зараз" },
  cannotApply: { en: "It cannot be applied as it is", uk: "Як є, застосувати це не можна" },
  targetSame: { en: "The target has not changed since", uk: "Ціль відтоді не змінилася" },
  targetChanged: { en: "The target has changed since; both are merged", uk: "Ціль відтоді змінилася; зміни поєднано" },
  onlyThis: { en: "Only this file changes", uk: "Змінюється лише цей файл" },
  onlyThese: { en: "Only these {} files change", uk: "Змінюються лише ці {} [файл|файли|файлів]" },
  quotes: { en: "{} of {} sources found word for word", uk: "Дослівно знайдено джерел: {} з {}" },
  risk: { en: "Risk", uk: "Ризик" },
  origin: { en: "Where it came from", uk: "Звідки це" },
} as const satisfies Record<string, Text>;
