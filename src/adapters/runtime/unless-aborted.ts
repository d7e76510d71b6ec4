import { ActEnded } from "./act-ended.ts";
import { abortedBy } from "./failures.ts";

/** Throws as soon as the act is aborted; a later result of `work` is dropped. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(new ActEnded("aborted", abortedBy(signal)));
  signal.addEventListener("abort", onAbort, { once: true });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
