import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Concluded } from "./conclude.ts";

/** A caller that waits for a proposal to be applied. */
export interface ApplyCall {
  readonly id: string;
  readonly by: string;
  /** True to try a proposal again that failed before. */
  readonly retry: boolean;
  /** The number of attempts when the call was first seen: only a failure after that is its answer. */
  attempts?: number;
  /** Must not share a round: a round with it was refused. */
  alone: boolean;
  rounds: number;
  done(proposal: Proposal): void;
  failed(error: unknown): void;
}

/** Runs one call's part of a round: an error fails this call only. */
export async function guarded(
  call: ApplyCall,
  again: ApplyCall[],
  work: () => Promise<Concluded | undefined | void>,
): Promise<void> {
  try {
    const concluded = await work();
    if (concluded?.kind === "over") call.done(concluded.proposal);
    else if (concluded?.kind === "again") again.push(call);
  } catch (error) {
    call.failed(error);
  }
}
