import { canonicalId } from "../../../base/canonical.ts";
import type { Text } from "../../../base/text.ts";
import type { Identity } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import type { TravellingBehaviour } from "../../../domain/library/travelling-behaviour.ts";
import type { CounterfactualReport, CounterfactualRow } from "../../../domain/logic/counterfactual-report.ts";
import { runManifest } from "../../../domain/run/run-manifest.ts";
import { type PathVerdict, verdictOf } from "../../../domain/run/run-path.ts";
import { type Received, receive } from "../../changes/inbox/receive.ts";
import { currentSettings } from "../../core/access/current-settings.ts";
import type { Garden } from "../../core/garden.ts";
import { tryReadJson } from "../../core/json-record.ts";
import { headOf } from "../../core/main-head.ts";
import { decisionsOf } from "../../insight/learning/proposal-fates.ts";
import { replayOnRuns } from "../../insight/replay/counterfactual.ts";
import { languageAt } from "../../records/logic/garden-language.ts";
import { findLogic } from "../../records/logic/logic-state.ts";
import type { LogicOperation } from "../../records/logic/operation-logic.ts";
import { logicOfFiles } from "../../records/logic/proposed-logic.ts";
import { evidenceReport } from "./checked-behaviour.ts";
import { behaviourRefused, followedAlready, lyingBehaviour } from "./failures.ts";
import { findLibraryEntry } from "./library-rows.ts";
import type { LibraryEntry } from "./read-library.ts";
import { type BehaviourReplay, recordReplay } from "./recorded-replays.ts";
import { libraryAudit } from "./shelf.ts";

export interface ReplayedBehaviour {
  readonly replay: BehaviourReplay;
  /** The replay on our recorded runs, run by run. */
  readonly report: CounterfactualReport;
  /** Lies in the evidence; empty if it holds. */
  readonly lies: readonly Text[];
}

/**
 * S-9b: replays the sender's evidence, and our agent's recorded runs on the sender's diagram. No effect is executed and no model is
 * asked. The result is recorded beside the sender's figures.
 */
export async function replayBehaviour(garden: Garden, wanted: string, agent: string): Promise<ReplayedBehaviour> {
  return replayed(garden, await soundEntry(garden, wanted), agent);
}

type SoundEntry = LibraryEntry & { readonly value: TravellingBehaviour };

async function soundEntry(garden: Garden, wanted: string): Promise<SoundEntry> {
  const entry = await findLibraryEntry(garden, wanted);
  if (entry.reading.kind === "refused") throw behaviourRefused(entry.reading.why, entry.reading.subject);
  return { ...entry, value: entry.reading.value };
}

async function replayed(garden: Garden, { id, value }: SoundEntry, agent: string): Promise<ReplayedBehaviour> {
  const { agrees, differs, verdictOnly, lies } = evidenceReport(value);
  const { learning } = await currentSettings(garden);
  const operation = await adoptingOperation(garden, value, agent, { problem: "-", evidenceRuns: [] });
  const report = await replayOnRuns(garden, operation, { most: learning.counterfactual_runs });
  const effects = await Promise.all(report.rows.map((row) => effectOn(garden, agent, row)));
  const count = (kind: RunEffect["kind"]): number => effects.filter((one) => one.kind === kind).length;
  const replay: BehaviourReplay = {
    agent,
    version: operation.payload.currentVersion ?? null,
    at: new Date(garden.world.now()).toISOString(),
    evidence: { agrees, differs, verdict_only: verdictOnly },
    runs: { same: count("same"), better: count("better"), worse: count("worse"), unknown: count("unknown") },
    good: effects.filter(({ good }) => good === true).length,
    judged: effects.filter(({ good }) => good !== undefined).length,
  };
  await recordReplay(garden.store, id, replay);
  return { replay, report, lies };
}

/** The effect of the other behaviour on one recorded run; `good` is undefined where neither the replay nor a person tells. */
interface RunEffect {
  readonly kind: "same" | "better" | "worse" | "unknown";
  readonly good: boolean | undefined;
}

async function effectOn(garden: Garden, slug: string, row: CounterfactualRow): Promise<RunEffect> {
  if (row.kind === "avoids") return { kind: "better", good: true };
  if (row.kind === "same") return { kind: "same", good: goodOf(await verdictOfRun(garden, slug, row.run)) };
  const fails = row.kind === "parts" && (row.end?.kind === "failed" || row.end?.kind === "endless");
  return fails && row.status === "completed" ? { kind: "worse", good: false } : { kind: "unknown", good: undefined };
}

