import { ActEnded } from "./act-ended.ts";
import { abortedBy } from "./failures.ts";

/** Throws as soon as the act is aborted; a later result of `work` is dropped. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new ActEnded("aborted", abortedBy(signal)));
    signal.addEventListener("abort", onAbort);
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
