import { readCron } from "../../domain/contract/cron.ts";
import { slotAfter } from "../../domain/contract/cron-slots.ts";
import { CONFIDENCE, rateInterval } from "../../domain/logic/rate-interval.ts";
import { isTerminal, type RunState } from "../../domain/run/run.ts";
import { sumWhere } from "../../domain/run/run-tally.ts";
import type { Store } from "../../ports/store.ts";
import { currentSettings } from "../core/access/current-settings.ts";
import type { Garden } from "../core/garden.ts";
import { readAgentFile } from "../records/agents/read-agent.ts";
import { daysOf, newestRuns, runsOfDay } from "../records/runs/run-folders.ts";
import { agentSlugs } from "../records/status.ts";
import { type RunCard, runCard, withCost } from "../runs/read-runs.ts";
import { sumsNow } from "./learning/tally.ts";

/** Runs of one agent on one day of the garden's time zone. */
interface FigureDay {
  readonly day: string;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly open: number;
  /** Null if no run of that day used a model with a price. */
  readonly cost: number | null;
}

export interface AgentFigures {
  readonly slug: string;
  /** Completed runs among those that ended by themselves, of all time, with the 95 % interval of the rate. Null without a run. */
  readonly success: { readonly hits: number; readonly of: number; readonly low: number; readonly high: number } | null;
  readonly last: { readonly run_id: string; readonly state: RunState; readonly at: string } | null;
  /** The next time of its schedule. */
  readonly next: string | null;
  readonly runs: number;
  readonly cost: number | null;
  readonly days: readonly FigureDay[];
}

/** Costs of the runs of one logic version, by which the next run can be foreseen. */
interface VersionCost {
  readonly slug: string;
  readonly version: string;
  readonly runs: number;
  readonly median: number;
  /** Nine of ten runs cost between these two. */
  readonly low: number;
  readonly high: number;
  readonly total: number;
}

interface ModelCost {
  readonly model: string;
  readonly runs: number;
  readonly tokens: number;
  readonly cost: number | null;
}

/** Runs of the last days, from their records, by agent and day, by logic version and by model. */
export interface RunFigures {
  readonly timezone: string;
  readonly currency: string;
  readonly days: readonly string[];
  readonly agents: readonly AgentFigures[];
  readonly versions: readonly VersionCost[];
  readonly models: readonly ModelCost[];
}

export const MAX_FIGURE_DAYS = 366;
const DAY_MS = 86_400_000;

/** The cost follows the number of runs in that time; past days are read once per process. */
export async function runFigures(garden: Garden, wanted: { readonly days: number }): Promise<RunFigures> {
  const { schedule, prices } = await currentSettings(garden);
  const dayOf = dayIn(schedule.timezone);
  const now = garden.world.now();
  const days = lastDays(dayOf, now, Math.min(wanted.days, MAX_FIGURE_DAYS));
  const all: PricedRun[] = [];
  const agents: AgentFigures[] = [];
  for (const slug of await agentSlugs(garden.store)) {
    const runs = await runsSince(garden.store, slug, days[0]!, now);
    const priced = runs.map((card) => ({ card, day: dayOf(atOf(card)), cost: withCost(prices, card).cost?.amount }));
    const inside = priced.filter(({ day }) => day >= days[0]!);
    all.push(...inside);
    agents.push({
      slug,
      success: await successOf(garden, slug),
      last: await lastOf(garden, slug, runs[0]),
      next: await nextSlot(garden, slug, schedule.timezone, now),
      runs: inside.length,
      cost: sumOf(inside),
      days: days.map((day) => figureDay(day, inside)),
    });
  }
  return {
    timezone: schedule.timezone,
    currency: prices.currency,
    days,
    agents,
    versions: versionCosts(all),
    models: modelCosts(all),
  };
}

interface PricedRun {
  readonly card: RunCard;
  readonly day: string;
  readonly cost: number | undefined;
}

const atOf = ({ started_at, requested_at }: RunCard): string => started_at ?? requested_at;

/** `2026-02-14` in a time zone. */
function dayIn(timeZone: string): (at: string | number) => string {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
  return (at) => format.format(new Date(at));
}

/** The days up to today, oldest first. Noon of a day is on that day, also where clocks are moved. */
function lastDays(dayOf: (at: number) => string, now: number, count: number): string[] {
  const noon = Date.parse(`${dayOf(now)}T12:00:00Z`);
  return Array.from({ length: count }, (_, index) => new Date(noon - (count - 1 - index) * DAY_MS)).map((date) =>
    date.toISOString().slice(0, 10),
  );
}

