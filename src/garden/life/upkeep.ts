import { asFailure, type Failure } from "../../base/failure.ts";
import type { Messenger } from "../../ports/messenger.ts";
import { forgetEndedGrants } from "../agents/access/oauth/oauth-grants.ts";
import { forgetExpired } from "../agents/access/tokens.ts";
import { forgetOldSignatures } from "../agents/access/webhook.ts";
import { stopBrokenAgents } from "../agents/lifecycle/stop-broken.ts";
import { applyAfterGrace, resumeApplying } from "../changes/apply/apply-proposal.ts";
import { recoverInbox } from "../changes/inbox/recover-inbox.ts";
import { noticeRevert } from "../changes/logic/notice-revert.ts";
import { endSuperseded } from "../changes/proposals/end-superseded.ts";
import { expireDue } from "../changes/proposals/expire.ts";
import { settlePending } from "../changes/recover-changes.ts";
import { noticeSettings } from "../core/access/notice-settings.ts";
import { type HeldLease, holdLease } from "../core/flow/hold-lease.ts";
import { realPause } from "../core/flow/pause.ts";
import type { Garden } from "../core/garden.ts";
import type { Signal } from "../core/signals.ts";
import { pollGardens } from "../federation/poll-gardens.ts";
import { tendPublicSpace } from "../federation/public-space.ts";
import { type SendNews, sendQueuedNews } from "../federation/send-news.ts";
import { makeReports } from "../insight/learning/logic-report.ts";
import { recordStatistics } from "../insight/learning/statistics.ts";
import { watchVersions } from "../insight/learning/watch-versions.ts";
import { commitPendingAgentFiles } from "../records/agents/commit-agent-files.ts";
import { updateRegistry } from "../records/agents/registry.ts";
import { writeAnalyses } from "../records/logic/record-analysis.ts";
import { rotateReports } from "../records/memory/run-reports.ts";
import { forgetCorrelations } from "../runs/run-correlation.ts";
import { forgetBackups } from "./backup/forget-backups.ts";
import { tendLegacy } from "./legacy/tend-legacy.ts";
import { deliverNotifications } from "./notify/deliver.ts";

/** Periodic work of a running garden; each chore also runs at the start. */
interface Chore {
  readonly name: string;
  readonly everySeconds: number;
  /** Each process does it for itself: it concerns files of its own machine. Other chores are done by one process of the garden. */
  readonly everywhere?: true;
  work(garden: Garden): Promise<unknown>;
}

/**
 * The first three complete what a crash of any process left open. All chores are idempotent, also across processes: a holder of the
 * upkeep that was paused repeats at most what its successor has done.
 */
const chores: readonly Chore[] = [
  { name: "recover-inbox", everySeconds: 60, work: recoverInbox },
  { name: "settle-decisions", everySeconds: 60, work: settlePending },
  { name: "resume-applying", everySeconds: 60, work: resumeApplying },
  { name: "garden.yaml", everySeconds: 1, everywhere: true, work: noticeSettings },
  { name: "apply-after-grace", everySeconds: 1, work: applyDecided },
  { name: "commit-agent-files", everySeconds: 10, work: commitPendingAgentFiles },
  { name: "stop-broken-agents", everySeconds: 3, work: stopBrokenAgents },
  { name: "notice-reverts", everySeconds: 60, work: noticeRevert },
  { name: "record-statistics", everySeconds: 10, work: recordStatistics },
  { name: "watch-versions", everySeconds: 10, work: watchVersions },
  { name: "rotate-reports", everySeconds: 6 * 3600, work: rotateReports },
  { name: "write-analyses", everySeconds: 60, work: writeAnalyses },
  { name: "make-reports", everySeconds: 10, work: makeReports },
  { name: "update-registry", everySeconds: 10, work: updateRegistry },
  { name: "expire-proposals", everySeconds: 30, work: expireDue },
  { name: "forget-backups", everySeconds: 3600, everywhere: true, work: forgetBackups },
  { name: "forget-tokens", everySeconds: 6 * 3600, work: forgetAccess },
  { name: "forget-signatures", everySeconds: 6 * 3600, work: forgetOldSignatures },
  { name: "forget-correlations", everySeconds: 6 * 3600, work: forgetCorrelations },
  { name: "look-at-gardens", everySeconds: 2, work: pollGardens },
  { name: "public-space", everySeconds: 60, everywhere: true, work: tendPublicSpace },
  { name: "legacy-records", everySeconds: 3600, work: tendLegacy },
];

async function forgetAccess(garden: Garden): Promise<void> {
  await forgetEndedGrants(garden);
  await forgetExpired(garden);
}

async function applyDecided(garden: Garden): Promise<void> {
  await endSuperseded(garden, await applyAfterGrace(garden));
}

/** Length of the lease of the upkeep: when its holder dies, another gateway goes on after this time. */
const UPKEEP_LEASE_MS = 15_000;

/**
 * O-10: one process of a garden has the upkeep at a time. A worker has none: it decides and applies nothing.
 */
export const holdUpkeep = (garden: Garden, report: (failure: Failure) => void): HeldLease =>
  holdLease(garden, { name: "upkeep", ttlMs: UPKEEP_LEASE_MS, pause: realPause, report });

export interface UpkeepOptions {
  readonly messenger?: Messenger | undefined;
  /** Sends a message to another garden. Without it they are told nothing, and look by themselves. */
  readonly sendNews?: SendNews | undefined;
  /** True while this process may do the chores of the whole garden. Default: always. */
  readonly mayWork?: () => boolean;
}

/** A commit of another machine was told of: reading it fetches it where it is not here yet, and main follows. */
function followSignal({ repo, config }: Garden, { record }: Signal): void {
  const commit = record.details?.["git_commit"];
  if (config.repo && typeof commit === "string") repo.commit(commit).catch(() => undefined); // the interval looks again
}

export interface Upkeep {
  /** Resolves when the running chores have ended. No chore starts after the call. */
  stop(): Promise<void>;
}

/**
 * Starts the chores of a running garden. A failed chore is reported and retried at its next turn; the others continue, because an
 * unavailable part may come back.
 */
export function startUpkeep(
  garden: Garden,
  report: (chore: string, failure: Failure) => void,
  { messenger, sendNews, mayWork = () => true }: UpkeepOptions = {},
): Upkeep {
  const timers = new Map<string, NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  let isActive = true;
  const after = (seconds: number, chore: Chore): void => {
    if (isActive) timers.set(chore.name, setTimeout(turn, seconds * 1000, chore).unref());
  };
  const turn = (chore: Chore): void => {
    // Looks often: after the death of the process that had the upkeep, what it left open is completed at once.
    if (!chore.everywhere && !mayWork()) return after(1, chore);
    const done = chore
      .work(garden)
      .then(
        () => undefined,
        (error: unknown) => report(chore.name, asFailure(error)),
      )
      .finally(() => {
        running.delete(done);
        after(chore.everySeconds, chore);
      });
    running.add(done);
  };
  for (const chore of chores) turn(chore);
  const unsubscribe = garden.signals.subscribe((signal) => followSignal(garden, signal));
  if (messenger) turn({ name: "notify", everySeconds: 5, work: (each) => deliverNotifications(each, messenger) });
  if (sendNews) turn({ name: "send-news", everySeconds: 5, work: (each) => sendQueuedNews(each, sendNews) });
  return {
    async stop() {
      isActive = false;
      unsubscribe();
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}
