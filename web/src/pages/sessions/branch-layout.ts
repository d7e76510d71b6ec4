import type { AnswerOf } from "../../api/client.ts";

export type DrawnBranches = AnswerOf<"GET /session-graph">;
type GraphCommit = DrawnBranches["main"][number];

/** A branch in the picture: main, a session, or the session of another one's sub-agent. */
export type LaneTone = "main" | "session" | "sub";

export interface GraphLaneRow {
  /** Empty for main. */
  readonly name: string;
  readonly tone: LaneTone;
  /** How many sessions it is under. */
  readonly depth: number;
}

export interface GraphPoint {
  readonly key: string;
  /** Index of the row. */
  readonly row: number;
  readonly x: number;
  readonly commit: GraphCommit;
}

export interface GraphLine {
  readonly key: string;
  readonly tone: LaneTone;
  readonly path: string;
  /** A merge that is proposed and not made. */
  readonly isProposed?: boolean;
}

export interface BranchLayout {
  readonly width: number;
  readonly height: number;
  readonly points: readonly GraphPoint[];
  readonly lines: readonly GraphLine[];
  /** Where proposed merges would be made on main. */
  readonly proposedAt: number | undefined;
  /** Places of the ruler, with their times. */
  readonly ticks: readonly { readonly x: number; readonly at: number }[];
}

export const LANE_PX = 62;
export const RULER_PX = 28;
/** Between two columns: enough for two rings side by side; a long silence is not drawn in full. */
const NARROWEST = 34;
const WIDEST = 150;
const LEFT = 34;
const RIGHT = 56;
const TICK_PX = 84;
/** Room at the end for a merge that is proposed. */
const PROPOSED_PX = 84;
/** The width of a bend from one row to another. */
const TURN_PX = 46;

export const rowY = (row: number): number => RULER_PX + row * LANE_PX + LANE_PX / 2;

interface Placed {
  readonly commit: GraphCommit;
  readonly row: number;
  /** Its own time, or that of the newest commit that it is built on: clocks of machines differ. */
  time: number;
  /** How many of the drawn commits it is built on, one after the other. */
  depth: number;
}

/**
 * Time runs to the right. Commits of one moment share a column unless one is built on the other or both are on one branch; a column is
 * never narrower than two rings, and a silence never wider than a few. So order is exact, and distances are not.
 */
export function branchLayout(
  graph: DrawnBranches,
  rows: readonly GraphLaneRow[],
  { least, proposed }: { readonly least: number; readonly proposed: ReadonlySet<string> },
): BranchLayout {
  const placed = placedCommits(graph, rows);
  const columns = columnsOf(placed);
  const waiting = rows.flatMap(({ name }, row) => (proposed.has(name) ? [row] : []));
  const room = waiting.length === 0 ? 0 : PROPOSED_PX;
  const xs = stretched(columns, least - room);
  const points = columns.flatMap(({ items }, index) =>
    items.map(({ commit, row }) => ({ key: commit.commit, row, x: xs[index]!, commit })),
  );
  const width = Math.max(least, (xs.at(-1) ?? 0) + RIGHT + room);
  const end = width - PROPOSED_PX / 2;
  const found = new Map(points.map((point) => [point.key, point]));
  return {
    width,
    height: RULER_PX + rows.length * LANE_PX,
    points,
    lines: [
      ...rows.flatMap(({ name, tone }, row) =>
        tone === "main"
          ? [{ key: "main", tone, path: `M0 ${rowY(row)}H${width}` }]
          : laneLine(graph, name, tone, found),
      ),
      ...mergeLines(points, found, rows),
      ...waiting.flatMap((row) => {
        const last = points.findLast((point) => point.row === row);
        if (!last) return [];
        return [
          { key: `proposed ${row}`, tone: rows[row]!.tone, path: bend(last, { x: end, row: 0 }), isProposed: true },
        ];
      }),
    ],
    proposedAt: waiting.length === 0 ? undefined : end,
    ticks: ticksOf(columns, xs),
  };
}

/** A busy main is drawn with what matters only: where branches begin and end, and the newest commits. */
const MOST_OF_MAIN = 24;

function mainCommits({ main, lanes }: DrawnBranches): readonly GraphCommit[] {
  if (main.length <= MOST_OF_MAIN) return main;
  const starts = new Set(lanes.flatMap(({ from }) => from ?? []));
  return main.filter(({ commit, parents }, index) => index < MOST_OF_MAIN || starts.has(commit) || parents.length > 1);
}

