import type { Endpoints } from "./endpoints.gen.ts";

export type Endpoint = keyof Endpoints;
export type AnswerOf<E extends Endpoint> = Endpoints[E]["answer"];
export type QueryOf<E extends Endpoint> = Endpoints[E]["query"];
export type BodyOf<E extends Endpoint> = Endpoints[E]["body"];

/** Parameters, query and body of a request. A part without required fields is optional. */
export type RequestOf<E extends Endpoint> = Part<"params", Endpoints[E]["params"]> &
  Part<"query", QueryOf<E>> &
  (undefined extends BodyOf<E> ? { body?: undefined } : { body: BodyOf<E> });

type Part<Name extends string, Value> =
  Partial<Value> extends Value ? { [name in Name]?: Value } : { [name in Name]: Value };

/** An error answer of the gateway, with its message in the chosen language; or no answer at all (`isOffline`). */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }

  get isOffline(): boolean {
    return this.code === "OFFLINE" || this.isUnsent;
  }

  /** The browser had no network: nothing was sent. */
  get isUnsent(): boolean {
    return this.code === "NO_NETWORK";
  }

  /** The change may have been made although there was no good answer: the answer was lost, or the gateway failed. */
  get isUnknown(): boolean {
    return (this.isOffline && !this.isUnsent) || this.status >= 500;
  }

  get isSignedOut(): boolean {
    return this.status === 401;
  }

  get hint(): string | undefined {
    const { hint } = this.details;
    return typeof hint === "string" ? hint : undefined;
  }
}

let language = "uk";
/** Sets the language of the gateway's messages. */
export const setRequestLanguage = (now: string): void => {
  language = now;
};

/**
 * Sends one request; throws an `ApiError` for an error answer or none. `X-Requested-With` shows that our own script sent it (the cookie
 * alone is not enough for a change); `correlation` is the idempotency key of a submission.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E> & { readonly signal?: AbortSignal; readonly correlation?: string },
): Promise<AnswerOf<E>> {
  const [method, template] = endpoint.split(" ") as [string, string];
  const {
    params = {},
    query = {},
    body,
    signal,
    correlation,
  } = request as {
    params?: Record<string, string>;
    query?: Record<string, string | undefined>;
    body?: unknown;
    signal?: AbortSignal;
    correlation?: string;
  };
  const hadNetwork = navigator.onLine;
  const limit = AbortSignal.timeout(ANSWER_MS);
  const search = new URLSearchParams({ lang: language });
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value);
  const answer = await fetch(`${filled(template, params)}?${search}`, {
    method,
    credentials: "same-origin",
    headers: {
      Accept: "application/json",
      "X-Requested-With": "garden-bloom",
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(correlation !== undefined && { "X-Correlation-Id": correlation }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, hadNetwork ? "OFFLINE" : "NO_NETWORK", "");
  });
  if (!answer.ok) throw await apiErrorIn(answer);
  try {
    return (await answer.json()) as AnswerOf<E>;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, "OFFLINE", ""); // the connection broke in the middle of the answer
  }
}

/** Time limit of a request. */
const ANSWER_MS = 120_000;

/** Keeps the slashes of a note's path: the gateway takes the rest of the address as the path. */
const filled = (template: string, params: Readonly<Record<string, string>>): string =>
  template.replaceAll(/:(\w+)/g, (_, name: string) =>
    (params[name] ?? "").split("/").map(encodeURIComponent).join("/"),
  );

async function apiErrorIn(answer: Response): Promise<ApiError> {
  const body = (await answer.json().catch(() => undefined)) as
    | { error?: { code?: string; message?: string; details?: Record<string, unknown> } }
    | undefined;
  const { code = "INTERNAL_ERROR", message = `${answer.status}`, details } = body?.error ?? {};
  return new ApiError(answer.status, code, message, details);
}
