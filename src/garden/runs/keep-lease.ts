import type { Failure } from "../../base/failure.ts";
import { flowStopped, takenOver } from "../core/flow/decision-needed.ts";
import type { Lease } from "../core/flow/lease.ts";
import { afterPause, type Pause, repeat } from "../core/flow/pause.ts";

/** A timer that fires so much too late shows that the process was paused. */
const OVERDUE_MS = 1000;
/**
 * A woken process has so long to find out whether another one has taken the lease: the network of a laptop needs seconds to come back.
 * Until then it records nothing (`Lease.holds`).
 */
const WOKEN_MS = 10_000;

/**
 * Renews the lease until `done`, and calls `onRenewed` after each renewal. Aborts `stop` if another process holds the lease, and at the
 * latest when it is over by this process's clock: a request that the store retries may take longer than a lease lasts. A process that
 * was paused goes on if the lease is still its own.
 */
export async function keepLease(
  { pause, leaseMs }: { readonly pause: Pause; readonly leaseMs: number },
  run: string,
  lease: Lease,
  stop: AbortController,
  done: AbortSignal,
  onRenewed: () => Promise<void>,
): Promise<void> {
  const giveUp = (): void => stop.abort(leaseOver(run));
  const atEnd = (): void => {
    if (lease.leftMs() > -OVERDUE_MS) return giveUp();
    inTime = afterPause(pause, WOKEN_MS, giveUp);
  };
  let inTime = afterPause(pause, lease.leftMs(), atEnd);
  done.addEventListener("abort", () => inTime(), { once: true });
  let following: Promise<void> | undefined;
  const renew = async (): Promise<void> => {
    if ((await lease.renew()) === "lost") return stop.abort(takenOver(run));
    inTime();
    if (done.aborted) return;
    inTime = afterPause(pause, lease.leftMs(), atEnd);
    // Not awaited: a slow request must not delay the next renewal.
    following ??= onRenewed()
      .catch(() => undefined)
      .finally(() => {
        following = undefined;
      });
  };
  const tryAgain = (): void => undefined; // the store is unavailable; at the latest, the end of the time stops the flow
  // By the time that is left, not by the end of the last renewal: with a slow store, the renewal itself takes a part of it.
  const untilDue = (): number => Math.max(lease.leftMs() - (leaseMs * 2) / 3, leaseMs / 30);
  await repeat(pause, done, untilDue, renew, tryAgain);
}

const leaseOver = (run: string): Failure =>
  flowStopped(
    "lost",
    run,
    {
      en: `the lease of the run ${run} is over and could not be renewed; the run goes on later`,
      uk: `право працювати над запуском ${run} скінчилося, і його не вдалося поновити; запуск продовжиться пізніше`,
    },
    "CONCURRENT_MODIFICATION",
  );
