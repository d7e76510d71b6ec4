import type { z } from "zod";
import { compareUtf8 } from "../../base/order.ts";
import { keys } from "../../domain/layout.ts";
import { inputLine } from "../../domain/run/input-line.ts";
import { costOf, type Prices, type RunCost } from "../../domain/run/price.ts";
import {
  driftMember,
  foldRun,
  isExperiment,
  isTerminal,
  openRun,
  type RunRequest,
  type RunState,
  type RunStatus,
  runRequest,
  runStatus,
} from "../../domain/run/run.ts";
import type { Outcome, RunManifest } from "../../domain/run/run-manifest.ts";
import { runManifest } from "../../domain/run/run-manifest.ts";
import type { StepRecord } from "../../domain/run/run-step.ts";
import { everyKey } from "../../ports/store.ts";
import { type RunPlace, readJournal } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { tryReadJson } from "../core/json-record.ts";
import { SORTS_LAST } from "../core/newest-names.ts";
import { daysOf, newestRuns, runsOfDay } from "../records/runs/run-folders.ts";
import { originOfRun } from "../records/runs/run-origin.ts";
import { agentSlugs } from "../records/status.ts";
import { noSuchRun, severalRuns } from "./failures.ts";

type StoreOnly = Pick<Garden, "store">;

/** A run in a list. */
export interface RunCard extends RunStatus {
  readonly outcome?: Outcome;
  readonly proposals_created?: number;
  /** The logic version that the run is pinned to. */
  readonly logic_version?: string;
  /** The model and its tokens, once the run has ended. */
  readonly model_used?: string;
  readonly tokens_used?: RunManifest["tokens_used"];
  /** From the request, in lists: the input as one line, who or what started the run, and the slot or the event. */
  readonly about?: string;
  readonly by?: string;
  readonly cause?: string;
  readonly forked_from?: NonNullable<RunManifest["forked_from"]>;
  /** S-7: its proposals are in the sandbox. */
  readonly experiment?: true;
  /** The run that asked for this one, as its sub-agent. */
  readonly asked_by?: { readonly agent: string; readonly run: string };
  /** The held run that this one continues under another logic version (O-3a). */
  readonly moved_from?: NonNullable<RunManifest["moved_from"]>;
}

export interface RunList {
  readonly runs: readonly RunCard[];
  /** Pass as `after` for the next page; left out when there is none. */
  readonly next?: string;
}

export interface RunFilter {
  readonly agent?: string | undefined;
  readonly state?: RunState | undefined;
  readonly trigger?: RunCard["trigger"] | undefined;
  /** The logic version. */
  readonly version?: string | undefined;
  readonly outcome?: Outcome["kind"] | undefined;
  /** Part of the input or of the outcome's reason, in any case. */
  readonly text?: string | undefined;
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;
/** Maximum number of runs that one call reads. A page of a rare kind may be short, or empty, and still have a next one. */
const MAX_READ = 1000;

/**
 * Runs, newest first. The cost grows with the page, not with the number of runs; with the number of open runs for a state such as
 * `running`. A call for a rare kind reads at most `MAX_READ` runs.
 */
export async function listRuns({ store }: StoreOnly, wanted: RunFilter = {}): Promise<RunList> {
  const limit = Math.min(Math.max(1, wanted.limit ?? DEFAULT_LIMIT), MAX_LIMIT);
  const isOpen = wanted.state !== undefined && !isTerminal(wanted.state);
  const open = isOpen ? await openPlaces(store, wanted.agent) : undefined;
  const runs: RunCard[] = [];
  let last: RunCard | undefined;
  let read = 0;
  for await (const second of bySecond(open ?? allPlaces(store, wanted))) {
    if (last && read >= MAX_READ) return { runs, next: orderOf(last) };
    const cards: RunCard[] = [];
    for (const place of second) {
      const card = await readCard(store, place);
      if (card) cards.push(card);
    }
    read += second.length;
    for (const card of cards.toSorted((a, b) => compareUtf8(orderOf(b), orderOf(a)))) {
      if (wanted.after !== undefined && compareUtf8(orderOf(card), wanted.after) >= 0) continue;
      last = card;
      const listed = fits(card, wanted) ? await withRequest(store, card) : undefined;
      if (!listed || !mentions(listed, wanted.text)) continue;
      if (runs.length === limit) return { runs, next: orderOf(runs.at(-1)!) };
      runs.push(listed);
    }
  }
  return { runs };
}

const fits = (card: RunCard, { state, trigger, version, outcome }: RunFilter): boolean =>
  (state === undefined || card.state === state) &&
  (trigger === undefined || card.trigger === trigger) &&
  (version === undefined || card.logic_version === version) &&
  (outcome === undefined || card.outcome?.kind === outcome);

function mentions({ about = "", outcome }: RunCard, text: string | undefined): boolean {
  if (text === undefined || text.trim() === "") return true;
  const reason = outcome && "reason" in outcome ? outcome.reason : "";
  return `${about}\n${reason}`.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase());
}

