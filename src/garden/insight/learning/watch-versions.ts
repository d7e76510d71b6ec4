import { z } from "zod";
import { crashPoint } from "../../../base/crash-point.ts";
import type { Language, Text } from "../../../base/text.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { keys, logicPath, MAIN_REF } from "../../../domain/layout.ts";
import { changelogEntries, hasResult, resultLine, withResult } from "../../../domain/logic/logic-changelog.ts";
import {
  compareVersions,
  type FiguresComparison,
  figuresOf,
  type LearningSettings,
} from "../../../domain/logic/logic-figures.ts";
import { isLogicVersion, type LogicVersion } from "../../../domain/logic/logic-version.ts";
import { type RunSum, type RunTally, sumWhere } from "../../../domain/run/run-tally.ts";
import { everyKey } from "../../../ports/store.ts";
import { receive } from "../../changes/inbox/receive.ts";
import { commitBookkeeping } from "../../core/commit-bookkeeping.ts";
import type { Garden } from "../../core/garden.ts";
import { jsonBytes, tryReadJson } from "../../core/json-record.ts";
import { languageAt } from "../../records/logic/garden-language.ts";
import { findHandChange } from "../../records/logic/hand-change.ts";
import { findLogic, type LogicState } from "../../records/logic/logic-state.ts";
import { learningSettings } from "./logic-performance.ts";
import { settleTally, talliedRuns } from "./tally.ts";
import { type VersionPools, versionPools } from "./version-pools.ts";

/** The bookkeeping trailer of commits that write a measured result into the changelog (P-8a, L-9). */
export const RESULTS = "changelog";

/** The actions taken for one version. */
export interface WatchedVersion {
  readonly slug: string;
  readonly version: LogicVersion;
  /** The commit with the measured result. */
  readonly result?: Oid;
  /** The proposal to roll back. */
  readonly rollback?: string;
}

const MOST_EVIDENCE = 20;

/**
 * L-9: checks the current version of every agent with new counts. Once enough runs have ended, the measured result is written into the
 * changelog entry; a significant regression becomes a proposal to roll back, which waits for a person. Both happen once per version and
 * are derived from the records, so calling this again, or in two processes, is idempotent.
 */
export async function watchVersions(garden: Garden): Promise<readonly WatchedVersion[]> {
  const { store } = garden;
  const watched: WatchedVersion[] = [];
  const due: { key: string; slug: string; hash: string }[] = [];
  for await (const { key } of everyKey(store, keys.duePromises)) {
    const slug = /^views\/due-promises\/([^/]+)\.json$/.exec(key)?.[1];
    const stored = slug === undefined ? undefined : await store.get(key);
    if (slug !== undefined && stored) due.push({ key, slug, hash: stored.hash });
  }
  for (const { key, slug, hash } of due) {
    const checked = await checkAgent(garden, slug);
    if (checked === "later") continue;
    if (checked) watched.push(checked);
    await store.remove(key, hash);
  }
  return watched;
}

/** `later`: a person has an uncommitted change of the files, or main moved meanwhile. */
async function checkAgent(garden: Garden, slug: string): Promise<WatchedVersion | "later" | undefined> {
  const { repo } = garden;
  const head = await repo.resolve(MAIN_REF);
  const state = head === undefined ? undefined : await findLogic(repo, head, slug).catch(() => undefined);
  if (head === undefined || !state) return undefined;
  if (await findHandChange(repo, head, slug)) return "later";
  const tally = await settleTally(garden, slug);
  const measured = await measure(garden, head, state, tally);
  const result = await writeResult(garden, head, state, measured);
  if (result === "later") return result;
  const { written } = result;
  crashPoint("promise.result-written");
  const rollback = await raiseRollback(garden, state, tally, measured);
  if (written === undefined && rollback === undefined) return undefined;
  const { version } = measured;
  return {
    slug,
    version,
    ...(written !== undefined && { result: written }),
    ...(rollback !== undefined && { rollback }),
  };
}

/** The current version, and the previous one, which is its baseline. */
interface Measured {
  readonly version: LogicVersion;
  /** Sum over the runs that name this version. */
  readonly own: RunSum;
  readonly before: LogicVersion | undefined;
  readonly baseline: RunSum | undefined;
  /** The version equals an older one: rolling back again would loop. */
  readonly isRollback: boolean;
  readonly settings: LearningSettings;
}

async function measure(garden: Garden, head: Oid, state: LogicState, { sums }: RunTally): Promise<Measured> {
  const pools: VersionPools = await versionPools(garden.repo, head, state);
  const version = state.meta.logicVersion;
  const before = pools.before(version);
  return {
    version,
    own: sumWhere(sums, (group) => group.version === version),
    before,
    baseline: before === undefined ? undefined : pools.sum(sums, before),
    isRollback: pools.sameAs(version).some((other) => other < version),
    settings: learningSettings(garden),
  };
}

/** Enough runs ended, and enough of them are judged or no decision is open any more. */
const isMeasured = ({ own, settings: { enough } }: Measured): boolean =>
  own.runs >= enough && (own.good + own.bad >= enough || own.waiting === 0);

async function writeResult(
  garden: Garden,
  head: Oid,
  { slug, changelog }: LogicState,
  measured: Measured,
): Promise<{ readonly written?: Oid } | "later"> {
  const { version, own } = measured;
  const entry = changelogEntries(changelog ?? "", Number.POSITIVE_INFINITY).find((one) => one.version === version);
  if (changelog === undefined || !entry || hasResult(entry) || !isMeasured(measured)) return {};
  const language = await languageAt(garden.repo, head);
  const text = withResult(changelog, version, resultLine(own.runs, resultText(measured, language), language));
  const written = await commitBookkeeping(garden, head, {
    kind: RESULTS,
    message: `changelog: ${slug} ${version}`,
    edits: [{ path: logicPath.changelog(slug), bytes: Buffer.from(text) }],
  });
  return written === undefined ? "later" : { written };
}

