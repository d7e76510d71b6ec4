import type { Failure } from "../../base/failure.ts";
import type { ActStopReason } from "../../ports/runtime.ts";

/** Ends an act. The dialogue remembers it, because libraries may swallow it. */
export class ActEnded extends Error {
  readonly why: ActStopReason;
  readonly failure: Failure;
  constructor(why: ActStopReason, failure: Failure) {
    super(failure.message);
    this.why = why;
    this.failure = failure;
  }
}
