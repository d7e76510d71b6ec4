import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck } from "lucide-react";
import { useId, useState } from "react";
import type { LibraryDetail } from "../../api/endpoints.gen.ts";
import { query } from "../../api/queries.ts";
import { QueryResult } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { SaveBehaviourFile } from "./behaviour-file.tsx";
import { BehaviourBeside } from "./comparison.tsx";
import { FiguresByGarden } from "./figures-by-garden.tsx";
import { ModelList } from "./model-list.tsx";
import { RateFigure } from "./rate-figure.tsx";
import { replayedRate } from "./replayed-rate.ts";
import { WithdrawBehaviour } from "./withdraw.tsx";

/** The evidence of one behaviour: figures side by side, the checks of this garden, and the comparison with one of our agents. */
export function BehaviourDetail({ id, agent }: { readonly id: string; readonly agent: string | undefined }) {
  const read = useQuery({ ...query("GET /library/:id", { params: { id } }), retry: false });
  return <QueryResult of={read}>{(detail) => <Evidence key={id} detail={detail} agent={agent} />}</QueryResult>;
}

function Evidence({ detail, agent }: { readonly detail: LibraryDetail; readonly agent: string | undefined }) {
  const t = useT();
  const isOurs = detail.source === "own" || detail.source === "kept";
  const agents = useQuery(query("GET /agents", {})).data?.agents ?? [];
  const slugs = agents.flatMap((one) => ("slug" in one ? [one.slug] : []));
  const [picked, setPicked] = useState<string>();
  const chosen = picked ?? agent ?? detail.replays[0]?.agent ?? slugs[0];
  const select = useId();
  const replay = detail.replays.find((one) => one.agent === chosen);
  return (
    <>
      <section>
        <p className="meta">{t(words.report)}</p>
        <h2 className="behaviour-name">{detail.name === "" ? detail.behaviour.slice(0, 10) : detail.name}</h2>
        <p className="meta break">
          {[detail.garden, detail.version, detail.behaviour.slice(0, 12)].filter(Boolean).join(" · ")}
        </p>
        <div className="row">
          {detail.source !== "kept" && detail.state !== "refused" && <SaveBehaviourFile id={detail.id} />}
          {detail.source !== "garden" && <WithdrawBehaviour detail={detail} />}
        </div>
      </section>
      <section aria-labelledby="library-good">
        <h3 id="library-good">{t(words.good)}</h3>
        {!isOurs && <RateFigure label={t(words.theirs)} figures={detail.sent} isWorse={detail.state === "lying"} />}
        <RateFigure label={t(words.ours)} figures={detail.here} none={t(words.never)} />
        {replay && <RateFigure label={t(words.replayed, replay.agent)} figures={replayedRate(replay)} isHollow />}
        {replay && <ReplayStack runs={replay.runs} />}
        {detail.sent && <ModelList models={detail.sent.models} />}
      </section>
      <Checks detail={detail} />
      <FiguresByGarden behaviour={detail.behaviour} />
      {slugs.length > 0 && detail.state !== "refused" && (
        <section aria-labelledby="library-compare">
          <h3 id="library-compare">{t(words.compare)}</h3>
          <label className="labelled" htmlFor={select}>
            <span>{t(words.withAgent)}</span>
            <select id={select} className="field" value={chosen} onChange={({ target }) => setPicked(target.value)}>
              {slugs.map((slug) => (
                <option key={slug}>{slug}</option>
              ))}
            </select>
          </label>
          {chosen !== undefined && <BehaviourBeside detail={detail} agent={chosen} />}
        </section>
      )}
    </>
  );
}

type ReplayRuns = LibraryDetail["replays"][number]["runs"];
const outcomes = ["same", "better", "worse", "unknown"] as const satisfies readonly (keyof ReplayRuns)[];

