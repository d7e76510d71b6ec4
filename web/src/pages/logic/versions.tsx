import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { AnswerOf } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { FactRow } from "../../components/fact-row.tsx";
import { Button } from "../../components/form.tsx";
import { ProposalLink } from "../../components/links.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { number } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { type Figures, measures, measureWords, type Performance, RateBar, rateOf } from "./rate.tsx";
import { RationaleFacts } from "./rationale.tsx";
import { RollbackButton } from "./roll-back.tsx";

type VersionRow = AnswerOf<"GET /logic/:agentId/versions">["versions"][number];

const PAGE = 20;

/** All versions, newest first, with performance, rationale and rollback. */
export function Versions(props: {
  readonly slug: string;
  readonly versions: readonly VersionRow[];
  readonly performance: Performance | undefined;
}) {
  const { slug, versions, performance } = props;
  const t = useT();
  const [shown, setShown] = useState(PAGE);
  const current = versions.find((each) => each.current)?.version;
  return (
    <section className="stack tight" aria-labelledby="versions">
      <h2 id="versions">{t(words.title)}</h2>
      <ol className="stack tight">
        {versions.slice(0, shown).map((row) => (
          <li key={row.version} className="card stack tight">
            <Version slug={slug} row={row} figures={performance?.versions[row.version]} current={current} />
          </li>
        ))}
      </ol>
      {versions.length > shown && (
        <Button onClick={() => setShown(shown * 4)}>{t(words.more, versions.length - shown)}</Button>
      )}
    </section>
  );
}

function Version(props: {
  readonly slug: string;
  readonly row: VersionRow;
  readonly figures: Figures | undefined;
  readonly current: string | undefined;
}) {
  const { slug, row, figures, current } = props;
  const { version, meta, entry } = row;
  const t = useT();
  const source = meta?.sourceProposal;
  return (
    <>
      <div className="row between">
        <h3 className="row">
          {version}
          {row.current && <span className="state good">{t(words.current)}</span>}
          {figures && figures.pooledWith.length > 0 && (
            <span className="tag">{t(words.sameAs, figures.pooledWith.join(", "))}</span>
          )}
        </h3>
        <div className="row">
          {!row.current && current !== undefined && (
            <>
              <Link
                className="button"
                to="/agents/$slug/logic"
                params={{ slug }}
                search={{ from: version, to: current }}
                hash="compare"
              >
                {t(words.compare)}
              </Link>
              <RollbackButton slug={slug} version={version} current={current} />
            </>
          )}
        </div>
      </div>
      <p className="quiet small">
        {meta && (
          <>
            {t(words.since)} <When at={meta.activeSince} />
          </>
        )}
        {source?.startsWith("prop_") && (
          <>
            {" · "}
            <ProposalLink id={source}>{t(words.proposal)}</ProposalLink>
          </>
        )}
      </p>
      {figures && <FigureRow figures={figures} />}
      <Why slug={slug} version={version} entry={entry} />
    </>
  );
}

function FigureRow({ figures }: { readonly figures: Figures }) {
  const t = useT();
  const { language } = usePreferences();
  const decisions = fates.filter((fate) => figures.proposals[fate] > 0);
  return (
    <dl className="figures">
      <div>
        <FactRow name={t(words.runs)}>{number(figures.totalRuns, language)}</FactRow>
      </div>
      {measures.map((each) => (
        <div key={each}>
          <FactRow name={t(measureWords[each])}>
            <RateBar of={rateOf(figures, each)} />
          </FactRow>
        </div>
      ))}
      <div>
        <FactRow name={t(words.decided)}>
          {decisions.length === 0
            ? "–"
            : decisions.map((fate) => t(fateWords[fate], figures.proposals[fate])).join(", ")}
        </FactRow>
      </div>
      {figures.avg_tokens !== null && figures.avg_tokens > 0 && (
        <div>
          <FactRow name={t(words.tokens)}>{number(Math.round(figures.avg_tokens), language)}</FactRow>
        </div>
      )}
    </dl>
  );
}

/** The changelog entry; the whole rationale is fetched when it is opened. */
function Why(props: { readonly slug: string; readonly version: string; readonly entry: VersionRow["entry"] }) {
  const { slug, version, entry } = props;
  const t = useT();
  const [open, setOpen] = useState(false);
  const rationale = useQuery({
    ...query("GET /logic/:agentId/versions/:version/rationale", { params: { agentId: slug, version } }),
    enabled: open,
  });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t(words.why)}</summary>
      <div className="stack tight">
        {entry && <p className="said break">{entry.text.trim()}</p>}
        {open && <QueryResult of={rationale}>{(read) => <RationaleFacts rationale={read} />}</QueryResult>}
      </div>
    </details>
  );
}

const fates = ["accepted", "edited", "rejected", "reverted", "open"] as const;

const fateWords = {
  accepted: { en: "{} accepted", uk: "схвалено {}" },
  edited: { en: "{} edited", uk: "змінено {}" },
  rejected: { en: "{} rejected", uk: "відхилено {}" },
  reverted: { en: "{} reverted", uk: "відкликано {}" },
  open: { en: "{} undecided", uk: "не вирішено {}" },
} as const satisfies Record<(typeof fates)[number], Text>;

const words = {
  title: { en: "Versions", uk: "Версії" },
  more: { en: "{} older [version|versions]", uk: "Ще версій: {}" },
  current: { en: "current", uk: "поточна" },
  sameAs: { en: "same logic as {}", uk: "каже те саме, що {}" },
  compare: { en: "Compare with current", uk: "Порівняти з поточною" },
  since: { en: "Adopted", uk: "Прийнято" },
  proposal: { en: "proposal", uk: "пропозиція, з якої вона постала" },
  runs: { en: "Runs", uk: "Запуски" },
  decided: { en: "Proposals", uk: "Пропозиції" },
  tokens: { en: "Tokens per run", uk: "Токенів на запуск" },
  why: { en: "Reason and results", uk: "Чому вона постала і що з того вийшло" },
} as const satisfies Record<string, Text>;
