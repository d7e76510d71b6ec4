import type { Endpoints } from "./endpoints.gen.ts";

export type Endpoint = keyof Endpoints;
export type AnswerOf<E extends Endpoint> = Endpoints[E]["answer"];
export type QueryOf<E extends Endpoint> = Endpoints[E]["query"];
export type BodyOf<E extends Endpoint> = Endpoints[E]["body"];

/** What an endpoint needs to be told: a part that asks for nothing may be left out. */
export type Asked<E extends Endpoint> = Part<"params", Endpoints[E]["params"]> &
  Part<"query", QueryOf<E>> &
  (undefined extends BodyOf<E> ? { body?: undefined } : { body: BodyOf<E> });

type Part<Name extends string, Value> =
  Partial<Value> extends Value ? { [name in Name]?: Value } : { [name in Name]: Value };

/** A refusal in the gateway's words, in the reader's language. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }

  /** Nobody answered. */
  get isOffline(): boolean {
    return this.code === "OFFLINE" || this.isUnsent;
  }

  /** The browser itself had no network: nothing left it. */
  get isUnsent(): boolean {
    return this.code === "NO_NETWORK";
  }

  /** A change that was sent may have happened all the same: the answer was lost, or what gave it broke. */
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
/** The language in which the gateway says what it says. */
export const speak = (now: string): void => {
  language = now;
};

/**
 * One request to the gateway, by the name of its endpoint. `X-Requested-With` shows that a script of ours sent it (the cookie alone
 * is not enough for a change); `correlation` makes a repeated submission the same one.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  asked: Asked<E> & { readonly signal?: AbortSignal; readonly correlation?: string },
): Promise<AnswerOf<E>> {
  const [method, template] = endpoint.split(" ") as [string, string];
  const {
    params = {},
    query = {},
    body,
    signal,
    correlation,
  } = asked as {
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
    throw new Refusal(0, hadNetwork ? "OFFLINE" : "NO_NETWORK", "");
  });
  if (!answer.ok) throw await refusalIn(answer);
  try {
    return (await answer.json()) as AnswerOf<E>;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal(0, "OFFLINE", ""); // the server went away in the middle of its answer
  }
}

/** Who says nothing for so long is not waited for. */
const ANSWER_MS = 120_000;

/** Slashes of a note's path stay: the gateway takes the rest of the address as the path. */
const filled = (template: string, params: Readonly<Record<string, string>>): string =>
  template.replaceAll(/:(\w+)/g, (_, name: string) =>
    (params[name] ?? "").split("/").map(encodeURIComponent).join("/"),
  );

async function refusalIn(answer: Response): Promise<Refusal> {
  const told = (await answer.json().catch(() => undefined)) as
    | { error?: { code?: string; message?: string; details?: Record<string, unknown> } }
    | undefined;
  const { code = "INTERNAL_ERROR", message = `${answer.status}`, details } = told?.error ?? {};
  return new Refusal(answer.status, code, message, details);
}
