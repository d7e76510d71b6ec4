import { Link } from "@tanstack/react-router";
import type { LibraryRow } from "../../api/endpoints.gen.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import { BehaviourThumb } from "./behaviour-thumb.tsx";
import { RateFigure } from "./rate-figure.tsx";
import { replayedRate } from "./replayed-rate.ts";

/** One behaviour of the list: its outline, its name, where it is from, and the figures of both gardens. */
export function BehaviourRow({ row, isChosen }: { readonly row: LibraryRow; readonly isChosen: boolean }) {
  const t = useT();
  const isOurs = row.source === "own" || row.source === "kept";
  const [replay] = row.replays;
  return (
    <li className={`behaviour-row ${isChosen ? "chosen" : ""}`}>
      <BehaviourThumb id={row.id} />
      <div className="behaviour-text">
        <div className="behaviour-title">
          <h3>
            <Link
              to="/library"
              search={{ id: row.id }}
              replace
              resetScroll={false}
              aria-current={isChosen ? "true" : undefined}
            >
              {row.name === "" ? row.behaviour.slice(0, 10) : row.name}
            </Link>
          </h3>
          <span className="meta cut">{sourceOf(t, row)}</span>
        </div>
        {row.state === "refused" ? (
          <p className="behaviour-problem">{row.problems.map((problem) => t(problem)).join(" ")}</p>
        ) : (
          <>
            {!isOurs && <RateFigure label={t(words.theirs)} figures={row.sent} isWorse={row.state === "lying"} />}
            {row.here || isOurs || !replay ? (
              <RateFigure
                label={t(words.ours)}
                figures={row.here}
                none={t(isOurs ? words.noRuns : words.notReplayed)}
              />
            ) : (
              <RateFigure label={t(words.ours)} figures={replayedRate(replay)} isHollow />
            )}
          </>
        )}
      </div>
      <RowState row={row} />
    </li>
  );
}

function sourceOf(t: ReturnType<typeof useT>, { source, garden, version, agents }: LibraryRow): string {
  if (source === "own" || source === "kept")
    return agents.map(({ agent, version: of }) => `${agent} ${of}`).join(", ") || (version ?? "");
  const from = garden ?? t(words.stranger);
  return [from, version, ...(source === "file" ? [t(words.file)] : [])].filter(Boolean).join(" · ");
}

function RowState({ row }: { readonly row: LibraryRow }) {
  const t = useT();
  const [tone, name] =
    row.state === "refused"
      ? ["bad", words.refused]
      : row.state === "lying"
        ? ["bad", words.lying]
        : row.source === "own"
          ? ["good", words.published]
          : row.source === "kept"
            ? ["", words.kept]
            : row.agents.some(({ current }) => current)
              ? ["good", words.adopted]
              : ["", undefined];
  return name === undefined ? null : <span className={`state ${tone}`}>{t(name)}</span>;
}

const words = {
  theirs: { en: "Theirs", uk: "У них" },
  ours: { en: "Ours", uk: "У нас" },
  noRuns: { en: "no runs yet", uk: "запусків ще не було" },
  notReplayed: { en: "not replayed on our runs yet", uk: "на наших запусках ще не відтворено" },
  stranger: { en: "unknown garden", uk: "невідомий сад" },
  file: { en: "from a file", uk: "з файлу" },
  refused: { en: "refused", uk: "відхилено" },
  lying: { en: "evidence does not hold", uk: "докази не сходяться" },
  published: { en: "published", uk: "оприлюднено" },
  kept: { en: "kept at home", uk: "лише вдома" },
  adopted: { en: "in use here", uk: "працює тут" },
} as const satisfies Record<string, Text>;
