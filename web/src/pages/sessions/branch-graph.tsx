import { Link } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { clock, shortTime } from "../../i18n/day.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import {
  branchLayout,
  type DrawnBranches,
  type GraphLaneRow,
  type GraphPoint,
  RULER_PX,
  rowY,
} from "./branch-layout.ts";
import { KindMark, useKindName } from "./commit-kind.tsx";
import "../../style/sessions.css";

/** Narrower than this, the picture scrolls instead of being squeezed. */
const LEAST_PX = 420;

/**
 * Branches over time: main, and one row for each session with its sub-agents below it. The names are links; the picture repeats for the
 * eye what the lists of sessions and commits say in words, so a screen reader gets only a sentence.
 */
export function BranchGraph(props: {
  readonly graph: DrawnBranches;
  readonly rows: readonly GraphLaneRow[];
  /** The session whose page this is. */
  readonly here?: string;
  /** The chosen commit. */
  readonly chosen?: string | undefined;
  /** Sessions whose merge waits for a decision. */
  readonly proposed: ReadonlySet<string>;
  /** The second line of a branch. */
  readonly about: (row: GraphLaneRow) => string;
}) {
  const { graph, rows, here, chosen, proposed, about } = props;
  const t = useT();
  const pane = useRef<HTMLDivElement>(null);
  const width = useWidth(pane);
  const layout = useMemo(
    () => branchLayout(graph, rows, { least: Math.max(LEAST_PX, width), proposed }),
    [graph, rows, width, proposed],
  );
  // The newest commits are what one looks for first.
  useEffect(() => {
    pane.current?.scrollTo({ left: layout.width });
  }, [layout.width]);
  return (
    <section className="branches" aria-label={t(words.graph)}>
      <ul className="branch-names">
        <li className="branch-ruler" aria-hidden="true">
          {t(words.branch)}
        </li>
        {rows.map((row) => (
          <li
            key={row.name}
            className={row.name === here ? "branch here" : "branch"}
            style={{ paddingInlineStart: `${20 + row.depth * 16}px` }}
          >
            {row.tone === "main" ? (
              <b className="cut">main</b>
            ) : (
              <Link
                to="/sessions/$name"
                params={{ name: row.name }}
                className="cut plain-link"
                aria-current={row.name === here ? "page" : undefined}
              >
                {row.name}
              </Link>
            )}
            <span className="cut">{about(row)}</span>
          </li>
        ))}
      </ul>
      <div ref={pane} className="branch-pane">
        <p className="hidden-visually">{t(words.sentence, rows.length - 1, layout.points.length)}</p>
        <svg width={layout.width} height={layout.height} aria-hidden="true">
          {rows.map(({ name }, row) => (
            <rect
              key={name}
              className={name === here ? "band here" : "band"}
              y={rowY(row) - 31}
              width={layout.width}
              height="62"
            />
          ))}
          <Ruler ticks={layout.ticks} height={layout.height} />
          {layout.lines.map(({ key, tone, path, isProposed = false }) => (
            <path key={key} className={`branch-line ${tone} ${isProposed ? "proposed" : ""}`} d={path} />
          ))}
          {layout.proposedAt !== undefined && (
            <g className="proposed-merge">
              <KindMark kind="session-merge" x={layout.proposedAt} y={rowY(0)} />
              <text x={layout.proposedAt - 18} y={rowY(0) - 10}>
                {t(words.waits)}
              </text>
            </g>
          )}
          {layout.points.map((point) => (
            <Point key={point.key} point={point} row={rows[point.row]!} isChosen={point.key === chosen} />
          ))}
        </svg>
      </div>
    </section>
  );
}

/** A time is said once: days and minutes with many commits would repeat it. */
function Ruler({ ticks, height }: { readonly ticks: readonly { x: number; at: number }[]; readonly height: number }) {
  const { language } = usePreferences();
  let [day, said] = ["", ""];
  return ticks.map(({ x, at }) => {
    const isNewDay = new Date(at).toDateString() !== day;
    day = new Date(at).toDateString();
    const isToday = day === new Date().toDateString();
    const time = isNewDay && !isToday ? `${shortTime(at, language)} ${clock(at, language)}` : clock(at, language);
    const isSaid = time === said;
    said = time;
    return (
      <g key={x} className="branch-tick">
        <path d={`M${x} ${RULER_PX}V${height}`} />
        {!isSaid && (
          <text x={x + 5} y="18">
            {time}
          </text>
        )}
      </g>
    );
  });
}

function Point({
  point,
  row,
  isChosen,
}: {
  readonly point: GraphPoint;
  readonly row: GraphLaneRow;
  readonly isChosen: boolean;
}) {
  const { language } = usePreferences();
  const kindName = useKindName();
  const { x, commit } = point;
  const y = rowY(point.row);
  const title = `${clock(commit.at, language)} · ${commit.by} · ${row.tone === "main" ? "" : `${kindName(commit.kind)}: `}${commit.message}`;
  if (row.tone === "main")
    return (
      <Link to="/why" search={{ subject: commit.commit }} tabIndex={-1}>
        <title>{title}</title>
        {commit.parents.length > 1 ? (
          <KindMark kind="session-merge" x={x} y={y} />
        ) : (
          <circle className="main-point" cx={x} cy={y} r="5" />
        )}
      </Link>
    );
  return (
    <Link to="/sessions/$name" params={{ name: row.name }} search={{ commit: commit.commit }} tabIndex={-1}>
      <title>{title}</title>
      {isChosen && <circle className="chosen" cx={x} cy={y} r="17" />}
      <KindMark kind={commit.kind} x={x} y={y} />
    </Link>
  );
}

/** The width of an element, as it is now. */
function useWidth(of: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const shown = of.current!;
    const watch = new ResizeObserver(() => setWidth(Math.floor(shown.clientWidth)));
    watch.observe(shown);
    return () => watch.disconnect();
  }, [of]);
  return width;
}

const words = {
  graph: { en: "Branches over time", uk: "Гілки в часі" },
  waits: { en: "waits for you", uk: "чекає на вас" },
  branch: { en: "Branch", uk: "Гілка" },
  sentence: {
    en: "A picture of {} [session|sessions] and main with {} [commit|commits]; the lists below say the same.",
    uk: "Рисунок: {} [сесія|сесії|сесій] і main, {} [коміт|коміти|комітів]; списки нижче кажуть те саме.",
  },
} as const satisfies Record<string, Text>;