/** Adds the facts of the request. A run whose request cannot be read stays in the list without them. */
async function withRequest(store: StoreOnly["store"], card: RunCard): Promise<RunCard> {
  const { agent_slug: slug, run_id: run } = card;
  const request = await readAs(store, keys.runRequest(slug, run), runRequest);
  const about = request && inputLine(request.input);
  const logic = isTerminal(card.state) ? undefined : (await originOfRun(store, { slug, run })).pinned?.logic;
  return {
    ...card,
    ...(about !== undefined && { about }),
    ...(request && { by: request.by }),
    ...(request?.cause !== undefined && { cause: request.cause }),
    ...askedByMember(request),
    ...(logic != null && { logic_version: logic }),
  };
}

/** The card with the cost of the run, if the owner set the price of its model. */
export function withCost<C extends Pick<RunCard, "model_used" | "tokens_used">>(
  prices: Prices,
  card: C,
): C & { readonly cost?: RunCost } {
  const { model_used, tokens_used } = card;
  const cost = model_used !== undefined && tokens_used && costOf(prices, { model_used, tokens_used });
  return cost ? { ...card, cost } : card;
}

/** `run_2026-02-14_080000`: ids sort by the second and are random within it. Within a second the request's time decides. */
const secondOf = (run: string): string => run.slice(0, "run_2026-02-14_080000".length);
const orderOf = ({ run_id, agent_slug, requested_at }: RunCard): string =>
  `${secondOf(run_id)}/${requested_at}/${run_id}/${agent_slug}`;

async function* bySecond(places: AsyncIterable<RunPlace> | Iterable<RunPlace>): AsyncGenerator<RunPlace[]> {
  let together: RunPlace[] = [];
  for await (const place of places) {
    if (together[0] && secondOf(together[0].run) !== secondOf(place.run)) {
      yield together;
      together = [];
    }
    together.push(place);
  }
  if (together.length > 0) yield together;
}

/** Runs of all agents, merged newest first. */
async function* allPlaces(store: StoreOnly["store"], { agent, after }: RunFilter): AsyncGenerator<RunPlace> {
  const slugs = agent === undefined ? await agentSlugs(store) : [agent];
  const upTo = after === undefined ? undefined : `${after.split("/")[0]}${SORTS_LAST}`; // with all of that second
  const heads: { readonly place: RunPlace; readonly rest: AsyncGenerator<RunPlace> }[] = [];
  const enter = async (rest: AsyncGenerator<RunPlace>): Promise<void> => {
    const { value, done } = await rest.next();
    if (!done) heads.push({ place: value, rest });
  };
  for (const slug of slugs) await enter(newestRuns(store, slug, upTo));
  while (heads.length > 0) {
    const newest = heads.reduce((a, b) => (compareUtf8(cursorOf(a.place), cursorOf(b.place)) >= 0 ? a : b));
    yield newest.place;
    heads.splice(heads.indexOf(newest), 1);
    await enter(newest.rest);
  }
}

/** From the view of open runs, newest first; undefined if the view is not known to be whole. */
async function openPlaces(store: StoreOnly["store"], agent: string | undefined): Promise<RunPlace[] | undefined> {
  if (!(await store.get(keys.openRunsWhole))) return undefined;
  const places: RunPlace[] = [];
  for await (const { key } of everyKey(store, keys.openRuns)) {
    const entry = await readAs(store, key, openRun);
    // The key of a damaged entry still names an open run.
    const run = /([^/]+)\.json$/.exec(key)?.[1] ?? "";
    const place = entry ?? (await findRun({ store }, run).catch(() => undefined));
    if (place && (agent === undefined || place.slug === agent)) places.push({ slug: place.slug, run: place.run });
  }
  return places.toSorted((a, b) => compareUtf8(cursorOf(b), cursorOf(a)));
}

/** Days, newest first, each with the agents that ran on it. */
async function byDay(store: StoreOnly["store"], slugs: readonly string[]): Promise<[string, string[]][]> {
  const days = new Map<string, string[]>();
  for (const slug of slugs)
    for (const day of await daysOf(store, slug)) days.set(day, [...(days.get(day) ?? []), slug]);
  return [...days].toSorted(([a], [b]) => compareUtf8(b, a));
}

const cursorOf = ({ run, slug }: RunPlace): string => `${run}/${slug}`;

/** One run as in a list. Reads no steps. Throws NOT_FOUND. */
export async function runCard({ store }: StoreOnly, place: RunPlace): Promise<RunCard> {
  const card = await readCard(store, place);
  if (!card) throw noSuchRun(place.run);
  return card;
}

