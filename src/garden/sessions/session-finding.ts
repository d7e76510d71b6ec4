import type { Text } from "../../base/text.ts";

/** Something about sessions that is not as it should be. `repair` looks again before it changes anything, and may be repeated. */
export interface SessionFinding {
  /** A ref, or a commit. */
  readonly where: string;
  readonly what: Text;
  readonly repair?: () => Promise<void>;
}
