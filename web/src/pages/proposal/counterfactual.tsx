import { useState } from "react";
import { Button } from "../../components/form.tsx";
import { RunLink } from "../../components/links.tsx";
import { Empty } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { number } from "../../i18n/format.ts";
import { type Text, type Translate, usePreferences, useT } from "../../i18n/use-t.ts";
import type { LogicReport, ReplayedRun, ReplayPlace, ReplaySummary } from "./logic-report.ts";
import { ReplayedRunText } from "./replayed-run-text.tsx";

interface Choice {
  /** The highlighted place. */
  readonly place: ReplayPlace | undefined;
  readonly onPlace: (place: ReplayPlace | undefined) => void;
  /** The diagram that is shown. Places in other diagrams cannot be highlighted. */
  readonly mainFile: string | undefined;
}

const SHOWN = 25;

/** L-8: recorded runs replayed with the proposed logic: totals, where they differ, and each run. */
export function Counterfactual({ report, ...choice }: Choice & { readonly report: LogicReport }) {
  const t = useT();
  const { counterfactual } = report;
  return (
    <section className="stack tight" aria-labelledby="report">
      <div className="row between">
        <h2 id="report">{t(words.title)}</h2>
        <span className="quiet small">
          {t(words.made)} <When at={report.made_at} />
        </span>
      </div>
      {counterfactual ? <Rows replayed={counterfactual} {...choice} /> : <Empty>{t(words.none)}</Empty>}
    </section>
  );
}