function placedCommits(graph: DrawnBranches, rows: readonly GraphLaneRow[]): readonly Placed[] {
  const all = new Map<string, Placed>();
  const put = (commits: readonly GraphCommit[], row: number): void => {
    for (const commit of commits.toReversed())
      if (!all.has(commit.commit)) all.set(commit.commit, { commit, row, time: Date.parse(commit.at), depth: -1 });
  };
  for (const [row, { name, tone }] of rows.entries())
    put(tone === "main" ? mainCommits(graph) : (graph.lanes.find((lane) => lane.name === name)?.commits ?? []), row);
  // On one branch each commit is after the one before it, also where commits between them are left out.
  const before = new Map<Placed, Placed>();
  const last = new Map<number, Placed>();
  for (const each of all.values()) {
    const previous = last.get(each.row);
    if (previous) before.set(each, previous);
    last.set(each.row, each);
  }
  const parentsOf = (each: Placed): readonly Placed[] =>
    [...each.commit.parents.map((oid) => all.get(oid)), before.get(each)].filter((parent) => parent !== undefined);
  for (const each of all.values()) settle(each, parentsOf);
  return [...all.values()].toSorted((a, b) => a.time - b.time || a.depth - b.depth || a.row - b.row);
}

/** Parents first, with a work list: a branch may be long. */
function settle(start: Placed, parentsOf: (each: Placed) => readonly Placed[]): void {
  for (const open = [start]; open.length > 0; ) {
    const each = open.at(-1)!;
    const parents = parentsOf(each);
    const missing = each.depth === -1 ? parents.filter(({ depth }) => depth === -1) : [];
    if (missing.length > 0) {
      open.push(...missing);
      continue;
    }
    open.pop();
    each.depth = Math.max(0, ...parents.map(({ depth }) => depth + 1));
    each.time = Math.max(each.time, ...parents.map(({ time }) => time));
  }
}

interface Column {
  readonly time: number;
  readonly items: Placed[];
}

function columnsOf(placed: readonly Placed[]): readonly Column[] {
  const span = (placed.at(-1)?.time ?? 0) - (placed[0]?.time ?? 0);
  const moment = Math.max(1000, span / 400);
  const columns: Column[] = [];
  for (const each of placed) {
    const column = columns.at(-1);
    const isFree =
      column !== undefined &&
      each.time - column.time < moment &&
      column.items.every(({ row, commit }) => row !== each.row && !each.commit.parents.includes(commit.commit));
    if (isFree) column.items.push(each);
    else columns.push({ time: each.time, items: [each] });
  }
  return columns;
}

/** The place of each column. A picture that is narrower than the window is stretched, each gap alike. */
function stretched(columns: readonly Column[], least: number): readonly number[] {
  const span = (columns.at(-1)?.time ?? 0) - (columns[0]?.time ?? 0);
  const gaps = columns.slice(1).map(({ time }, index) => {
    const share = span === 0 ? 0 : ((time - columns[index]!.time) / span) * least;
    return Math.min(WIDEST, Math.max(NARROWEST, share));
  });
  const total = gaps.reduce((sum, gap) => sum + gap, 0);
  const factor = total === 0 ? 1 : Math.min(3, Math.max(1, (least - LEFT - RIGHT) / total));
  const xs = [LEFT];
  for (const gap of gaps) xs.push(Math.round(xs.at(-1)! + gap * factor));
  return columns.length === 0 ? [] : xs;
}

const ticksOf = (columns: readonly Column[], xs: readonly number[]): BranchLayout["ticks"] => {
  const ticks: { x: number; at: number }[] = [];
  for (const [index, { time }] of columns.entries())
    if (ticks.length === 0 || xs[index]! - ticks.at(-1)!.x >= TICK_PX) ticks.push({ x: xs[index]!, at: time });
  return ticks;
};

/** From where the branch began, down to its first commit, along to its last. */
function laneLine(
  graph: DrawnBranches,
  name: string,
  tone: LaneTone,
  found: ReadonlyMap<string, GraphPoint>,
): readonly GraphLine[] {
  const lane = graph.lanes.find((each) => each.name === name);
  const points = lane?.commits.flatMap(({ commit }) => found.get(commit) ?? []) ?? [];
  const [last, first] = [points[0], points.at(-1)];
  if (!lane || !last || !first) return [];
  const start = lane.from === null ? undefined : found.get(lane.from);
  const along = last.x > first.x ? `H${last.x}` : "";
  // Only the last bit before it turns off: until there the other branch has the line.
  const path = start
    ? `${bend({ ...start, x: Math.max(start.x, first.x - TURN_PX) }, first)}${along}`
    : `M${first.x} ${rowY(first.row)}${along}`;
  return [{ key: name, tone, path }];
}

/** Down or up just before the target: a line runs on its own branch as long as it can. */
function bend(from: Pick<GraphPoint, "x" | "row">, to: Pick<GraphPoint, "x" | "row">): string {
  const [y0, y1] = [rowY(from.row), rowY(to.row)];
  const turn = Math.max(from.x, to.x - TURN_PX);
  return `M${from.x} ${y0}H${turn}C${turn + 22} ${y0} ${to.x - 22} ${y1} ${to.x} ${y1}`;
}

const mergeLines = (
  points: readonly GraphPoint[],
  found: ReadonlyMap<string, GraphPoint>,
  rows: readonly GraphLaneRow[],
): readonly GraphLine[] =>
  points.flatMap((point) =>
    point.commit.parents.slice(1).flatMap((oid) => {
      const from = found.get(oid);
      if (!from || from.row === point.row) return [];
      return [{ key: `${oid} ${point.key}`, tone: rows[from.row]!.tone, path: bend(from, point) }];
    }),
  );
