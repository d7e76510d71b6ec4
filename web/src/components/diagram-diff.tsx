import { useMemo, useState } from "react";
import { comparePrograms } from "../../../src/drakon/compare/compare-programs.ts";
import type { RiskLevel } from "../../../src/drakon/compare/fact.ts";
import { splitDiagrams } from "../../../src/drakon/diagram/called-diagrams.ts";
import { type Diagram, readDiagram } from "../../../src/drakon/diagram/diagram.ts";
import type { ChangeMark, Overlays } from "../../../src/drakon/draw/paint/overlay.ts";
import { fileDiagramName } from "../../../src/drakon/insertions.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { DiagramPair, MovedDrawing, type PairMove } from "./diagram-pair.tsx";
import { useDrawing } from "./diagram-picture.tsx";

export interface DiagramSide {
  readonly name: string;
  /** The file's content. */
  readonly text: string;
}

/** An icon of the main diagram (`part` is empty) or of a called one. */
export interface PartIcon {
  readonly part: string;
  readonly icon: string;
  readonly text: string;
}

interface PartIcons {
  readonly chosen: PartIcon | undefined;
  readonly choose: (icon: PartIcon) => void;
  readonly counts: (part: string) => ReadonlyMap<string, number>;
}

/**
 * Two versions of a diagram side by side, moved and zoomed together, with changed icons marked and, unless `isPlain`, the risk in words.
 * `lit` is a path through the second one.
 */
export function DiagramDiff(props: {
  readonly before: DiagramSide;
  readonly after: DiagramSide;
  readonly lit?: readonly string[];
  /** The called diagram that `lit` is in; the main one without it. */
  readonly litIn?: string | undefined;
  readonly isPlain?: boolean;
  /** Comments on icons of the second version. */
  readonly icons?: PartIcons | undefined;
}) {
  const { before, after, lit, litIn, isPlain = false, icons } = props;
  const t = useT();
  const program = useMemo(() => comparePrograms(before.text, after.text), [before.text, after.text]);
  const called = program.called.filter(({ change }) => change !== "recorded");
  const [picked, setPicked] = useState<string>();
  const first = program.main.sameMeaning ? called[0]?.file : undefined;
  const part = picked ?? litIn ?? icons?.chosen?.part ?? first ?? MAIN;
  const { old, now } = useMemo(() => {
    const [one, other] = [partOf(before.text, part), partOf(after.text, part)];
    return { old: one, now: other };
  }, [before.text, after.text, part]);
  const shown = called.find(({ file }) => file === part);
  const change = shown?.change;
  const { marks, facts, summary, riskLevel, sameMeaning } = shown?.comparison ?? program.main;
  return (
    <div className="stack tight">
      {called.length > 0 && (
        <div className="segments diagram-parts" role="group" aria-label={t(words.diagrams)}>
          {[{ file: MAIN, change: undefined }, ...called].map(({ file, change: how }) => (
            <button key={file} type="button" aria-pressed={file === part} onClick={() => setPicked(file)}>
              {file === MAIN ? t(words.main) : fileDiagramName(file)}
              {how && how !== "recorded" && <span className="meta"> {t(words[how])}</span>}
            </button>
          ))}
        </div>
      )}
      {!isPlain && (
        <RiskSummary
          level={sameMeaning ? undefined : riskLevel}
          summary={summary}
          facts={facts.map(({ text }) => text)}
        />
      )}
      <DiagramPair key={part}>
        {(move) => (
          <>
            {change !== "added" && <Drawn name={before.name} diagram={old} marks={marks.before} move={move} />}
            {change !== "removed" && (
              <Drawn
                name={after.name}
                diagram={now}
                marks={marks.after}
                lit={part === (litIn ?? MAIN) ? lit : undefined}
                move={move}
                counts={icons?.counts(part)}
                onIcon={icons && ((icon) => icons.choose({ part, icon, text: now.icons.get(icon)?.text ?? "" }))}
              />
            )}
          </>
        )}
      </DiagramPair>
      <p className="meta">{t(words.legend)}</p>
    </div>
  );
}

const MAIN = "";

/** The main diagram of a file, or one that it calls; empty if it is not there. */
function partOf(text: string, part: string): Diagram {
  const { main, called } = splitDiagrams(text);
  return readDiagram(part === MAIN ? main : (called.get(part) ?? "")).diagram;
}

function Drawn(props: {
  readonly name: string;
  readonly diagram: Diagram;
  readonly marks: ReadonlyMap<string, ChangeMark>;
  readonly lit?: readonly string[] | undefined;
  readonly move: PairMove;
  readonly counts?: ReadonlyMap<string, number> | undefined;
  readonly onIcon?: ((icon: string) => void) | undefined;
}) {
  const { name, diagram, marks, lit, move, counts, onIcon } = props;
  const t = useT();
  const said = [...(counts ?? [])].map(([icon, count]) => `${icon}:${count}`).join();
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `said` stands for the counts, whose map is new at every render
  const overlays = useMemo<Overlays>(() => {
    const all = new Map<string, { mark?: ChangeMark; badge?: string }>(
      [...marks].map(([icon, mark]) => [icon, { mark }]),
    );
    for (const [icon, count] of counts ?? []) all.set(icon, { ...all.get(icon), badge: t(words.comments, count) });
    return all;
  }, [marks, said, t]);
  const svg = useDrawing({ diagram, name, overlays, focusable: onIcon !== undefined, ...(lit && { highlight: lit }) });
  return <MovedDrawing name={name} svg={svg} move={move} onIcon={onIcon} />;
}

/** The risk of a change: level, summary, and the facts that the summary does not mention. */
export function RiskSummary(props: {
  readonly level: RiskLevel | undefined;
  readonly summary: Text;
  readonly facts: readonly Text[];
}) {
  const { level, summary, facts } = props;
  const t = useT();
  const more = facts.filter(({ en }) => !summary.en.includes(en));
  return (
    <>
      <p className="row">
        {level && (
          <span className={`state ${{ low: "good", medium: "wait", high: "bad" }[level]}`}>{t(risks[level])}</span>
        )}
        <span className="break">{t(summary)}</span>
      </p>
      {more.length > 0 && (
        <ul className="fact-list">
          {more.map((fact) => (
            <li key={fact.en}>{t(fact)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

const risks = {
  low: { en: "low risk", uk: "низький ризик" },
  medium: { en: "medium risk", uk: "середній ризик" },
  high: { en: "high risk", uk: "високий ризик" },
} as const satisfies Record<RiskLevel, Text>;

const words = {
  comments: { en: "{} [comment|comments]", uk: "{} [коментар|коментарі|коментарів]" },
  diagrams: { en: "Changed diagrams", uk: "Змінені діаграми" },
  main: { en: "Main diagram", uk: "Головна діаграма" },
  added: { en: "new", uk: "нова" },
  removed: { en: "no longer called", uk: "більше не викликається" },
  changed: { en: "changed", uk: "змінено" },
  legend: {
    en: "+ added, − removed, ~ changed, ↕ moved, ↪ leads elsewhere, ≈ reached on other conditions",
    uk: "+ додано, − вилучено, ~ змінено, ↕ переставлено, ↪ веде деінде, ≈ досягається за інших умов",
  },
} as const satisfies Record<string, Text>;