/** From the manifest, which never changes; else from the view; else folded from the records. */
async function readCard(store: StoreOnly["store"], place: RunPlace): Promise<RunCard | undefined> {
  const { slug, run } = place;
  const manifest = await readAs(store, keys.runManifest(slug, run), runManifest);
  const view = await readAs(store, keys.runStatus(slug, run), runStatus);
  if (manifest) return cardOf(view && isTerminal(view.state) ? view : ended(manifest, view), manifest);
  // A view that says "ended" without a manifest is damaged, or was copied from another garden.
  if (view && !isTerminal(view.state)) return view;
  const journal = await readJournal(store, place);
  return journal?.request && foldRun(journal.request, journal.records, undefined);
}

const cardOf = (status: RunStatus, manifest: RunManifest): RunCard => ({
  ...status,
  state: manifest.status,
  ...(manifest.outcome && { outcome: manifest.outcome }),
  proposals_created: manifest.proposals_created,
  ...(manifest.logic_version !== null && { logic_version: manifest.logic_version }),
  model_used: manifest.model_used,
  tokens_used: manifest.tokens_used,
  ...(manifest.forked_from && { forked_from: manifest.forked_from }),
  ...(manifest.experiment && { experiment: true as const }),
  ...(manifest.moved_from && { moved_from: manifest.moved_from }),
  ...driftMember(manifest.drift),
});

const ended = (manifest: RunManifest, view: RunStatus | undefined): RunStatus => ({
  run_id: manifest.run_id,
  agent_slug: manifest.agent_slug,
  state: manifest.status,
  trigger: manifest.trigger,
  requested_at: view?.requested_at ?? manifest.started_at,
  started_at: manifest.started_at,
  finished_at: manifest.finished_at,
});

/** One run, whole. */
export interface RunDetails {
  readonly card: RunCard;
  readonly request: RunRequest | undefined;
  readonly manifest: RunManifest | undefined;
  readonly steps: readonly StepRecord[];
}

export async function readRun({ store }: StoreOnly, place: RunPlace): Promise<RunDetails> {
  const journal = await readJournal(store, place);
  if (!journal) throw noSuchRun(place.run);
  const { request, records, manifest } = journal;
  const view = await readAs(store, keys.runStatus(place.slug, place.run), runStatus);
  const open = request && foldRun(request, records, manifest, openFacts(view));
  const waits = !manifest && view?.waits_until !== undefined && { waits_until: view.waits_until };
  const card = manifest ? cardOf(open ?? ended(manifest, view), manifest) : open ? { ...open, ...waits } : view;
  if (!card) throw noSuchRun(place.run);
  const [forked, moved] = [request?.forked_from, request?.moved_from];
  const origins = {
    ...(forked && { forked_from: { run: forked.run, step: forked.step } }),
    ...(request && isExperiment(request) && { experiment: true as const }),
    ...(moved && { moved_from: { run: moved.run, step: moved.step } }),
    ...askedByMember(request),
  };
  return { card: { ...card, ...origins }, request, manifest, steps: records };
}

const askedByMember = (request: RunRequest | undefined): Pick<RunCard, "asked_by"> =>
  request?.spawned_by ? { asked_by: { agent: request.spawned_by.agent, run: request.spawned_by.run } } : {};

/** Facts about an open run that its records do not have. */
const openFacts = (view: RunStatus | undefined): { queued: boolean; held?: string } => ({
  queued: view?.state === "queued",
  ...(view?.waiting_for !== undefined && { held: view.waiting_for }),
});

const FULL = /^run_\d{4}-\d{2}-\d{2}_\d{6}_[0-9a-z]{6}$/;

/** Resolves an id of a run: in full, or a suffix such as `abc123`. Throws NOT_FOUND for none and for several. */
export async function findRun({ store }: StoreOnly, written: string): Promise<RunPlace> {
  const slugs = await agentSlugs(store);
  const found: RunPlace[] = [];
  if (FULL.test(written)) {
    for (const slug of slugs) {
      const { entries } = await store.list(`${keys.runs(slug)}${written}/`, { limit: 1 });
      if (entries.length > 0) found.push({ slug, run: written });
    }
  } else if (/^[0-9a-z_-]{3,}$/.test(written)) {
    for (const [day, here] of await byDay(store, slugs))
      for (const slug of here)
        for (const place of await runsOfDay(store, slug, day)) if (place.run.endsWith(written)) found.push(place);
  }
  const [only, second] = found;
  if (only && !second) return only;
  throw found.length === 0 ? noSuchRun(written) : severalRuns(written, found);
}

const readAs = async <T>(store: StoreOnly["store"], key: string, shape: z.ZodType<T>): Promise<T | undefined> =>
  tryReadJson((await store.get(key))?.bytes, shape);
