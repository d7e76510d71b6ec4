import type { Failure } from "../base/failure.ts";

/** The language models that contracts name, as far as they can be checked without a run. */
export interface Models {
  /** Why this model cannot be asked: an unknown id, no address, no key. Makes no call. Undefined: nothing is missing. */
  trouble(id: string): Failure | undefined;
  /** Makes one short call. Throws the failure that a run would end with. */
  test(id: string): Promise<ModelAnswer>;
}

export interface ModelAnswer {
  readonly ms: number;
  /** The beginning of its answer; may be empty. */
  readonly text: string;
}
