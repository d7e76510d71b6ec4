import { createHash } from "node:crypto";
import { Failure } from "../../../base/failure.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import {
  type CounterfactualReport,
  type CounterfactualRow,
  counterfactualRow,
  type IconPlace,
  type ProposalCounts,
  counterfactualReport as reportSchema,
} from "../../../domain/logic/counterfactual-report.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { diagramsOfVersion } from "../../../drakon/called-logic.ts";
import { MAX_RUN_STEPS } from "../../../drakon/walk/machine.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { readDiagrams } from "../../records/agents/agent-diagrams.ts";
import { mainFileOf } from "../../records/logic/contract-origin.ts";
import { findLogic } from "../../records/logic/logic-state.ts";
import { type LogicOperation, logicOfOperation } from "../../records/logic/operation-logic.ts";
import { type AgentProcedure, readProcedure } from "../../runs/execute/procedure.ts";
import { type RowMade, rowOf } from "./counterfactual-row.ts";
import { endedRuns, readRecordedRun } from "./recorded-run.ts";

export interface CounterfactualWish {
  /** Default: the evidence runs of the proposal and the newest runs. */
  readonly runs?: readonly string[] | undefined;
  /** Maximum number of newest runs. */
  readonly most: number;
}

/** The proposed logic as an executable program. */
export interface ProposedProgram {
  /** Hash of the diagram, the procedure and all diagrams that they call. */
  readonly id: string;
  /** Undefined for logic in prose. */
  readonly procedure: AgentProcedure | undefined;
  readonly diagram: string | undefined;
  readonly mainFile: string;
}

/**
 * L-8: replays recorded runs against a proposed logic. A row depends on the run and the program alone, so rows are cached in the store:
 * a second report replays only new runs.
 */
export const replayAgainstProposal = (
  garden: Garden,
  proposal: Proposal,
  wish: CounterfactualWish,
): Promise<CounterfactualReport> => replayOnRuns(garden, proposal.operation as LogicOperation, wish);

/** The same for an operation that nobody has proposed yet. */
export async function replayOnRuns(
  garden: Garden,
  operation: LogicOperation,
  wish: CounterfactualWish,
): Promise<CounterfactualReport> {
  const slug = operation.payload.agent;
  const program = await proposedProgram(garden, operation);
  const found = await runsFor(garden, slug, operation, wish);
  const kept = await keptRows(garden, slug, program.id);
  let fresh = 0;
  const made = await inOrder(found, async ({ run, mark, steps }): Promise<RowMade> => {
    const known = mark === undefined ? undefined : kept.get(run);
    if (known && known.mark === mark) return known;
    const one = rowOf(await readRecordedRun(garden, { slug, run }, { marks: false, steps }), program.procedure);
    // Not cached: an unreadable run may be repaired.
    if (mark === undefined || one.row.kind === "unreadable") return one;
    kept.set(run, { ...one, mark });
    fresh++;
    return one;
  });
  if (fresh > 0) await keepRows(garden, slug, program.id, kept);
  return reportSchema.parse({
    program: program.id,
    most_steps: MAX_RUN_STEPS,
    totals: totalsOf(made.map(({ row }) => row)),
    icons: iconsOf(made),
    rows: made.map(({ row }) => row),
  });
}

export async function proposedProgram(garden: Garden, operation: LogicOperation): Promise<ProposedProgram> {
  const slug = operation.payload.agent;
  const head = await headOf(garden.repo);
  const contract = await garden.store.get(contractKey(slug));
  if (!contract) throw noAgent(slug);
  const mainFile = mainFileOf(Buffer.from(contract.bytes).toString());
  const state = await findLogic(garden.repo, head, slug);
  const logic = await logicOfOperation(garden, head, operation, { state, mainFile });
  const stored = await readDiagrams(garden.store, slug);
  const diagrams =
    logic.diagram === undefined
      ? stored.filter(({ file }) => file !== mainFile)
      : diagramsOfVersion(logic.diagram, mainFile, stored);
  const reading = readProcedure({ generated_from: mainFile }, logic.procedure, diagrams);
  const hash = createHash("sha1").update(`${METHOD}\0${mainFile}\0${logic.procedure}`);
  for (const { file, text } of diagrams) hash.update(`\0${file}\0${text}`);
  const procedure = reading.kind === "procedure" ? reading.procedure : undefined;
  return { id: hash.digest("hex"), procedure, diagram: logic.diagram, mainFile };
}

/** Version of the method: a new one invalidates the cached rows. */
const METHOD = "counterfactual 2";

