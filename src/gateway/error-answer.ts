import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { asFailure, Failure, failureTable } from "../base/failure.ts";
import type { Language } from "../base/text.ts";
import type { Garden } from "../garden/core/garden.ts";
import { requestLanguage } from "./language.ts";

/** the one body of every error. */
export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    /** Facts for programs; `hint` is what the reader can do about it. */
    readonly details: Readonly<Record<string, unknown>>;
  };
  readonly correlationId: string;
}

/** Answers with a failure. What broke inside is not the caller's to read; neither are paths of this machine. */
export function answerFailure(context: Context, garden: Garden, thrown: unknown): Response {
  const failure = asFailure(thrown);
  const inner = failure.code === "INTERNAL_ERROR";
  const language: Language = requestLanguage(context.req.raw, garden.config.language);
  const message = inner ? BROKE_INSIDE[language] : withoutPaths(failure.text[language], garden);
  const hint = failure.hint?.[language];
  const told = { ...failure.details, ...(hint !== undefined && { hint }) };
  const details = inner ? {} : (JSON.parse(withoutPaths(JSON.stringify(told), garden)) as Record<string, unknown>);
  const body: ErrorBody = { error: { code: failure.code, message, details }, correlationId: correlationOf(context) };
  const status = failureTable[failure.code].status;
  const wait = failure.details["retryAfterSeconds"];
  if (status === 429) context.header("Retry-After", String(typeof wait === "number" ? wait : 60));
  if (status === 401) context.header("WWW-Authenticate", 'Bearer realm="garden"');
  return context.json(body, status as ContentfulStatusCode);
}

export const unknownAddress = (path: string): Failure =>
  new Failure(
    "NOT_FOUND",
    { en: "there is nothing at this address", uk: "за цією адресою нічого немає" },
    { details: { path: path.slice(0, 200) } },
  );

export const methodNotAllowed = (method: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${method} is not possible at this address`,
    uk: `${method} за цією адресою неможливий`,
  });

/** Where the garden lies on this machine is nobody's to know. */
export const withoutPaths = (text: string, { dir }: Pick<Garden, "dir">): string =>
  text.replaceAll(dir, "…").replaceAll(JSON.stringify(dir).slice(1, -1), "…");

/** Names one request in the answer and in logs. The caller may bring its own. */
export const correlationOf = (context: Context): string =>
  (context.get("correlationId") as string | undefined) ?? "none";

const BROKE_INSIDE = { en: "something broke inside", uk: "щось зламалося всередині" };
