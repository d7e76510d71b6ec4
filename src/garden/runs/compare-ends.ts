import type { Json } from "../../base/canonical.ts";
import { isExperiment, type RunState } from "../../domain/run/run.ts";
import type { Outcome } from "../../domain/run/run-manifest.ts";
import { type StepRecord, stepKeyParts } from "../../domain/run/run-step.ts";
import { type Journal, type RunPlace, readJournal } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { findReadable } from "../records/proposals/proposal-log.ts";
import { runSessionOf } from "../sessions/run-session.ts";
import { noSuchRun } from "./failures.ts";
import { requestsOf } from "./hold.ts";
import { readRun } from "./read-runs.ts";
import { sandboxOf } from "./sandbox.ts";

/** A step as a comparison shows it. */
export interface ComparedStep {
  readonly position: number;
  readonly name: string;
  readonly icon?: string;
  readonly line?: number;
}

/** How one of two runs ended, or where it stands. */
export interface RunEnding {
  readonly run: string;
  readonly agent: string;
  readonly state: RunState;
  readonly is_experiment: boolean;
  readonly outcome: Outcome | null;
  readonly error: string | null;
  /** The result of the procedure, and its last words. */
  readonly result: Json | null;
  readonly text: string | null;
  /** Questions of the run itself and their answers. */
  readonly answers: readonly { readonly request: string; readonly question: string; readonly value: Json | null }[];
  /** Proposals, or what an experiment would have proposed. */
  readonly proposals: readonly {
    readonly id: string;
    readonly action: string;
    readonly target: string;
    readonly summary: string;
    readonly status: string;
  }[];
  readonly steps: number;
  readonly tokens: number;
  readonly session: { readonly name: string; readonly head: string } | null;
  /** The first step that the other one does not have. */
  readonly parts_at: ComparedStep | null;
}

export const fileDifferences = ["changed", "only-first", "only-second"] as const;
export type FileDifference = (typeof fileDifferences)[number];

export interface ComparedRuns {
  /** The last step that both have, byte for byte; 0 for runs with nothing in common. */
  readonly shared: number;
  readonly ends: readonly [RunEnding, RunEnding];
  /** Files that differ between the branches of their sessions; null unless both have one. */
  readonly files: readonly { readonly path: string; readonly change: FileDifference }[] | null;
}

/** S-7: two runs side by side, such as a run and a fork of it. Throws NOT_FOUND. */
export async function compareRunEnds(garden: Garden, a: RunPlace, b: RunPlace): Promise<ComparedRuns> {
  const journals = await Promise.all([a, b].map((place) => readJournal(garden.store, place)));
  const [one, other] = journals;
  if (!one) throw noSuchRun(a.run);
  if (!other) throw noSuchRun(b.run);
  const shared = sharedSteps(one, other);
  const ends = await Promise.all([endingOf(garden, a, one, shared), endingOf(garden, b, other, shared)]);
  const [left, right] = ends.map(({ session }) => session);
  const files = left && right ? await garden.repo.changes(left.head, right.head) : undefined;
  const differing = files?.map(({ path, before, after }) => ({ path, change: differenceOf(before, after) }));
  return { shared, ends, files: differing ?? null };
}

const differenceOf = (before: unknown, after: unknown): FileDifference =>
  before === undefined ? "only-second" : after === undefined ? "only-first" : "changed";

/** Steps are shared as whole objects, so equal hashes decide. */
function sharedSteps(a: Journal, b: Journal): number {
  const stepsOf = ({ objects }: Journal): ReadonlyMap<number, string> =>
    new Map(
      objects.flatMap(({ key, hash }) => {
        const parts = stepKeyParts(key);
        return parts?.part === "record" && parts.position > 0 ? [[parts.position, `${parts.name} ${hash}`]] : [];
      }),
    );
  const [one, other] = [stepsOf(a), stepsOf(b)];
  let last = 0;
  while (one.has(last + 1) && one.get(last + 1) === other.get(last + 1)) last++;
  return last;
}

async function endingOf(garden: Garden, place: RunPlace, journal: Journal, shared: number): Promise<RunEnding> {
  const { card } = await readRun(garden, place);
  const { records, manifest, request } = journal;
  const done = records.find(({ name }) => name === "execute-agent")?.output as ExecutedOutput | null | undefined;
  const session = await runSessionOf(garden.repo, place);
  const own = records.filter(({ position }) => position > (request?.forked_from?.step ?? 0));
  return {
    run: place.run,
    agent: place.slug,
    state: card.state,
    is_experiment: request !== undefined && isExperiment(request),
    outcome: manifest?.outcome ?? null,
    error: manifest?.error ?? null,
    result: done?.value ?? null,
    text: done?.text ?? null,
    answers: (await requestsOf(garden.store, place)).map(({ request: { id, ask }, answer }) => ({
      request: id,
      question: ask.question,
      value: answer?.value ?? null,
    })),
    proposals: await proposalsIn(garden, place, own),
    steps: records.length,
    tokens: records.reduce((sum, { tokens }) => sum + (tokens ? tokens.input + tokens.output : 0), 0),
    session: session ? { name: session.name, head: session.head } : null,
    parts_at: stepIn(records.find(({ position }) => position > shared)),
  };
}

interface ExecutedOutput {
  readonly value?: Json;
  readonly text?: string;
}

const stepIn = (record: StepRecord | undefined): ComparedStep | null =>
  record
    ? {
        position: record.position,
        name: record.name,
        ...(record.icon !== undefined && { icon: record.icon }),
        ...(record.line !== undefined && { line: record.line }),
      }
    : null;

async function proposalsIn(
  garden: Garden,
  place: RunPlace,
  records: readonly StepRecord[],
): Promise<RunEnding["proposals"]> {
  const sandboxed = (await sandboxOf(garden.store, place)).map(({ entry, end }) => ({
    id: entry.id,
    action: entry.action,
    target: entry.target,
    summary: entry.summary,
    status: end?.verdict ?? "sandbox",
  }));
  const found = await Promise.all(
    [...new Set(records.flatMap(({ proposals }) => proposals))].map((id) => findReadable(garden.store, id)),
  );
  const real = found.flatMap((proposal) =>
    proposal
      ? [
          {
            id: proposal.id,
            action: proposal.action,
            target: proposal.target,
            summary: proposal.summary ?? proposal.action,
            status: proposal.status,
          },
        ]
      : [],
  );
  return [...sandboxed, ...real];
}