/** Evidence runs first: the report must show what the change does to them. */
async function runsFor(
  garden: Garden,
  slug: string,
  operation: LogicOperation,
  { runs, most }: CounterfactualWish,
): Promise<readonly FoundRun[]> {
  const named = runs ?? operation.payload.rationale?.evidenceRuns ?? [];
  const wanted = new Map<string, FoundRun>();
  for (const run of named) wanted.set(run.toLowerCase(), await lookAt(garden, { slug, run: run.toLowerCase() }));
  if (runs) return [...wanted.values()];
  let newest = 0;
  for await (const { run, steps } of endedRuns(garden, slug)) {
    if (newest >= most) break;
    const one = { ...(wanted.get(run) ?? (await lookAt(garden, { slug, run }))), steps };
    if (one.mark === undefined || one.isFork) continue;
    newest++;
    wanted.set(run, one);
  }
  return [...wanted.values()];
}

/** The manifest contains the id of the journal, so its hash identifies the whole recording. */
interface FoundRun {
  readonly run: string;
  /** Hash of the manifest; undefined for an open or deleted run. */
  readonly mark: string | undefined;
  /** A fork repeats the journal of its origin (O-7). */
  readonly isFork: boolean;
  readonly steps?: readonly string[];
}

async function lookAt({ store }: Garden, { slug, run }: RunPlace): Promise<FoundRun> {
  const stored = await store.get(keys.runManifest(slug, run));
  return { run, mark: stored?.hash, isFork: stored !== undefined && FORKED.test(Buffer.from(stored.bytes).toString()) };
}

/** A cheap test on the JSON text; a damaged manifest is reported when it is parsed. */
const FORKED = /"forked_from":\s*\{/;

/** Runs `work` in batches of `AT_ONCE`; results are in the order of `all`. */
async function inOrder<A, T>(all: readonly A[], work: (one: A) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE)
    made.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(work))));
  return made;
}

const AT_ONCE = 32;

type Kept = Map<string, RowMade & { readonly mark: string }>;

async function keptRows({ store }: Garden, slug: string, program: string): Promise<Kept> {
  const stored = await store.get(keys.counterfactuals(slug, program));
  try {
    const rows = stored ? (JSON.parse(Buffer.from(stored.bytes).toString()) as Record<string, never>) : {};
    return new Map(
      Object.entries(rows as Record<string, { mark: string; way: string[]; row: unknown }>).flatMap(([run, one]) => {
        const row = counterfactualRow.safeParse(one.row).data;
        return row ? [[run, { mark: one.mark, way: one.way, row }] as const] : [];
      }),
    );
  } catch {
    return new Map();
  }
}

const keepRows = ({ store }: Garden, slug: string, program: string, rows: Kept): Promise<void> =>
  store.put(
    keys.counterfactuals(slug, program),
    Buffer.from(`${JSON.stringify(Object.fromEntries([...rows].slice(-MOST_KEPT)))}\n`),
  );

const MOST_KEPT = 5000;

function totalsOf(rows: readonly CounterfactualRow[]): CounterfactualReport["totals"] {
  const of = (kind: CounterfactualRow["kind"]): number => rows.filter((row) => row.kind === kind).length;
  const known = rows.filter(({ kind }) => kind !== "unreadable");
  return {
    runs: rows.length,
    same: of("same"),
    parts: of("parts"),
    avoids: of("avoids"),
    cannot_tell: of("cannot-tell"),
    unreadable: of("unreadable"),
    facts: known.filter(({ certainty }) => certainty === "fact").length,
    claims: known.filter(({ certainty }) => certainty === "claim").length,
    proposals: proposalsOf(rows),
  };
}

function proposalsOf(rows: readonly CounterfactualRow[]): ProposalCounts {
  const sum = (of: keyof ProposalCounts): number =>
    rows.reduce((all, { proposals }) => all + (proposals?.[of] ?? 0), 0);
  return { recorded: sum("recorded"), lost: sum("lost"), gained: sum("gained"), undecided: sum("undecided") };
}

type IconCount = CounterfactualReport["icons"][0];

/** Icons where paths diverge, most frequent first. */
function iconsOf(made: readonly RowMade[]): IconCount[] {
  const counts = new Map<string, { -readonly [Name in keyof IconCount]: IconCount[Name] }>();
  for (const { row, way } of made) {
    const place: IconPlace | undefined = row.at ?? row.asked;
    if (!place || row.kind === "same" || row.kind === "unreadable") continue;
    const key = `${place.diagram}\0${place.icon}`;
    const one = counts.get(key) ?? { ...place, parts: 0, avoids: 0, cannot_tell: 0, way: [...way] };
    counts.set(key, one);
    one[row.kind === "cannot-tell" ? "cannot_tell" : row.kind]++;
  }
  const weight = ({ parts, avoids, cannot_tell }: IconCount): number => parts + avoids + cannot_tell;
  return [...counts.values()].toSorted((a, b) => weight(b) - weight(a));
}

const noAgent = (slug: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no agent ${slug} to report about`,
    uk: `немає агента ${slug}, про якого звітувати`,
    details: { agent: slug },
  });
