import { asFailure, type Failure } from "../../base/failure.ts";
import { forgetExpired } from "../agents/access/tokens.ts";
import { forgetOldSignatures } from "../agents/access/webhook.ts";
import { resumeApplying } from "../changes/apply/apply-proposal.ts";
import { recoverInbox } from "../changes/inbox/receive.ts";
import { noticeRevert } from "../changes/logic/notice-revert.ts";
import { expireDue } from "../changes/proposals/decide.ts";
import { settlePending } from "../changes/recover-changes.ts";
import type { Garden } from "../core/garden.ts";
import { makeReports } from "../insight/learning/logic-report.ts";
import { recordStatistics } from "../insight/learning/statistics.ts";
import { watchVersions } from "../insight/learning/watch-versions.ts";
import { writeAnalyses } from "../records/logic/record-analysis.ts";
import { rotateReports } from "../records/memory/run-reports.ts";
import { forgetCorrelations } from "../runs/run-correlation.ts";

/** Something that a served garden does by itself: at the start, and every so often. */
interface Chore {
  readonly name: string;
  readonly everySeconds: number;
  work(garden: Garden): Promise<unknown>;
}

/** The first three finish what a crash of any process left open; doing one twice, or in two processes, is doing it once. */
const chores: readonly Chore[] = [
  { name: "recover-inbox", everySeconds: 60, work: recoverInbox },
  { name: "settle-decisions", everySeconds: 60, work: settlePending },
  { name: "resume-applying", everySeconds: 60, work: resumeApplying },
  { name: "notice-reverts", everySeconds: 60, work: noticeRevert },
  { name: "record-statistics", everySeconds: 10, work: recordStatistics },
  { name: "keep-promises", everySeconds: 10, work: watchVersions },
  { name: "rotate-reports", everySeconds: 6 * 3600, work: rotateReports },
  { name: "write-analyses", everySeconds: 60, work: writeAnalyses },
  { name: "make-reports", everySeconds: 10, work: makeReports },
  { name: "expire-proposals", everySeconds: 30, work: expireDue },
  { name: "forget-tokens", everySeconds: 6 * 3600, work: forgetExpired },
  { name: "forget-signatures", everySeconds: 6 * 3600, work: forgetOldSignatures },
  { name: "forget-asked", everySeconds: 6 * 3600, work: forgetCorrelations },
];

export interface Upkeep {
  /** Settles when what is under way has ended; nothing begins after it was called. */
  stop(): Promise<void>;
}

/**
 * Keeps a garden going while it is served. A chore that fails is told and tried again at its next turn; it never ends the
 * others, because a part that is away comes back.
 */
export function startUpkeep(garden: Garden, tell: (chore: string, failure: Failure) => void): Upkeep {
  const timers = new Map<string, NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();
  let going = true;
  const turn = (chore: Chore): void => {
    const done = chore
      .work(garden)
      .then(
        () => undefined,
        (error: unknown) => tell(chore.name, asFailure(error)),
      )
      .finally(() => {
        underWay.delete(done);
        if (going) timers.set(chore.name, setTimeout(turn, chore.everySeconds * 1000, chore).unref());
      });
    underWay.add(done);
  };
  for (const chore of chores) turn(chore);
  return {
    async stop() {
      going = false;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(underWay);
    },
  };
}
