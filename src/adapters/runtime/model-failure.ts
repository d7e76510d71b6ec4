import { asFailure, Failure, type FailureCode } from "../../base/failure.ts";
import { MODEL_MISSING } from "../../domain/config/failures.ts";

/**
 * Converts an error of a model's library into a failure. The provider's message is shortened; neither prompt nor headers get into
 * it.
 */
export function modelFailure(thrown: unknown, model: string): Failure {
  const ours = failureIn(thrown);
  if (ours) return ours;
  const { status, said, retryable } = factsOf(thrown);
  if (status === undefined && !retryable) return asFailure(thrown);
  const isMissing = status === 404 || ((status === 400 || status === 422) && NO_SUCH_MODEL.test(said));
  const code = isMissing ? "NOT_FOUND" : codeFor(status, retryable);
  const at = status === undefined ? "" : ` (HTTP ${status})`;
  return new Failure(code, {
    en: `the model ${model} did not answer${at}: ${said}`,
    uk: `модель ${model} не відповіла${at}: ${said}`,
    ...(isMissing && {
      hint: {
        en: `${model} does not exist at its provider, or the provider's address is wrong: \`bloom model test ${model}\`.`,
        uk: `${model} немає в її постачальника, або адреса постачальника хибна: \`bloom model test ${model}\`.`,
      },
    }),
    details: { model, ...(status !== undefined && { status }), ...(isMissing && MODEL_MISSING) },
  });
}

/** Providers that answer 400 name the model: "x is not a valid model ID", "model `x` does not exist". */
const NO_SUCH_MODEL = /\bmodel\b.*\b(?:not found|not exist)\b|\b(?:unknown|invalid|no such|not a valid) model\b/is;

/** Finds a failure of ours in the chain of causes: libraries wrap errors of our fetch. */
function failureIn(thrown: unknown): Failure | undefined {
  for (let each: unknown = thrown, depth = 0; each instanceof Error && depth < 10; each = each.cause, depth++) {
    if (each instanceof Failure) return each;
  }
  return undefined;
}

interface ErrorFacts {
  readonly status: number | undefined;
  readonly said: string;
  readonly retryable: boolean;
}

/** Reads members instead of testing the class: two versions of one library have distinct classes. */
function factsOf(thrown: unknown): ErrorFacts {
  const error = (typeof thrown === "object" && thrown !== null ? thrown : {}) as Record<string, unknown>;
  const status = typeof error["statusCode"] === "number" ? error["statusCode"] : undefined;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const retryable =
    error["isRetryable"] === true || (thrown instanceof TypeError && /fetch failed|network/i.test(message));
  return { status, said: message.slice(0, 500).toWellFormed(), retryable };
}

const BY_STATUS: Readonly<Record<number, FailureCode>> = {
  401: "AUTH_REQUIRED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  408: "UPSTREAM_UNAVAILABLE",
  429: "RATE_LIMITED",
};

function codeFor(status: number | undefined, retryable: boolean): FailureCode {
  if (status === undefined || status >= 500) return "UPSTREAM_UNAVAILABLE";
  return BY_STATUS[status] ?? (retryable ? "UPSTREAM_UNAVAILABLE" : "VALIDATION_FAILED");
}