/** `success_rate 0.87 → 0.94` as in source 000 §2.2, then the decisions, and whether the difference is significant. */
function resultText(measured: Measured, language: Language): string {
  const { own, before, baseline, settings } = measured;
  const [now, then] = [figuresOf(own), baseline && figuresOf(baseline)];
  const change = (name: "success_rate" | "acceptance_rate" | "good_rate"): string[] =>
    now[name] === null
      ? []
      : [`${name} ${then && then[name] !== null ? `${two(then[name])} → ` : ""}${two(now[name])}`];
  const found = comparisonOf(measured, settings.confidence);
  const claim =
    before === undefined || !baseline
      ? []
      : [(found ? CLAIMS[found.verdict](before) : tooFew(before, baseline.runs))[language]];
  return [...change("success_rate"), ...change("acceptance_rate"), ...change("good_rate"), ...claim].join("; ");
}

const two = (rate: number): string => rate.toFixed(2);

const CLAIMS: Readonly<Record<FiguresComparison["verdict"], (before: string) => Text>> = {
  better: (before) => ({ en: `significantly better than ${before}`, uk: `значуще краще за ${before}` }),
  worse: (before) => ({ en: `significantly worse than ${before}`, uk: `значуще гірше за ${before}` }),
  alike: (before) => ({ en: `no significant difference from ${before}`, uk: `без значущої різниці з ${before}` }),
};

const tooFew = (before: string, runs: number): Text => ({
  en: `too few runs of ${before} to compare (${runs})`,
  uk: `замало запусків ${before} для порівняння (${runs})`,
});

const comparisonOf = (
  { version, own, before, baseline, settings: { enough } }: Measured,
  confidence: number,
): FiguresComparison | undefined =>
  before === undefined || !baseline
    ? undefined
    : compareVersions([before, baseline], [version, own], { enough, confidence });

const looksTaken = z.object({
  version: z.string().refine(isLogicVersion),
  looks: z.int().nonnegative(),
  raised: z.string().optional(),
});

/**
 * Testing after every run would eventually report a regression where there is none (multiple comparisons). So there is one test when
 * enough runs are judged, and one each time their number has doubled; the k-th gets 1/(k·(k+1)) of the total error probability.
 */
async function raiseRollback(
  garden: Garden,
  { slug }: LogicState,
  tally: RunTally,
  measured: Measured,
): Promise<string | undefined> {
  const { store } = garden;
  const { version, own, before, isRollback, settings } = measured;
  const judged = own.good + own.bad;
  if (before === undefined || isRollback || judged < settings.enough) return undefined;
  const look = Math.floor(Math.log2(judged / settings.enough)) + 1;
  const stored = await store.get(keys.promiseLooks(slug));
  const taken = tryReadJson(stored?.bytes, looksTaken);
  if (taken?.version === version && (taken.raised !== undefined || taken.looks >= look)) return undefined;
  const confidence = 1 - (1 - settings.confidence) / (look * (look + 1));
  const found = comparisonOf(measured, confidence);
  const proposal =
    found?.verdict === "worse" && found.metric === "good_rate"
      ? await proposeRollback(garden, slug, found, confidence, await badRuns(garden, slug, tally, version))
      : undefined;
  crashPoint("promise.rollback-raised");
  await store.put(keys.promiseLooks(slug), jsonBytes({ version, looks: look, raised: proposal }));
  return proposal;
}

/** The newest runs of the version that failed or were rejected. */
export async function badRuns(
  { store }: Pick<Garden, "store">,
  slug: string,
  tally: RunTally,
  version: LogicVersion,
): Promise<string[]> {
  const runs = await talliedRuns(store, slug, tally);
  if (runs === "damaged") return [];
  return runs
    .filter(({ count }) => count?.version === version && count.verdict === "bad")
    .map(({ run }) => run)
    .toSorted()
    .slice(-MOST_EVIDENCE);
}

/** Idempotent: the correlation id is derived from the version. */
async function proposeRollback(
  garden: Garden,
  slug: string,
  { before, after, metric, from, to, interval, runs }: FiguresComparison,
  confidence: number,
  evidenceRuns: readonly string[],
): Promise<string | undefined> {
  if (evidenceRuns.length === 0) return undefined;
  const sure = `${Math.round(confidence * 1000) / 10} %`;
  const received = await receive(garden, {
    identity: { type: "gateway" },
    action: "logic-rollback",
    payload: {
      agent: slug,
      currentVersion: after,
      toVersion: before,
      rationale: {
        problem: `${after}: ${metric} ${from} → ${to} (n = ${runs.before}, ${runs.after}); різниця [${interval.low}; ${interval.high}], ${sure}`,
        change: `повернення до ${before}`,
        evidenceRuns: [...evidenceRuns],
        expectedImprovement: `${metric} ≈ ${from}`,
        riskAssessment: `low — ${before} уже діяла`,
      },
      requiresHumanReview: true,
    },
    summary: `${after} does worse than ${before}: go back`,
    correlation_id: `promise-${slug}-${after}`,
  });
  if (received.kind === "refused") {
    // A refusal is recorded in the inbox; an unavailable garden is not, and must be retried.
    if (received.failure.code === "UPSTREAM_UNAVAILABLE") throw received.failure;
    return undefined;
  }
  return received.proposal.id;
}
