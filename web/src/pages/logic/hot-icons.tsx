import { useState } from "react";
import { type HeatMeasure, heatValueOf } from "../../../../src/domain/logic/icon-heat.ts";
import { Button } from "../../components/form.tsx";
import { Empty } from "../../components/query-result.tsx";
import { duration, number } from "../../i18n/format.ts";
import { type Language, type Text, type Translate, usePreferences, useT } from "../../i18n/use-t.ts";
import { heatWords, type LogicHeat } from "./heat-words.ts";

type Icon = LogicHeat["icons"][number];
type Place = Omit<Icon, "diagram" | "icon" | "text" | "branches">;

const SHOWN = 8;

/** The icons with the highest values, and the branches of the chosen one. */
export function HotIcons(props: {
  readonly heat: LogicHeat;
  readonly by: HeatMeasure;
  readonly icon: string | undefined;
  readonly onIcon: (icon: string | undefined) => void;
}) {
  const { heat, by, icon: chosen, onIcon } = props;
  const t = useT();
  const [all, setAll] = useState(false);
  const hot = heat.icons
    .filter((each) => each.text !== "" || each.failures > 0)
    .toSorted((a, b) => heatValueOf[by](b) - heatValueOf[by](a));
  const isChosen = (each: Icon): boolean => each.diagram === heat.mainFile && each.icon === chosen;
  const shown = all ? hot : hot.filter((each, index) => index < SHOWN || isChosen(each));
  if (hot.length === 0) return <Empty>{t(words.none)}</Empty>;
  return (
    <div className="stack tight">
      <div className="scroll-x">
        <table className="table">
          <caption className="hidden-visually">{t(words.caption, t(heatWords[by]))}</caption>
          <thead>
            <tr>
              <th scope="col">{t(words.icon)}</th>
              <th scope="col" className="number">
                {t(heatWords.visits)}
              </th>
              {by !== "visits" && (
                <th scope="col" className="number">
                  {t(heatWords[by])}
                </th>
              )}
              <th scope="col">{t(words.proposals)}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((each) => (
              <Rows
                key={`${each.diagram} ${each.icon}`}
                heat={heat}
                icon={each}
                by={by}
                chosen={isChosen(each)}
                onIcon={onIcon}
              />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < hot.length && (
        <Button onClick={() => setAll(true)}>{t(words.more, hot.length - shown.length)}</Button>
      )}
      <p className="quiet small">{t(words.legend)}</p>
    </div>
  );
}

function Rows(props: {
  readonly heat: LogicHeat;
  readonly icon: Icon;
  readonly by: HeatMeasure;
  readonly chosen: boolean;
  readonly onIcon: (icon: string | undefined) => void;
}) {
  const { heat, icon, by, chosen, onIcon } = props;
  const t = useT();
  const own = icon.diagram === heat.mainFile;
  const text = icon.text === "" ? icon.icon : icon.text;
  return (
    <>
      <tr className={chosen ? "chosen" : ""}>
        <td className="break">
          {own ? (
            <button
              type="button"
              className="as-text"
              aria-pressed={chosen}
              onClick={() => onIcon(chosen ? undefined : icon.icon)}
            >
              {text}
            </button>
          ) : (
            <>
              {text} <code className="quiet small">{icon.diagram}</code>
            </>
          )}
        </td>
        <Cells place={icon} by={by} />
      </tr>
      {chosen &&
        icon.branches.map((branch) => (
          <tr key={String(branch.answer)} className="chosen branch">
            <td>→ {answerText(branch.answer, t)}</td>
            <Cells place={branch} by={by} />
          </tr>
        ))}
    </>
  );
}

function Cells({ place, by }: { readonly place: Place; readonly by: HeatMeasure }) {
  const { language } = usePreferences();
  const { accepted, edited, rejected, reverted, open } = place.proposals;
  const decided = [
    [accepted, "+"],
    [edited, "~"],
    [rejected, "−"],
    [reverted, "↩"],
    [open, "?"],
  ] as const;
  return (
    <>
      <td className="number">
        {number(place.visits, language)}
        {place.claimed > 0 && <span className="quiet small"> ≈{number(place.claimed, language)}</span>}
      </td>
      {by !== "visits" && <td className="number">{valueText(place, by, language)}</td>}
      <td className="nowrap">
        {decided
          .filter(([count]) => count > 0)
          .map(([count, sign]) => `${sign}${count}`)
          .join(" ")}
      </td>
    </>
  );
}

function valueText(place: Place, by: HeatMeasure, language: Language): string {
  const value = heatValueOf[by](place);
  if (by === "bad") return place.good + place.bad === 0 ? "–" : `${Math.round(value * 100)} %`;
  return by === "time" ? duration(value, language) : number(value, language);
}

const answerText = (answer: boolean | number | null, t: Translate): string =>
  answer === null ? t(words.noneOf) : typeof answer === "number" ? `№ ${answer + 1}` : t(answer ? words.yes : words.no);

const words = {
  caption: { en: "Hottest icons by: {}", uk: "Найгарячіші ікони за: {}" },
  icon: { en: "Icon", uk: "Ікона" },
  proposals: { en: "Proposals", uk: "Пропозиції" },
  none: { en: "No recorded runs of this version yet", uk: "Жодного запуску цієї версії ще не записано." },
  more: { en: "{} more", uk: "Ще {}" },
  legend: {
    en: "+ accepted, ~ edited, − rejected, ↩ reverted, ? undecided; ≈ visits claimed by a model. Select an icon to highlight it and see its branches.",
    uk: "+ схвалено, ~ змінено, − відхилено, ↩ відкликано, ? не вирішено; ≈ проходи зі слів моделі. Виберіть ікону, щоб підсвітити її та побачити її виходи.",
  },
  yes: { en: "yes", uk: "так" },
  no: { en: "no", uk: "ні" },
  noneOf: { en: "none", uk: "жоден" },
} as const satisfies Record<string, Text>;