/** The outcomes of our recorded runs under this behaviour, as one bar. */
function ReplayStack({ runs }: { readonly runs: ReplayRuns }) {
  const t = useT();
  return (
    <>
      <div className="replay-stack" aria-hidden="true">
        {outcomes.map((kind) => (
          <i key={kind} className={kind} style={{ flexGrow: runs[kind] }} />
        ))}
      </div>
      <ul className="replay-legend meta">
        {outcomes.map((kind) => (
          <li key={kind}>
            <i className={kind} aria-hidden="true" />
            <b>{runs[kind]}</b> {t(words[kind])}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The checks that this garden made itself. */
function Checks({ detail }: { readonly detail: LibraryDetail }) {
  const t = useT();
  const { key, garden, problems, evidence, state } = detail;
  const count = (outcome: (typeof evidence)[number]["outcome"]): number =>
    evidence.filter((one) => one.outcome === outcome).length;
  const [agrees, told, differs] = [count("agrees"), count("verdict-only"), count("differs")];
  if (key === null && problems.length === 0) return null;
  return (
    <section aria-labelledby="library-checks">
      <h3 id="library-checks">{t(words.checks)}</h3>
      <ul className="plain-list library-checks">
        {key !== null && (
          <Check isGood>
            {t(garden === null ? words.signedHere : words.signedBy, ...(garden === null ? [] : [garden]))}{" "}
            <code className="break">{key}</code>
          </Check>
        )}
        {state === "sound" && evidence.length > 0 && <Check isGood>{t(words.holds, evidence.length)}</Check>}
        {agrees > 0 && <Check isGood>{t(words.agrees, agrees)}</Check>}
        {told > 0 && <Check>{t(words.verdictOnly, told)}</Check>}
        {differs > 0 && <Check>{t(words.differs, differs)}</Check>}
        {problems.map((problem) => (
          <Check key={problem.en}>{t(problem)}</Check>
        ))}
      </ul>
    </section>
  );
}

function Check({ isGood = false, children }: { readonly isGood?: boolean; readonly children: React.ReactNode }) {
  const Icon = isGood ? CircleCheck : CircleAlert;
  return (
    <li className={isGood ? "good" : "bad"}>
      <Icon size={16} aria-hidden="true" />
      <span>{children}</span>
    </li>
  );
}

const words = {
  report: { en: "Evidence report", uk: "Звіт про докази" },
  good: { en: "Good runs, 95% interval", uk: "Добрі запуски, 95% інтервал" },
  theirs: { en: "Theirs", uk: "У них" },
  ours: { en: "Ours", uk: "У нас" },
  never: { en: "never followed here", uk: "тут за нею ще не діяли" },
  replayed: { en: "Replayed, {}", uk: "Відтворено, {}" },
  same: { en: "same", uk: "так само" },
  better: { en: "better", uk: "краще" },
  worse: { en: "worse", uk: "гірше" },
  unknown: { en: "unknown", uk: "невідомо" },
  checks: { en: "Checks by this garden", uk: "Перевірки цього саду" },
  signedBy: { en: "Signed by {}", uk: "Підписав {}" },
  signedHere: { en: "Signed with the key", uk: "Підписано ключем" },
  holds: {
    en: "Their {} [record matches|records match] their figures",
    uk: "Записів, що сходяться з їхніми числами: {}",
  },
  agrees: {
    en: "{} recorded [run follows|runs follow] from the diagram, replayed here",
    uk: "Відтворено тут, і з діаграми випливає запусків: {}",
  },
  verdictOnly: {
    en: "{} [record has|records have] only a verdict and cannot be replayed",
    uk: "Записів лише з вироком, які не відтворити: {}",
  },
  differs: {
    en: "{} [record does|records do] not follow from the diagram",
    uk: "Записів, що не випливають з діаграми: {}",
  },
  compare: { en: "Beside our logic", uk: "Поруч із нашою логікою" },
  withAgent: { en: "Agent", uk: "Агент" },
} as const satisfies Record<string, Text>;
