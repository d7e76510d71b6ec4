import type { Proposal } from "../../../domain/proposal/proposal.ts";

/** Somebody waits for a proposal to be applied. */
export interface Job {
  readonly id: string;
  readonly by: string;
  /** Whether a proposal that failed before is to be tried again. */
  readonly retry: boolean;
  /** How often it has failed when we first looked: only a failure after that is the answer. */
  attempts?: number;
  /** Not together with others: a round with it was refused. */
  alone: boolean;
  rounds: number;
  done(proposal: Proposal): void;
  failed(error: unknown): void;
}
