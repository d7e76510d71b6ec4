import type { Text } from "../../../base/text.ts";

/** The eight checks of source 001 §7, in its order, and those that a diagram adds (L-8, D-6). */
export const gateChecks = [
  "exists",
  "front-matter",
  "slug",
  "tools",
  "safe-outputs",
  "model",
  "safe-output-tool",
  "body",
  "diagram",
  "reachable",
  "loops",
  "tools-used",
  "outputs-used",
  "steps",
  "drift",
] as const;

/** One row of the activation checks. Only `fail` prevents activation. */
export interface GateCheck {
  readonly id: (typeof gateChecks)[number];
  readonly title: Text;
  readonly result: "pass" | "warning" | "fail" | "skipped";
  readonly words: Text;
}