/** The runs of an agent since a day, newest first; a day more, because ids have the time in UTC. */
async function runsSince(store: Store, slug: string, day: string, now: number): Promise<RunCard[]> {
  const first = `run_${dayBefore(Date.parse(`${day}T00:00:00Z`))}`;
  const settled = `run_${dayBefore(now)}`;
  const runs: RunCard[] = [];
  for (const each of (await daysOf(store, slug)).toReversed()) {
    if (each < first) break;
    runs.push(...(await runsOn(store, slug, each, each < settled)));
  }
  return runs;
}

const dayBefore = (at: number): string => new Date(at - DAY_MS).toISOString().slice(0, 10);

/** Runs of past days on which every run has ended: they never change, and listing them is most of the cost. */
const knownDays = new WeakMap<Store, Map<string, readonly RunCard[]>>();
const MAX_KNOWN_DAYS = 5000;

/** The runs of a day, newest first. */
async function runsOn(store: Store, slug: string, day: string, isPast: boolean): Promise<readonly RunCard[]> {
  const known = knownDays.get(store) ?? new Map<string, readonly RunCard[]>();
  knownDays.set(store, known);
  const key = `${slug}/${day}`;
  const found = known.get(key);
  if (found) return found;
  // A damaged run is left out: `bloom verify` reports it.
  const read = (await runsOfDay(store, slug, day)).map((place) => runCard({ store }, place).catch(() => undefined));
  const cards = (await Promise.all(read)).flatMap((card) => card ?? []).toReversed();
  if (isPast && cards.every(({ state }) => isTerminal(state))) {
    if (known.size >= MAX_KNOWN_DAYS) known.clear();
    known.set(key, cards);
  }
  return cards;
}

async function lastOf(garden: Garden, slug: string, newest: RunCard | undefined): Promise<AgentFigures["last"]> {
  let card = newest;
  if (!card)
    for await (const place of newestRuns(garden.store, slug)) {
      card = await runCard(garden, place).catch(() => undefined);
      break;
    }
  return card ? { run_id: card.run_id, state: card.state, at: card.finished_at ?? atOf(card) } : null;
}

async function successOf({ store }: Garden, slug: string): Promise<AgentFigures["success"]> {
  const { runs, failed } = sumWhere(await sumsNow(store, slug), () => true);
  if (runs === 0) return null;
  const rate = { hits: runs - failed, of: runs };
  return { ...rate, ...rateInterval(rate, CONFIDENCE) };
}

async function nextSlot({ store }: Garden, slug: string, zone: string, now: number): Promise<string | null> {
  const seen = await readAgentFile(store, slug);
  if (seen.kind !== "agent" || seen.agent.contract.status !== "active") return null;
  const { triggers, timezone } = seen.agent.contract;
  const cron = triggers.cron === null ? undefined : readCron(triggers.cron);
  const slot = cron && slotAfter(cron, timezone ?? zone, now);
  return slot === undefined ? null : new Date(slot).toISOString();
}

function figureDay(day: string, runs: readonly PricedRun[]): FigureDay {
  const there = runs.filter((run) => run.day === day);
  const count = (fits: (state: RunState) => boolean): number => there.filter(({ card }) => fits(card.state)).length;
  return {
    day,
    completed: count((state) => state === "completed"),
    failed: count((state) => state === "failed"),
    cancelled: count((state) => state === "cancelled"),
    open: count((state) => !isTerminal(state)),
    cost: sumOf(there),
  };
}

/** Rounded to a millionth, as the cost of a run is. */
function sumOf(runs: readonly PricedRun[]): number | null {
  const costs = runs.flatMap(({ cost }) => cost ?? []);
  return costs.length === 0 ? null : Math.round(costs.reduce((sum, cost) => sum + cost, 0) * 1_000_000) / 1_000_000;
}

function versionCosts(runs: readonly PricedRun[]): VersionCost[] {
  const groups = Map.groupBy(
    runs.filter(({ card, cost }) => card.logic_version !== undefined && cost !== undefined),
    ({ card }) => `${card.agent_slug} ${card.logic_version}`,
  );
  return [...groups].map(([name, group]) => {
    const costs = group.map(({ cost }) => cost!).toSorted((a, b) => a - b);
    const at = (share: number): number => costs[Math.round(share * (costs.length - 1))]!;
    const [slug = "", version = ""] = name.split(" ");
    return { slug, version, runs: costs.length, median: at(0.5), low: at(0.05), high: at(0.95), total: sumOf(group)! };
  });
}

function modelCosts(runs: readonly PricedRun[]): ModelCost[] {
  const groups = Map.groupBy(
    runs.filter(({ card }) => card.model_used !== undefined),
    ({ card }) => card.model_used!,
  );
  return [...groups].map(([model, group]) => ({
    model,
    runs: group.length,
    tokens: group.reduce((sum, { card }) => sum + (card.tokens_used?.input ?? 0) + (card.tokens_used?.output ?? 0), 0),
    cost: sumOf(group),
  }));
}
