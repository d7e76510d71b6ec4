import { useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { verbatim } from "../../../../src/base/text.ts";
import { diagramQuery, query } from "../../api/queries.ts";
import { DiagramDiff, RiskSummary } from "../../components/diagram-diff.tsx";
import { Diff } from "../../components/diff.tsx";
import { Button } from "../../components/form.tsx";
import { Empty, Loading, QueryResult } from "../../components/query-result.tsx";
import { WordDiff } from "../../components/word-diff.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** Compares any two versions, as diagrams or as the agent's instructions. */
export function Compare(props: {
  readonly slug: string;
  readonly versions: readonly string[];
  readonly from: string;
  readonly to: string;
}) {
  const { slug, versions, from, to } = props;
  const t = useT();
  const navigate = useNavigate();
  const [asText, setAsText] = useState(false);
  const choose = (now: { readonly from: string; readonly to: string }): void =>
    void navigate({
      to: "/agents/$slug/logic",
      params: { slug },
      search: now,
      replace: true,
      resetScroll: false,
    });
  const select = (name: string, value: string, onChange: (version: string) => void) => (
    <label className="labelled">
      <span>{name}</span>
      <select className="field narrow" value={value} onChange={({ target }) => onChange(target.value)}>
        {versions.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  );
  return (
    <section className="stack tight" id="compare" aria-labelledby="compare-title">
      <h2 id="compare-title">{t(words.title)}</h2>
      <div className="row choices">
        {select(t(words.from), from, (now) => choose({ from: now, to }))}
        {select(t(words.to), to, (now) => choose({ from, to: now }))}
        <div className="row" role="group" aria-label={t(words.how)}>
          <Button aria-pressed={!asText} onClick={() => setAsText(false)}>
            {t(words.picture)}
          </Button>
          <Button aria-pressed={asText} onClick={() => setAsText(true)}>
            {t(words.text)}
          </Button>
        </div>
      </div>
      {from === to ? (
        <Empty>{t(words.same)}</Empty>
      ) : asText ? (
        <Texts slug={slug} from={from} to={to} />
      ) : (
        <Pictures slug={slug} from={from} to={to} />
      )}
    </section>
  );
}

interface Pair {
  readonly slug: string;
  readonly from: string;
  readonly to: string;
}

function Texts({ slug, from, to }: Pair) {
  const t = useT();
  const [split, setSplit] = useState(() => matchMedia("(width >= 80rem)").matches);
  const diff = useQuery(query("GET /logic/:agentId/diff", { params: { agentId: slug }, query: { from, to } }));
  return (
    <QueryResult of={diff}>
      {({ diff: patch, summary, riskLevel, reasons }) => (
        <>
          <RiskSummary level={riskLevel} summary={verbatim(summary)} facts={reasons.map(verbatim)} />
          <div className="row">
            <Button tone="quiet" aria-pressed={split} onClick={() => setSplit(!split)}>
              {t(split ? words.oneColumn : words.twoColumns)}
            </Button>
          </div>
          {patch === "" ? (
            <Empty>{t(words.noChange)}</Empty>
          ) : split ? (
            <Diff patch={patch} />
          ) : (
            <WordDiff path="pseudocode" patch={patch} after={undefined} />
          )}
        </>
      )}
    </QueryResult>
  );
}

function Pictures({ slug, from, to }: Pair) {
  const t = useT();
  const [before, after] = useQueries({
    queries: [from, to].map((version) => ({ ...diagramQuery(slug, version), retry: false })),
  });
  if (before?.data && after?.data)
    return (
      <DiagramDiff before={{ name: from, text: before.data.content }} after={{ name: to, text: after.data.content }} />
    );
  const error = before?.error ?? after?.error;
  if (!error) return <Loading />;
  // A text version has no diagram: compare the text instead.
  return (
    <>
      <Empty>
        {error.message}. {t(words.asText)}
      </Empty>
      <Texts slug={slug} from={from} to={to} />
    </>
  );
}

const words = {
  title: { en: "Compare versions", uk: "Порівняти версії" },
  from: { en: "From", uk: "Від" },
  to: { en: "To", uk: "До" },
  how: { en: "Compare as", uk: "Як порівняти" },
  picture: { en: "Diagrams", uk: "Малюнки" },
  text: { en: "Text", uk: "Текст" },
  same: { en: "Select two different versions.", uk: "Виберіть дві різні версії." },
  noChange: { en: "Both versions give the same instructions.", uk: "Обидві кажуть агентові те саме." },
  asText: { en: "Compared as text.", uk: "Порівняно як текст." },
  oneColumn: { en: "One column", uk: "Одна колонка" },
  twoColumns: { en: "Side by side", uk: "Поруч" },
} as const satisfies Record<string, Text>;
