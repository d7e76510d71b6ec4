import { z } from "zod";
import { asFailure, type Failure, isFailure } from "../../base/failure.ts";
import { derivedId } from "../../base/ids.ts";
import type { GardenConfig } from "../../domain/config/garden-config.ts";
import type { Contract } from "../../domain/contract/contract.ts";
import { readCron } from "../../domain/contract/cron.ts";
import { slotAfter } from "../../domain/contract/cron-slots.ts";
import { keys } from "../../domain/layout.ts";
import { stopBrokenAgent } from "../agents/lifecycle/stop-broken.ts";
import { currentSettings } from "../core/access/current-settings.ts";
import { recordAudit } from "../core/audit.ts";
import { type RunPlace } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes, tryReadJson } from "../core/json-record.ts";
import { readAgentFile } from "../records/agents/read-agent.ts";
import { daysOf, runsOfDay } from "../records/runs/run-folders.ts";
import { agentFolders } from "../records/status.ts";
import { openRunAt, openRunIds, requestAt } from "./open-runs.ts";
import { requestRun } from "./request-run.ts";

/**
 * Schedules of agents (O-4). Contracts and settings are read again at each look (C-9), so a new agent needs no restart. The id of a
 * run is derived from its agent and slot: processes that look at the same time, or again after a crash, request the same run.
 * The progress of a schedule is a view: it saves work, and losing it makes nothing happen twice.
 */
const progress = z.strictObject({
  cron: z.string(),
  timezone: z.string(),
  active: z.boolean(),
  /** Slots up to here are done. */
  until: z.iso.datetime(),
});
type Progress = z.infer<typeof progress>;

type Missed = GardenConfig["schedule"]["missed"];

export interface ScheduleLook {
  readonly asked: readonly RunPlace[];
  readonly failed: readonly Failure[];
  /** The first slot to come (ms since 1970), of all agents. */
  readonly next: number | undefined;
}

/** A slot found at most this late counts as on time: a look takes a while on a busy machine. */
const ON_TIME_MS = 120_000;
/** `missed: all` catches up on at most this many slots of an agent at a time, the newest ones. The rest is audited as skipped. */
export const MAX_MADE_UP = 100;
/** If the view is lost, runs this far back are searched for the progress of the schedule. */
const LOOK_BACK_MS = 31 * 86_400_000;

/** Requests the runs whose time has come. An agent that cannot be read is reported in `failed` and does not delay others. */
export async function requestScheduledRuns(garden: Garden): Promise<ScheduleLook> {
  const asked: RunPlace[] = [];
  const failed: Failure[] = [];
  let next: number | undefined;
  const { schedule } = await currentSettings(garden);
  for (const slug of await agentFolders(garden.store)) {
    try {
      const seen = await readAgentFile(garden.store, slug);
      if (seen.kind === "broken") await stopBrokenAgent(garden, slug); // its slots would be skipped in silence
      if (seen.kind !== "agent" || seen.agent.contract.triggers.cron === null) continue;
      const found = await requestRunsOf(garden, slug, seen.agent.contract, schedule);
      asked.push(...found.asked);
      if (found.next !== undefined) next = Math.min(next ?? found.next, found.next);
    } catch (error) {
      failed.push(asFailure(error));
    }
  }
  return { asked, failed, next };
}

async function requestRunsOf(
  garden: Garden,
  slug: string,
  contract: Contract,
  schedule: GardenConfig["schedule"],
): Promise<{ asked: RunPlace[]; next: number | undefined }> {
  const cron = readCron(contract.triggers.cron!);
  if (!cron) return { asked: [], next: undefined };
  const now = garden.world.now();
  const timezone = contract.timezone ?? schedule.timezone;
  const known = await progressOf(garden, slug);
  const seen = { cron: contract.triggers.cron!, timezone, active: contract.status === "active" };
  const changed = Date.parse(contract.updated_at);
  const from = beginningOf(known, seen, changed, now) ?? (await lastSlotRun(garden, slug, changed, now));
  const slots = slotsBetween((after) => slotAfter(cron, timezone, after), from, now);
  const wanted = seen.active ? chosen(slots.newest, schedule.missed, now) : [];
  const { asked, left } = await requestSlots(garden, slug, wanted, schedule.missed);
  const skipped = slots.count - wanted.length + left.count;
  if (seen.active && skipped > 0)
    await auditSkipped(garden, slug, slots.newest.at(-1)!, { ...left, count: skipped, missed: schedule.missed });
  const until = slots.newest.at(-1) ?? from;
  if (!known || slots.count > 0 || !isSame(known, seen) || Date.parse(known.until) > now + ON_TIME_MS)
    await garden.store.put(keys.schedule(slug), jsonBytes({ ...seen, until: new Date(until).toISOString() }));
  return { asked, next: seen.active ? slotAfter(cron, timezone, Math.max(now, until)) : undefined };
}

/**
 * The time after which slots count; undefined without progress. A schedule that is new or changed, or whose agent was not active,
 * begins when its file was changed. A time ahead of the clock comes from a clock that was set back; slots that were done before
 * that are known by their runs.
 */
function beginningOf(
  known: Progress | undefined,
  seen: Omit<Progress, "until">,
  changed: number,
  now: number,
): number | undefined {
  if (!known) return undefined;
  const until = Math.min(Date.parse(known.until), now);
  return isSame(known, seen) && known.active ? until : Math.min(Math.max(until, changed), now);
}

