import { useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { reading } from "../../api/queries.ts";
import { Diff } from "../../parts/diff.tsx";
import { PictureDiff, RiskSaid } from "../../parts/picture-diff.tsx";
import { Empty, Loading, Shown } from "../../parts/state.tsx";
import { type Text, useSay } from "../../words/say.ts";

/** Any two versions against each other: as pictures, and as the text that the agent is told. */
export function Compare(props: {
  readonly slug: string;
  readonly versions: readonly string[];
  readonly from: string;
  readonly to: string;
}) {
  const { slug, versions, from, to } = props;
  const say = useSay();
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
      <h2 id="compare-title">{say(words.title)}</h2>
      <div className="row choices">
        {select(say(words.from), from, (now) => choose({ from: now, to }))}
        {select(say(words.to), to, (now) => choose({ from, to: now }))}
        <div className="row" role="group" aria-label={say(words.how)}>
          <button type="button" className="button" aria-pressed={!asText} onClick={() => setAsText(false)}>
            {say(words.picture)}
          </button>
          <button type="button" className="button" aria-pressed={asText} onClick={() => setAsText(true)}>
            {say(words.text)}
          </button>
        </div>
      </div>
      {from === to ? (
        <Empty>{say(words.same)}</Empty>
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
  const say = useSay();
  const [split, setSplit] = useState(() => matchMedia("(width >= 80rem)").matches);
  const diff = useQuery(reading("GET /logic/:agentId/diff", { params: { agentId: slug }, query: { from, to } }));
  return (
    <Shown of={diff}>
      {({ diff: patch, summary, riskLevel, reasons }) => (
        <>
          <RiskSaid level={riskLevel} summary={summary} facts={reasons} />
          <div className="row">
            <button type="button" className="button quiet" aria-pressed={split} onClick={() => setSplit(!split)}>
              {say(split ? words.oneColumn : words.twoColumns)}
            </button>
          </div>
          {patch === "" ? <Empty>{say(words.noChange)}</Empty> : <Diff patch={patch} split={split} />}
        </>
      )}
    </Shown>
  );
}

function Pictures({ slug, from, to }: Pair) {
  const say = useSay();
  const [before, after] = useQueries({
    queries: [from, to].map((version) => ({
      ...reading("GET /logic/:agentId/read", {
        params: { agentId: slug },
        query: { format: "drakon", version, maxTokens: "100000" },
      }),
      retry: false,
    })),
  });
  if (before?.data && after?.data)
    return (
      <PictureDiff before={{ name: from, text: before.data.content }} after={{ name: to, text: after.data.content }} />
    );
  const error = before?.error ?? after?.error;
  if (!error) return <Loading />;
  // A version that is a text has no picture, which is no fault: the text can be compared.
  return (
    <>
      <Empty>
        {error.message}. {say(words.asText)}
      </Empty>
      <Texts slug={slug} from={from} to={to} />
    </>
  );
}

const words = {
  title: { en: "Compare versions", uk: "Порівняти версії" },
  from: { en: "From", uk: "Від" },
  to: { en: "To", uk: "До" },
  how: { en: "How to compare", uk: "Як порівняти" },
  picture: { en: "Pictures", uk: "Малюнки" },
  text: { en: "Text", uk: "Текст" },
  same: { en: "Choose two different versions.", uk: "Виберіть дві різні версії." },
  noChange: { en: "The agent is told the same by both.", uk: "Обидві кажуть агентові те саме." },
  asText: { en: "Compared as text.", uk: "Порівняно як текст." },
  oneColumn: { en: "One column", uk: "Одна колонка" },
  twoColumns: { en: "Side by side", uk: "Поруч" },
} as const satisfies Record<string, Text>;
