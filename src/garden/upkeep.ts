import { asFailure, type Failure } from "../base/failure.ts";
import { forgetExpired } from "./access/tokens.ts";
import { forgetOldSignatures } from "./access/webhook.ts";
import { resumeApplying } from "./apply/apply-proposal.ts";
import type { Garden } from "./garden.ts";
import { recoverInbox } from "./inbox/receive.ts";
import { makeReports } from "./learning/logic-report.ts";
import { keepPromises } from "./learning/promise.ts";
import { writeAnalyses } from "./learning/record-analysis.ts";
import { noticeRevert } from "./logic/notice-revert.ts";
import { rotateReports } from "./memory/run-reports.ts";
import { expireDue } from "./proposals/decide.ts";
import { settlePending } from "./proposals/take-up.ts";
import { forgetAsked } from "./runs/asked-once.ts";
import { recordStatistics } from "./runs/statistics.ts";

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
  { name: "keep-promises", everySeconds: 10, work: keepPromises },
  { name: "rotate-reports", everySeconds: 6 * 3600, work: rotateReports },
  { name: "write-analyses", everySeconds: 60, work: writeAnalyses },
  { name: "make-reports", everySeconds: 10, work: makeReports },
  { name: "expire-proposals", everySeconds: 30, work: expireDue },
  { name: "forget-tokens", everySeconds: 6 * 3600, work: forgetExpired },
  { name: "forget-signatures", everySeconds: 6 * 3600, work: forgetOldSignatures },
  { name: "forget-asked", everySeconds: 6 * 3600, work: forgetAsked },
];

export interface Upkeep {
  /** Settles when what is under way has ended; nothing begins after it was called. */
  stop(): Promise<void>;
}

/**
 * Keeps a garden going while it is served. A chore that fails is told and tried again at its next turn; it never ends the
 * others, because a part that is away comes back.
 */
export function keepUp(garden: Garden, tell: (chore: string, failure: Failure) => void): Upkeep {
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
