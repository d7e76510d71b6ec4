import { asFailure, Failure, type FailureCode } from "../../base/failure.ts";

/**
 * Whatever a model's library threw, as one of ours. What the provider said is cut short; what was sent never gets into it,
 * neither prompt nor header.
 */
export function modelFailure(thrown: unknown, model: string): Failure {
  const ours = failureIn(thrown);
  if (ours) return ours;
  const { status, said, retryable } = told(thrown);
  if (status === undefined && !retryable) return asFailure(thrown);
  const code = codeFor(status, retryable);
  const at = status === undefined ? "" : ` (HTTP ${status})`;
  return new Failure(
    code,
    {
      en: `the model ${model} did not answer${at}: ${said}`,
      uk: `модель ${model} не відповіла${at}: ${said}`,
    },
    { details: { model, ...(status !== undefined && { status }) } },
  );
}

/** A refused host and the like come wrapped in the errors of whoever asked. */
function failureIn(thrown: unknown): Failure | undefined {
  for (let each: unknown = thrown, depth = 0; each instanceof Error && depth < 10; each = each.cause, depth++) {
    if (each instanceof Failure) return each;
  }
  return undefined;
}

interface Told {
  readonly status: number | undefined;
  readonly said: string;
  readonly retryable: boolean;
}

/** By its members and not by its class: two versions of one library have two classes of one name. */
function told(thrown: unknown): Told {
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
