import { crashPoint } from "../../../base/crash-point.ts";
import { Failure } from "../../../base/failure.ts";
import { isSlug } from "../../../domain/contract/slug.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { keys, MAIN_REF, memoryPath, tree } from "../../../domain/layout.ts";
import type { Store } from "../../../ports/store.ts";
import { currentSettings } from "../../core/access/current-settings.ts";
import { commitBookkeeping } from "../../core/commit-bookkeeping.ts";
import type { Garden } from "../../core/garden.ts";
import { memoryTextAt } from "./memory-state.ts";

/** The kind of bookkeeping commit that moves old run reports from git to the store (P-8a). */
export const ROTATION = "rotation";

const REPORT_DAYS = 90;
const DAY_MS = 86_400_000;
/** Maximum reports per commit; the rest follows at the next turn. */
const MOST_AT_ONCE = 1000;

export interface RunReport {
  readonly agentId: string;
  readonly run: string;
  readonly text: string;
  /** `git` while it is young, `store` afterwards. */
  readonly from: "git" | "store";
}

/** The report `memory/<agentId>/runs/run_<id>.md`, from git or from the store. */
export async function readReport(
  { repo, store }: Pick<Garden, "repo" | "store">,
  at: Oid,
  slug: string,
  run: string,
): Promise<RunReport> {
  const inGit = await memoryTextAt(repo, at, memoryPath.run(slug, run));
  const text = inGit ?? (await storedReport(store, slug, run));
  if (text === undefined) throw noReport(slug, run);
  return { agentId: slug, run, text, from: inGit === undefined ? "store" : "git" };
}

export async function storedReport(store: Store, slug: string, run: string): Promise<string | undefined> {
  const stored = await store.get(keys.runReport(slug, run));
  return stored && Buffer.from(stored.bytes).toString();
}

const REPORT = new RegExp(`^${tree.memory}/([^/]+)/runs/(run_(\\d{4}-\\d{2}-\\d{2})[a-zA-Z0-9_-]*)\\.md$`);

export interface ReportPath {
  readonly path: string;
  readonly slug: string;
  readonly run: string;
  readonly day: string;
}

/** The report that a path names; undefined for another path. */
export function reportAt(path: string): ReportPath | undefined {
  const [, slug, run, day] = REPORT.exec(path) ?? [];
  return slug !== undefined && isSlug(slug) ? { path, slug, run: run!, day: day! } : undefined;
}

/**
 * Moves run reports older than `retention.reports_days` to the store and then removes them from git, in one bookkeeping
 * commit. After a crash in between both have them, and the next turn continues. Postponed while a person edits such a
 * file, or if main moves meanwhile. Returns the commit, if there was anything to do.
 */
export async function rotateReports(garden: Garden): Promise<Oid | undefined> {
  const { repo, store, world } = garden;
  const head = await repo.resolve(MAIN_REF);
  if (head === undefined) return undefined;
  const { retention } = await currentSettings(garden);
  const before = new Date(world.now() - (retention.reports_days ?? REPORT_DAYS) * DAY_MS).toISOString().slice(0, 10);
  const files = await repo.list(head, tree.memory);
  const due = files.flatMap(({ path }) => reportAt(path) ?? []).filter(({ day }) => day < before);
  const old = due.slice(0, MOST_AT_ONCE);
  if (old.length === 0 || (await repo.edited(old.map(({ path }) => path))).length > 0) return undefined;
  for (const { path, slug, run } of old) {
    await keepReport(store, keys.runReport(slug, run), (await repo.read(head, path))!.bytes);
    crashPoint("memory.report-kept");
  }
  const commit = await commitBookkeeping(garden, head, {
    kind: ROTATION,
    message: `memory: reports of ${old.length} runs before ${before} are in the store`,
    edits: old.map(({ path }) => ({ path, bytes: undefined })),
  });
  crashPoint("memory.reports-rotated");
  return commit;
}

/** A report that was extended in git contains all of its text in the store, so it replaces it. */
async function keepReport(store: Store, key: string, bytes: Uint8Array): Promise<void> {
  const created = await store.create(key, bytes);
  if (created.kind === "created") return;
  const there = await store.get(key);
  if (!there || Buffer.from(there.bytes).equals(bytes)) return;
  const swapped = await store.swap(key, there.hash, bytes);
  if (swapped.kind === "moved")
    throw new Failure("CONCURRENT_MODIFICATION", {
      en: `${key} changed meanwhile`,
      uk: `${key} тим часом змінено`,
      details: { key },
    });
}

const noReport = (slug: string, run: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `the memory of ${slug} has no report of ${run}`,
    uk: `у пам'яті ${slug} немає звіту про ${run}`,
    hint: {
      en: "A run that changed nothing in memory leaves none; `bloom runs show` tells what it did.",
      uk: "Запуск, що нічого не змінив у пам'яті, звіту не лишає; що він робив, каже `bloom runs show`.",
    },
    details: { agent: slug, run },
  });
