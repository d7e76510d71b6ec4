import type { Failure } from "../../base/failure.ts";
import { flowStopped } from "../core/flow/decision-needed.ts";
import type { Lease } from "../core/flow/lease.ts";
import { afterPause, type Pause, repeat } from "../core/flow/pause.ts";

/**
 * Renews the lease until `done`, and calls `onRenewed` after each renewal. Aborts `stop` if another process holds the lease, and at the
 * latest when it is over by this process's clock: a request that the store retries may take longer than a lease lasts.
 */
export async function keepLease(
  { pause, leaseMs }: { readonly pause: Pause; readonly leaseMs: number },
  run: string,
  lease: Lease,
  stop: AbortController,
  done: AbortSignal,
  onRenewed: () => Promise<void>,
): Promise<void> {
  const giveUp = (): void => stop.abort(takenOver(run));
  let inTime = afterPause(pause, lease.leftMs(), giveUp);
  done.addEventListener("abort", () => inTime(), { once: true });
  let following: Promise<void> | undefined;
  const renew = async (): Promise<void> => {
    if ((await lease.renew()) === "lost") return giveUp();
    inTime();
    if (done.aborted) return;
    inTime = afterPause(pause, lease.leftMs(), giveUp);
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

export const takenOver = (run: string): Failure =>
  flowStopped(
    "lost",
    run,
    { en: `another process has taken over the run ${run}`, uk: `запуск ${run} перебрав інший процес` },
    "CONCURRENT_MODIFICATION",
  );
