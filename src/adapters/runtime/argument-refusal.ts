import type { Json } from "../../base/canonical.ts";

/** The answer to the calls after a refused one (R-5b). */
export const AFTER_REFUSAL =
  "not made, because an earlier call of this turn was refused for its arguments; correct that call first";

/** A proposal that was refused for its fields comes back as a result, not as a failure. */
export const isArgumentRefusal = (result: Json): boolean =>
  typeof result === "object" &&
  result !== null &&
  !Array.isArray(result) &&
  (result as { status?: unknown }).status === "refused" &&
  (result as { code?: unknown }).code === "VALIDATION_FAILED";
