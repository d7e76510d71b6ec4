import type { z } from "zod";
import { compareUtf8 } from "../../base/order.ts";
import { keys } from "../../domain/layout.ts";
import {
  driftMember,
  foldRun,
  isTerminal,
  openRun,
  type RunRequest,
  type RunState,
  type RunStatus,
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
import { agentSlugs } from "../records/status.ts";
import { noSuchRun, severalRuns } from "./failures.ts";

type StoreOnly = Pick<Garden, "store">;

/** A run in a list. */
export interface RunCard extends RunStatus {
  readonly outcome?: Outcome;
  readonly proposals_created?: number;
  readonly forked_from?: NonNullable<RunManifest["forked_from"]>;
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
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

/**
 * Runs, newest first. The cost grows with the page, not with the number of runs; with the number of open runs for a state such as
 * `running`. Only a rare state of ended runs is searched through all of them.
 */
export async function listRuns({ store }: StoreOnly, wanted: RunFilter = {}): Promise<RunList> {
  const limit = Math.min(Math.max(1, wanted.limit ?? DEFAULT_LIMIT), MAX_LIMIT);
  const isOpen = wanted.state !== undefined && !isTerminal(wanted.state);
  const open = isOpen ? await openPlaces(store, wanted.agent) : undefined;
  const runs: RunCard[] = [];
  for await (const second of bySecond(open ?? allPlaces(store, wanted))) {
    const cards: RunCard[] = [];
    for (const place of second) {
      const card = await readCard(store, place);
      if (card && (wanted.state === undefined || card.state === wanted.state)) cards.push(card);
    }
    for (const card of cards.toSorted((a, b) => compareUtf8(orderOf(b), orderOf(a)))) {
      if (wanted.after !== undefined && compareUtf8(orderOf(card), wanted.after) >= 0) continue;
      if (runs.length === limit) return { runs, next: orderOf(runs.at(-1)!) };
      runs.push(card);
    }
  }
  return { runs };
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
  ...(manifest.forked_from && { forked_from: manifest.forked_from }),
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
    ...(moved && { moved_from: { run: moved.run, step: moved.step } }),
  };
  return { card: { ...card, ...origins }, request, manifest, steps: records };
}

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
