import { Eye } from "lucide-react";
import { Fragment, useState } from "react";
import { Button } from "../../components/form.tsx";
import { RunLink } from "../../components/links.tsx";
import { Empty } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { dateTime } from "../../i18n/format.ts";
import { type Text, type Translate, usePreferences, useT } from "../../i18n/use-t.ts";
import { byOutcome, outcomeOf, outcomeWords, type ReplayOutcome } from "./logic-outcome.ts";
import type { LogicReport, ReplayedRun, ReplayPlace } from "./logic-report.ts";
import { ReplayedRunText } from "./replayed-run-text.tsx";

interface Choice {
  /** The highlighted place. */
  readonly place: ReplayPlace | undefined;
  readonly onPlace: (place: ReplayPlace | undefined) => void;
  /** The diagram that is shown. Places in other diagrams cannot be highlighted. */
  readonly mainFile: string | undefined;
  /** The runs that were opened. */
  readonly opened: ReadonlySet<string>;
  readonly onOpened: (run: string) => void;
}

const SHOWN = 25;

/** L-8: recorded runs replayed with the proposed logic, those that lose something first. Unchanged runs are shown on demand. */
export function Counterfactual({
  report,
  chosen,
  ...choice
}: Choice & { readonly report: LogicReport; readonly chosen: ReplayOutcome | undefined }) {
  const t = useT();
  const { counterfactual } = report;
  const [all, setAll] = useState(false);
  if (!counterfactual) return <Empty>{t(words.none)}</Empty>;
  const { rows, totals } = counterfactual;
  const wanted = byOutcome(rows).filter((row) => {
    const outcome = outcomeOf(row);
    return chosen === undefined ? outcome !== "same" : outcome === chosen;
  });
  const shown = all ? wanted : wanted.slice(0, SHOWN);
  return (
    <section className="replay" aria-label={t(words.title)}>
      {shown.length === 0 ? (
        <Empty>{t(words.allSame)}</Empty>
      ) : (
        <div className="scroll-x">
          <table className="table stacking">
            <caption className="hidden-visually">{t(words.title)}</caption>
            <thead>
              <tr>
                {(["run", "recorded", "place", "effect"] as const).map((each) => (
                  <th key={each} scope="col">
                    {t(words[each])}
                  </th>
                ))}
                <th scope="col">
                  <span className="hidden-visually">{t(words.open)}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <Row key={row.run} row={row} mostSteps={counterfactual.most_steps} {...choice} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {shown.length < wanted.length && (
        <Button onClick={() => setAll(true)}>{t(words.more, wanted.length - shown.length)}</Button>
      )}
      <p className="meta">
        {t(words.rests, totals.runs, totals.facts, totals.claims)}{" "}
        {totals.proposals &&
          t(words.proposals, totals.proposals.recorded, totals.proposals.lost, totals.proposals.gained)}{" "}
        {t(words.assumes)} {t(words.made)} <When at={report.made_at} />.
      </p>
    </section>
  );
}

function Row({ row, mostSteps, ...choice }: Choice & { readonly row: ReplayedRun; readonly mostSteps: number }) {
  const t = useT();
  const { language } = usePreferences();
  const { opened, onOpened, place } = choice;
  const [isOpen, setIsOpen] = useState(false);
  const at = row.at ?? row.asked;
  const outcome = outcomeOf(row);
  const toggle = (): void => {
    onOpened(row.run);
    setIsOpen(!isOpen);
  };
  return (
    <Fragment>
      <tr className={isAt(at, place) ? "chosen" : ""}>
        <td className="nowrap">
          <RunLink run={row.run}>{runTime(row.run, language)}</RunLink>
          {row.version !== null && <span className="meta"> {row.version}</span>}
        </td>
        <td>
          {row.status === null ? "" : t(statuses[row.status])}
          {row.certainty === "claim" && <span className="meta"> {t(words.claim)}</span>}
        </td>
        <td className="break">{at && <PlaceButton of={at} {...choice} />}</td>
        <td>
          <span className={`outcome ${outcome}`}>{effectOf(row, outcome, t)}</span>
        </td>
        <td className="nowrap">
          <button type="button" className="as-text small" aria-expanded={isOpen} onClick={toggle}>
            {isOpen ? (
              t(words.close)
            ) : opened.has(row.run) ? (
              <>
                <Eye size={14} aria-hidden="true" /> {t(words.seen)}
              </>
            ) : (
              t(words.open)
            )}
          </button>
        </td>
      </tr>
      {isOpen && (
        <tr className="opened">
          <td colSpan={5}>
            <ReplayedRunText row={row} mostSteps={mostSteps} />
            {row.proposals && (
              <p className="small">
                {t(words.proposals, row.proposals.recorded, row.proposals.lost, row.proposals.gained)}
              </p>
            )}
          </td>
        </tr>
      )}
    </Fragment>
  );
}

/** The time in the id of a run. */
function runTime(run: string, language: "en" | "uk"): string {
  const [, day, hour, minute, second] = /^run_(\d{4}-\d{2}-\d{2})_(\d{2})(\d{2})(\d{2})/.exec(run) ?? [];
  return day === undefined ? run : dateTime(`${day}T${hour}:${minute}:${second}Z`, language);
}

function effectOf({ proposals }: ReplayedRun, outcome: ReplayOutcome, t: Translate): string {
  if (outcome === "lost") return t(words.loses, proposals!.lost);
  if (outcome === "parts" && (proposals?.gained ?? 0) > 0) return t(words.gains, proposals!.gained);
  return t(outcomeWords[outcome]);
}

/** Highlights a place in the diagrams above; that of a called diagram is named. */
function PlaceButton({ of, place, onPlace, mainFile }: Choice & { readonly of: ReplayPlace }) {
  const text = of.text.trim() === "" ? of.icon : of.text;
  const chosen = isAt(of, place);
  return (
    <button type="button" className="as-text" aria-pressed={chosen} onClick={() => onPlace(chosen ? undefined : of)}>
      {text} {mainFile !== undefined && of.diagram !== mainFile && <code className="quiet small">{of.diagram}</code>}
    </button>
  );
}

const isAt = (one: ReplayPlace | undefined, other: ReplayPlace | undefined): boolean =>
  one !== undefined && one.icon === other?.icon && one.diagram === other.diagram;

const statuses = {
  completed: { en: "completed", uk: "завершено" },
  failed: { en: "failed", uk: "збій" },
  cancelled: { en: "cancelled", uk: "скасовано" },
} as const satisfies Record<NonNullable<ReplayedRun["status"]>, Text>;

const words = {
  title: { en: "Replay of recorded runs", uk: "Як повелися б записані запуски" },
  made: { en: "Report made", uk: "Звіт складено" },
  none: { en: "No recorded runs to replay.", uk: "Записів немає: ще нічого не запускали, тож повторити нічого." },
  allSame: { en: "Every recorded run takes the same path.", uk: "Усі записані запуски пройшли б так само." },
  rests: {
    en: "{} [run|runs]: the path is recorded for {}, claimed by the model for {}.",
    uk: "{} [запуск|запуски|запусків]: шлях записано для {}, зі слів моделі для {}.",
  },
  proposals: {
    en: "Of {} recorded [proposal|proposals], {} would be lost; {} would be new.",
    uk: "Із записаних пропозицій ({}) буде втрачено: {}; нових: {}.",
  },
  loses: { en: "loses {} [proposal|proposals]", uk: "втрачає {} [пропозицію|пропозиції|пропозицій]" },
  gains: { en: "{} new [proposal|proposals]", uk: "{} [нова пропозиція|нові пропозиції|нових пропозицій]" },
  run: { en: "Run", uk: "Запуск" },
  recorded: { en: "Recorded", uk: "Як було" },
  place: { en: "Where it parts", uk: "Де розходиться" },
  effect: { en: "Effect", uk: "Наслідок" },
  open: { en: "Open", uk: "Відкрити" },
  close: { en: "Close", uk: "Закрити" },
  seen: { en: "seen", uk: "переглянуто" },
  claim: { en: "claimed by the model", uk: "зі слів моделі" },
  more: { en: "{} more", uk: "Ще {}" },
  assumes: {
    en: "Assumes the same answers to the same questions, and tool results that do not depend on the time.",
    uk: "Вважається, що на те саме питання відповіли б те саме і що інструменти зважають на зроблене раніше, а не на годинник.",
  },
} as const satisfies Record<string, Text>;
