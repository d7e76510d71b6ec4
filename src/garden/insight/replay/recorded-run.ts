import { asFailure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import { keys } from "../../../domain/layout.ts";
import type { LogicVersion } from "../../../domain/logic/logic-version.ts";
import { type RunManifest, runManifest } from "../../../domain/run/run-manifest.ts";
import type { Certainty, PassedIcon, RunPath } from "../../../domain/run/run-path.ts";
import type { Program } from "../../../drakon/walk/frame.ts";
import type { WalkInput } from "../../../drakon/walk/machine.ts";
import { answerTo, type JournalEntry } from "../../../drakon/walk/request.ts";
import type { ReplayedWalk } from "../../../drakon/walk/retrace.ts";
import { everyKey } from "../../../ports/store.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { hasLogicIssue } from "../../records/runs/logic-issue.ts";
import { daysOf } from "../../records/runs/run-folders.ts";
import type { AgentProcedure } from "../../runs/execute/procedure.ts";
import { claimedPath } from "./recorded-claims.ts";
import { type RecordedJournal, readHeldJournal, readRecordedJournal } from "./recorded-journal.ts";
import { type RecordedWalk, walkFlow, walkFollower } from "./recorded-walk.ts";

/** An ended run with its path through the diagram that it was pinned to. */
export interface RecordedRun {
  readonly path: RunPath;
  /** The diagrams that the run was pinned to. */
  readonly program: Program;
  readonly input: WalkInput;
  /** All answers in order; empty if the path is only claimed. */
  readonly journal: readonly JournalEntry[];
  /** The replayed walk; undefined if the path is only claimed. */
  readonly carried?: ReplayedWalk;
  readonly manifest: RunManifest;
  /** The whole recording, for a replay against other logic. */
  readonly recorded: RecordedJournal;
}

/** An unreadable run comes with its reason; nothing is guessed. */
export type ReadRun =
  | { readonly kind: "recorded"; readonly run: RecordedRun }
  | { readonly kind: "unreadable"; readonly run: string; readonly why: Text };

interface ReadingRun {
  /** Look up in git whether a person marked the run as a logic issue. Default true. */
  readonly marks?: boolean;
  /** Keys of its steps, if the caller has them. */
  readonly steps?: readonly string[] | undefined;
}

/**
 * Reads one ended run. A `flow` run and a run of the follower are replayed with the recorded answers: the path is a fact. Of any other
 * `prompt` run there is only the path that the model claimed. `unreadable` for a run without a procedure, with changed or deleted
 * records, or with records that do not fit its procedure.
 */
export async function readRecordedRun(
  garden: Garden,
  place: RunPlace,
  { marks = true, steps }: ReadingRun = {},
): Promise<ReadRun> {
  const unreadable = (why: Text): ReadRun => ({ kind: "unreadable", run: place.run, why });
  try {
    const reading = await readRecordedJournal(garden, place, steps);
    if (reading.kind === "unreadable") return unreadable(reading.why);
    return recordedRunIn(reading.journal, marks && (await hasLogicIssue(garden, place)));
  } catch (thrown) {
    return unreadable(asFailure(thrown).text);
  }
}

/** Reads a held run up to its question, like an ended one. */
export async function readHeldRun(garden: Garden, place: RunPlace): Promise<ReadRun> {
  try {
    const reading = await readHeldJournal(garden, place);
    return reading.kind === "journal" ? recordedRunIn(reading.journal, false) : { ...reading, run: place.run };
  } catch (thrown) {
    return { kind: "unreadable", run: place.run, why: asFailure(thrown).text };
  }
}

function recordedRunIn(journal: RecordedJournal, marked: boolean): ReadRun {
  if (journal.contract.execution !== "flow" && journal.contract.model !== FOLLOWER)
    return { kind: "recorded", run: claimedRun(journal, marked) };
  const walked = journal.contract.execution === "flow" ? walkFlow(journal) : walkFollower(journal);
  if (walked.misfit) return { kind: "unreadable", run: journal.manifest.run_id, why: walked.misfit };
  return { kind: "recorded", run: walkedRun(journal, walked, marked) };
}

function claimedRun(journal: RecordedJournal, marked: boolean): RecordedRun {
  const { passed, whole } = claimedPath(journal);
  return runOf(journal, { passed, certainty: whole ? "claim" : "unknown", answers: [], marked });
}

function walkedRun(journal: RecordedJournal, { carried, tally }: RecordedWalk, marked: boolean): RecordedRun {
  const { machine, end, answers: told } = carried;
  const failed = journal.manifest.status === "failed";
  const problem = end.kind === "ended" && end.end.kind === "failed" ? end.end.problem : undefined;
  const at =
    end.kind === "ended"
      ? machine.trace.findLast(({ icon }) => problem?.icon === undefined || icon === problem.icon)
      : end.request;
  const passed = tally.passed((diagram) => fileOf(journal.procedure, diagram), { failed, at });
  const answers = told.flatMap(({ request, result: came }) =>
    came.kind === "value" ? [answerTo(request, came.value)] : [],
  );
  return { ...runOf(journal, { passed, certainty: "fact", answers, marked }), carried };
}

const fileOf = (procedure: AgentProcedure, diagram: string): string => {
  const { file, name } = procedure.partOf(diagram);
  return file ?? name;
};

interface Way {
  readonly passed: readonly PassedIcon[];
  readonly certainty: Certainty;
  readonly answers: readonly JournalEntry[];
  readonly marked: boolean;
}

function runOf(recorded: RecordedJournal, { passed, certainty, answers, marked }: Way): RecordedRun {
  const { manifest, procedure, input } = recorded;
  const { tokens_used, run_id, logic_version, behaviour_id, status, outcome } = manifest;
  return {
    path: {
      run: run_id,
      version: logic_version,
      behaviour: behaviour_id,
      certainty,
      passed,
      status,
      outcome,
      tokens: tokens_used.input + tokens_used.output,
      logicIssue: marked,
    },
    program: procedure.program,
    input,
    journal: answers,
    manifest,
    recorded,
  };
}

export interface RunsWanted {
  readonly most: number;
  readonly version?: LogicVersion | undefined;
  readonly behaviour?: string | undefined;
}

/** The newest ended runs, at most `most`. Forks are left out, because they repeat the journal of their origin (O-7). */
export async function* recentRuns(garden: Garden, slug: string, wanted: RunsWanted): AsyncGenerator<ReadRun> {
  let count = 0;
  for await (const place of endedRuns(garden, slug)) {
    if (count >= wanted.most) return;
    const manifest = await manifestOf(garden, place);
    if (manifest === "none") continue;
    if (manifest === "damaged") {
      count++;
      yield await readRecordedRun(garden, place, place);
      continue;
    }
    if (manifest.forked_from !== null || manifest.experiment) continue;
    if (wanted.version !== undefined && manifest.logic_version !== wanted.version) continue;
    if (wanted.behaviour !== undefined && manifest.behaviour_id !== wanted.behaviour) continue;
    count++;
    yield await readRecordedRun(garden, place, place);
  }
}

/** A run folder. */
export interface RunFolder extends RunPlace {
  /** The keys of its steps. */
  readonly steps: readonly string[];
}

/** All runs of an agent, newest first. Lists the keys of one day at a time. */
export async function* endedRuns({ store }: Garden, slug: string): AsyncGenerator<RunFolder> {
  const folder = keys.runs(slug);
  for (const day of (await daysOf(store, slug)).toReversed()) {
    const byRun = new Map<string, string[]>();
    for await (const { key } of everyKey(store, `${folder}${day}`)) {
      const [run, part] = key.slice(folder.length).split("/", 2);
      const steps = byRun.get(run!) ?? [];
      byRun.set(run!, steps);
      if (part === "steps") steps.push(key);
    }
    for (const [run, steps] of [...byRun].toReversed()) yield { slug, run, steps };
  }
}

async function manifestOf({ store }: Garden, { slug, run }: RunPlace): Promise<RunManifest | "none" | "damaged"> {
  const stored = await store.get(keys.runManifest(slug, run));
  if (!stored) return "none";
  try {
    return runManifest.parse(JSON.parse(Buffer.from(stored.bytes).toString()));
  } catch {
    return "damaged";
  }
}
