/** The place of a proposal in the queue. */
export interface ChangePlace {
  readonly at: number;
  readonly of: number;
  readonly isWhole: boolean;
}

/** The proposals before and after it in the queue. */
export interface Neighbours {
  readonly next: string | undefined;
  readonly previous: string | undefined;
}
