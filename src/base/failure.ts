import type { Text } from "./text.ts";

/**
 * Everything that can go wrong by design. One row per code: HTTP status, exit code of the command line, and whether a
 * retry of the same call may succeed. A new code does not compile until it has its row.
 */
export const failureTable = {
  VALIDATION_FAILED: { status: 400, exit: 2, retry: false },
  INVALID_JSON: { status: 400, exit: 2, retry: false },
  AUTH_REQUIRED: { status: 401, exit: 4, retry: false },
  TOKEN_EXPIRED: { status: 401, exit: 4, retry: false },
  FORBIDDEN: { status: 403, exit: 4, retry: false },
  NOT_FOUND: { status: 404, exit: 3, retry: false },
  INVALID_TRANSITION: { status: 409, exit: 5, retry: false },
  INVALID_AGENT_TRANSITION: { status: 409, exit: 5, retry: false },
  CONCURRENT_MODIFICATION: { status: 409, exit: 5, retry: true },
  DUPLICATE_ENTRY: { status: 409, exit: 5, retry: false },
  RATE_LIMITED: { status: 429, exit: 6, retry: true },
  INTERNAL_ERROR: { status: 500, exit: 70, retry: false },
  UPSTREAM_UNAVAILABLE: { status: 503, exit: 7, retry: true },
  // The reader retries itself, within its one time limit: a retry of the step would multiply that limit.
  NLM_UNAVAILABLE: { status: 503, exit: 7, retry: false },
  AGENT_TIMEOUT: { status: 504, exit: 8, retry: true },
} as const satisfies Record<string, { status: number; exit: number; retry: boolean }>;

export type FailureCode = keyof typeof failureTable;

/**
 * State after a failed write. `none`: it did not happen. `unknown`: the answer was lost (a dead owner process, a dropped
 * connection, a failed sync) and the write may have happened; the caller reads back and looks for its own operation id.
 */
export type WriteOutcome = "none" | "unknown";

/** The message in both languages, and everything else about the failure. */
export interface FailureInit extends Text {
  /** The next step for the person. */
  readonly hint?: Text;
  /** Facts for programs. Never a secret, never a stack. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly outcome?: WriteOutcome;
  readonly cause?: unknown;
}

/**
 * The one class that is thrown on purpose. Match by `code`: an instance that crossed a socket, a journal or a worker is
 * reconstructed on the other side.
 */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: FailureCode;
  readonly text: Text;
  readonly hint: Text | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly outcome: WriteOutcome;

  constructor(code: FailureCode, { en, uk, hint, details = {}, outcome = "none", cause }: FailureInit) {
    super(en, cause === undefined ? undefined : { cause });
    this.code = code;
    this.text = { en, uk };
    this.hint = hint;
    this.details = details;
    this.outcome = outcome;
  }
}

export const isFailure = (thrown: unknown, code?: FailureCode): thrown is Failure =>
  thrown instanceof Failure && (code === undefined || thrown.code === code);

/** A write whose answer was lost: it may have happened, so the caller reads back. */
export const isLostAnswer = (thrown: unknown): thrown is Failure => isFailure(thrown) && thrown.outcome === "unknown";

/** A failure as plain JSON, for sockets, journals and workers, without its cause. */
export interface FailureRecord {
  readonly code: FailureCode;
  readonly text: Text;
  readonly hint?: Text;
  readonly details: Readonly<Record<string, unknown>>;
  readonly outcome: WriteOutcome;
}

export const failureToRecord = (failure: Failure): FailureRecord => ({
  code: failure.code,
  text: failure.text,
  ...(failure.hint && { hint: failure.hint }),
  details: failure.details,
  outcome: failure.outcome,
});

export const failureFromRecord = (record: FailureRecord): Failure =>
  new Failure(record.code, { ...record, ...record.text });

/** Converts a thrown value: a `Failure` is returned as it is, anything else becomes INTERNAL_ERROR with the original as cause. */
export function asFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new Failure("INTERNAL_ERROR", {
    en: `internal error: ${message}`,
    uk: `внутрішня помилка: ${message}`,
    cause: thrown,
  });
}