function Rows({ replayed, ...choice }: Choice & { readonly replayed: ReplaySummary }) {
  const t = useT();
  const { language } = usePreferences();
  const { totals, icons, rows } = replayed;
  const [kind, setKind] = useState<ReplayedRun["kind"]>();
  const [all, setAll] = useState(false);
  // Unchanged runs are shown on demand only.
  const wanted = kind === undefined ? changedOf(rows) : rows.filter((row) => row.kind === kind);
  const shown = all ? wanted : wanted.slice(0, SHOWN);
  return (
    <>
      <div className="totals" role="group" aria-label={t(words.filter)}>
        {kinds.map((each) => (
          <button
            key={each}
            type="button"
            className="button total"
            aria-pressed={each === kind}
            disabled={totals[countOf(each)] === 0}
            onClick={() => setKind(each === kind ? undefined : each)}
          >
            <strong className={tones[each]}>{number(totals[countOf(each)], language)}</strong> {t(kindWords[each])}
          </button>
        ))}
      </div>
      {totals.proposals && (
        <p className={totals.proposals.lost > 0 ? "tag bad" : "quiet small"}>
          {t(words.proposals, totals.proposals.recorded, totals.proposals.lost, totals.proposals.gained)}
          {totals.proposals.undecided > 0 && ` ${t(words.undecided, totals.proposals.undecided)}`}
        </p>
      )}
      <p className="quiet small">{t(words.rests, totals.runs, totals.facts, totals.claims)}</p>
      {icons.length > 0 && (
        <div className="stack tight">
          <h3>{t(words.where)}</h3>
          <ul className="stack tight">
            {icons.map((icon) => (
              <li key={`${icon.diagram} ${icon.icon}`} className="row">
                <PlaceButton of={icon} {...choice} />
                <span className="quiet small">{countsOf(icon, t)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {shown.length === 0 ? (
        <Empty>{t(words.allSame)}</Empty>
      ) : (
        <Table rows={shown} mostSteps={replayed.most_steps} {...choice} />
      )}
      {shown.length < wanted.length && (
        <Button onClick={() => setAll(true)}>{t(words.more, wanted.length - shown.length)}</Button>
      )}
      <p className="quiet small">{t(words.assumes)}</p>
    </>
  );
}

function Table(props: Choice & { readonly rows: readonly ReplayedRun[]; readonly mostSteps: number }) {
  const { rows, mostSteps, ...choice } = props;
  const t = useT();
  return (
    <div className="scroll-x">
      <table className="table stacking">
        <caption className="hidden-visually">{t(words.title)}</caption>
        <thead>
          <tr>
            {(["run", "result", "place", "told"] as const).map((each) => (
              <th key={each} scope="col">
                {t(words[each])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.run} className={isAt(row.at ?? row.asked, choice.place) ? "chosen" : ""}>
              <td>
                <RunLink run={row.run}>
                  <code>{row.run}</code>
                </RunLink>
                {row.version !== null && <span className="quiet small"> {row.version}</span>}
              </td>
              <td>
                <span className={`tag ${tones[row.kind]}`}>{t(kindWords[row.kind])}</span>
                {row.certainty === "claim" && <span className="quiet small"> ≈ {t(words.claim)}</span>}
              </td>
              <td className="break">
                {(row.at ?? row.asked) && <PlaceButton of={(row.at ?? row.asked)!} {...choice} />}
              </td>
              <td className="break">
                <ReplayedRunText row={row} mostSteps={mostSteps} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Highlights a place in the diagram above. A place in another diagram is plain text. */
function PlaceButton({ of, place, onPlace, mainFile }: Choice & { readonly of: ReplayPlace }) {
  const text = of.text.trim() === "" ? of.icon : of.text;
  if (of.diagram !== mainFile)
    return (
      <span>
        {text} {mainFile !== undefined && <code className="quiet small">{of.diagram}</code>}
      </span>
    );
  const chosen = isAt(of, place);
  return (
    <button type="button" className="as-text" aria-pressed={chosen} onClick={() => onPlace(chosen ? undefined : of)}>
      {text}
    </button>
  );
}

const isAt = (one: ReplayPlace | undefined, other: ReplayPlace | undefined): boolean =>
  one !== undefined && one.icon === other?.icon && one.diagram === other.diagram;

const kinds = [
  "same",
  "parts",
  "avoids",
  "cannot-tell",
  "unreadable",
] as const satisfies readonly ReplayedRun["kind"][];
const ORDER: readonly ReplayedRun["kind"][] = ["avoids", "parts", "cannot-tell", "unreadable"];
const changedOf = (rows: readonly ReplayedRun[]): readonly ReplayedRun[] =>
  ORDER.flatMap((kind) => rows.filter((row) => row.kind === kind));
const countOf = (kind: ReplayedRun["kind"]) => (kind === "cannot-tell" ? "cannot_tell" : kind);

function countsOf(icon: ReplaySummary["icons"][number], t: Translate): string {
  const counts = [
    [icon.parts, kindWords.parts],
    [icon.avoids, kindWords.avoids],
    [icon.cannot_tell, kindWords["cannot-tell"]],
  ] as const;
  return counts.flatMap(([count, what]) => (count > 0 ? [`${t(what)}: ${count}`] : [])).join(", ");
}

const tones = { same: "", parts: "info", avoids: "good", "cannot-tell": "wait", unreadable: "bad" } as const;

const kindWords = {
  same: { en: "same path", uk: "так само" },
  parts: { en: "different path", uk: "інакше" },
  avoids: { en: "failure avoided", uk: "без того збою" },
  "cannot-tell": { en: "unknown", uk: "невідомо" },
  unreadable: { en: "unreadable", uk: "не читається" },
} as const satisfies Record<ReplayedRun["kind"], Text>;

const words = {
  title: { en: "Replay of recorded runs", uk: "Як повелися б записані запуски" },
  made: { en: "Report made", uk: "звіт готовий" },
  none: { en: "No recorded runs to replay.", uk: "Записів немає: ще нічого не запускали, тож повторити нічого." },
  allSame: { en: "Every recorded run takes the same path.", uk: "Усі записані запуски пройшли б так само." },
  filter: { en: "Show only", uk: "Показати лише" },
  rests: {
    en: "{} [run|runs]: the path is recorded for {}, claimed by the model for {}.",
    uk: "Запусків: {}; їхній шлях — факт для {}, слова моделі для {}.",
  },
  proposals: {
    en: "Of {} recorded [proposal|proposals], {} would be lost; {} would be new.",
    uk: "Із записаних пропозицій ({}) буде втрачено: {}; нових: {}.",
  },
  undecided: { en: "Unknown: {}.", uk: "Невідомо: {}." },
  where: { en: "Where paths differ", uk: "Де вони розходяться" },
  run: { en: "Run", uk: "Запуск" },
  result: { en: "With the proposed logic", uk: "За запропонованою логікою" },
  place: { en: "Icon", uk: "Ікона" },
  told: { en: "Then", uk: "Далі" },
  claim: { en: "claimed by the model", uk: "зі слів моделі" },
  more: { en: "{} more", uk: "Ще {}" },
  assumes: {
    en: "Assumes the same answers to the same questions, and tool results that do not depend on the time.",
    uk: "Вважається, що на те саме питання відповіли б те саме і що інструменти зважають на зроблене раніше, а не на годинник.",
  },
} as const satisfies Record<string, Text>;