const goodOf = (verdict: PathVerdict | undefined): boolean | undefined =>
  verdict === undefined || verdict === "open" ? undefined : verdict === "good";

async function verdictOfRun(garden: Garden, slug: string, run: string): Promise<PathVerdict | undefined> {
  const manifest = tryReadJson((await garden.store.get(keys.runManifest(slug, run)))?.bytes, runManifest);
  return manifest && manifest.status !== "cancelled"
    ? verdictOf(manifest, await decisionsOf(garden, manifest))
    : undefined;
}

async function adoptingOperation(
  garden: Garden,
  { head, logic }: TravellingBehaviour,
  agent: string,
  rationale: Extract<LogicOperation, { action: "logic-update" }>["payload"]["rationale"],
): Promise<Extract<LogicOperation, { action: "logic-update" }>> {
  const state = await findLogic(garden.repo, await headOf(garden.repo), agent);
  return {
    action: "logic-update",
    payload: {
      agent,
      ...(state && { currentVersion: state.meta.logicVersion }),
      ...(head.kind === "prompt" ? { pseudocode: logic } : { diagram: logic }),
      rationale,
      requiresHumanReview: true,
    },
  };
}

const MOST_EVIDENCE = 5;

/**
 * Adopts a behaviour for an agent: replays it, and ends as a proposal of a change of logic that a person decides, like any other.
 * Refused if its evidence lies. The sender's own words are not part of the reasons: those may be read by models.
 */
export async function adoptBehaviour(
  garden: Garden,
  { wanted, agent, by }: { readonly wanted: string; readonly agent: string; readonly by: Identity },
): Promise<{ readonly received: Received; readonly replay: BehaviourReplay }> {
  const entry = await soundEntry(garden, wanted);
  const state = await findLogic(garden.repo, await headOf(garden.repo), agent);
  if (state && logicOfFiles(state).behaviour === entry.behaviour) throw followedAlready(agent, state.meta.logicVersion);
  const { replay, report, lies } = await replayed(garden, entry, agent);
  if (lies.length > 0) throw lyingBehaviour(entry.id, lies);
  const { head } = entry.value;
  const evidenceRuns = report.rows.filter(({ kind }) => kind !== "unreadable").map(({ run }) => run);
  const language = await languageAt(garden.repo, await headOf(garden.repo));
  const words = reasonsFor(entry, replay);
  const { payload } = await adoptingOperation(garden, entry.value, agent, {
    problem: words.problem[language],
    change: words.change[language],
    evidenceRuns: evidenceRuns.slice(0, MOST_EVIDENCE),
  });
  const received = await receive(garden, {
    identity: by,
    action: "logic-update",
    payload,
    summary: words.problem[language],
    reasoning: words.change[language],
  });
  if (received.kind === "refused") throw received.failure;
  await libraryAudit(garden, "behaviour-adopted", by, entry.id, {
    behaviour: head.behaviour,
    agent,
    proposal: received.proposal.id,
    object: canonicalId(head),
  });
  return { received, replay };
}

function reasonsFor({ id, source, value }: SoundEntry, replay: BehaviourReplay): { problem: Text; change: Text } {
  const { head } = value;
  const { good, bad } = head.statistics;
  const garden = source.kind === "own" ? "–" : (source.name ?? "–");
  const { evidence, runs } = replay;
  return {
    problem: {
      en: `Adopt the behaviour ${id} (${head.version}, garden: ${garden})`,
      uk: `Перейняти поведінку ${id} (${head.version}, сад: ${garden})`,
    },
    change: {
      en: `There ${good} of ${good + bad} judged runs were good. Evidence replayed here: ${evidence.agrees} agree, ${evidence.differs} differ, ${evidence.verdict_only} with a verdict only. On recorded runs here: ${runs.same} same, ${runs.better} better, ${runs.worse} worse, ${runs.unknown} unknown.`,
      uk: `Там добрих запусків ${good} з ${good + bad} оцінених. Докази відтворено тут: збігаються ${evidence.agrees}, відрізняються ${evidence.differs}, лише з вердиктом ${evidence.verdict_only}. На тутешніх запусках: так само ${runs.same}, краще ${runs.better}, гірше ${runs.worse}, невідомо ${runs.unknown}.`,
    },
  };
}