const isSame = (a: Omit<Progress, "until">, b: Omit<Progress, "until">): boolean =>
  a.cron === b.cron && a.timezone === b.timezone && a.active === b.active;

/** Counts the slots after `from` up to `to` and returns the newest ones. */
function slotsBetween(
  after: (at: number) => number | undefined,
  from: number,
  to: number,
): { readonly newest: readonly number[]; readonly count: number } {
  const newest: number[] = [];
  let count = 0;
  for (let slot = after(from); slot !== undefined && slot <= to; slot = after(slot)) {
    newest.push(slot);
    if (newest.length > MAX_MADE_UP) newest.shift();
    // A schedule per minute after years of downtime: slots older than a month are not counted one by one.
    if (++count === MAX_COUNTED) slot = Math.max(slot, to - LOOK_BACK_MS);
  }
  return { newest, count };
}

const MAX_COUNTED = 100_000;

/** The slots that get a run. The last one is on time if it came just now; the others were missed. */
function chosen(slots: readonly number[], missed: Missed, now: number): readonly number[] {
  if (missed === "all") return slots;
  if (missed === "once") return slots.slice(-1);
  return slots.filter((slot) => now - slot <= ON_TIME_MS);
}

/**
 * Requests the runs of slots. A schedule that is faster than its agent does not pile up runs: while one of its runs waits, the slots
 * that come meanwhile are skipped. With `missed: all` each slot has its own run, up to `MAX_MADE_UP` that wait.
 */
async function requestSlots(
  garden: Garden,
  slug: string,
  slots: readonly number[],
  missed: Missed,
): Promise<{ asked: RunPlace[]; left: { count: number; waiting?: string } }> {
  const asked: RunPlace[] = [];
  const waiting = slots.length === 0 ? new Set<string>() : await waitingRuns(garden, slug);
  const most = missed === "all" ? MAX_MADE_UP : 1;
  let count = 0;
  for (const slot of slots) {
    const run = runOfSlot(slug, slot);
    if (!waiting.has(run) && waiting.size >= most) {
      count++;
      continue;
    }
    const place = await requestSlot(garden, slug, slot, run);
    if (!place) continue;
    asked.push(place);
    waiting.add(run);
  }
  const [first] = waiting;
  return { asked, left: { count, ...(count > 0 && first !== undefined && { waiting: first }) } };
}

/** Scheduled runs of the agent that have not begun. The cost grows with the number of open runs. */
async function waitingRuns({ store }: Garden, slug: string): Promise<Set<string>> {
  const waiting = new Set<string>();
  for (const run of await openRunIds(store)) {
    const entry = await openRunAt(store, run);
    if (entry?.slug !== slug || entry.held !== undefined) continue;
    const request = await requestAt(store, entry).catch(() => undefined);
    if (request?.trigger !== "cron") continue;
    const [first] = (await store.list(`${keys.runSteps(slug, run)}01-`, { limit: 1 })).entries;
    if (!first) waiting.add(run);
  }
  return waiting;
}

const runOfSlot = (slug: string, slot: number): string =>
  derivedId("run", slot, `cron:${slug}:${new Date(slot).toISOString()}`);

/** Undefined if the agent was stopped or deleted in this very moment. */
async function requestSlot(garden: Garden, slug: string, slot: number, id: string): Promise<RunPlace | undefined> {
  const cause = new Date(slot).toISOString();
  try {
    const { run_id } = await requestRun(garden, { slug, trigger: "cron", cause, by: "schedule", id });
    return { slug, run: run_id };
  } catch (error) {
    if (isFailure(error, "INVALID_AGENT_TRANSITION") || isFailure(error, "NOT_FOUND")) return undefined;
    throw error;
  }
}

async function auditSkipped(
  garden: Garden,
  slug: string,
  last: number,
  { count, missed, waiting }: { count: number; missed: Missed; waiting?: string },
): Promise<void> {
  const at = new Date(last).toISOString();
  await recordAudit(garden, `${slug}-slots-skipped-${last}`, {
    kind: "slots-skipped",
    at,
    by: "schedule",
    subject: slug,
    ...(waiting !== undefined && { why: `${waiting} waits for its turn and stands for them` }),
    details: { count, missed, last: at, ...(waiting !== undefined && { waiting }) },
  });
}

async function progressOf({ store }: Garden, slug: string): Promise<Progress | undefined> {
  const stored = await store.get(keys.schedule(slug));
  return tryReadJson(stored?.bytes, progress);
}

/** The progress of a schedule whose view is lost: its last run within `LOOK_BACK_MS`, else the last change of its file. */
async function lastSlotRun({ store }: Garden, slug: string, changed: number, now: number): Promise<number> {
  const oldest = `run_${new Date(now - LOOK_BACK_MS).toISOString().slice(0, 10)}`;
  const days = (await daysOf(store, slug)).filter((day) => day >= oldest).toReversed();
  for (const day of days) {
    for (const place of (await runsOfDay(store, slug, day)).toReversed()) {
      const request = await requestAt(store, place).catch(() => undefined);
      const slot = request?.trigger === "cron" ? Date.parse(request.cause ?? "") : Number.NaN;
      if (slot <= now) return slot;
    }
  }
  return Math.min(Math.max(changed, now - ON_TIME_MS), now);
}
