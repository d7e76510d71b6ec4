import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { asFailure, Failure, failureTable } from "../base/failure.ts";
import type { Language } from "../base/text.ts";
import type { Garden } from "../garden/garden.ts";
import { languageOf } from "./language.ts";

/** the one body of every error. */
export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
  readonly correlationId: string;
}

/** Answers with a failure. What broke inside is not the caller's to read; neither are paths of this machine. */
export function answerFailure(context: Context, garden: Garden, thrown: unknown): Response {
  const failure = asFailure(thrown);
  const inner = failure.code === "INTERNAL_ERROR";
  const language: Language = languageOf(context.req.raw, garden.config.language);
  const message = inner ? BROKE_INSIDE[language] : withoutPaths(failure.text[language], garden);
  const details = inner
    ? {}
    : (JSON.parse(withoutPaths(JSON.stringify(failure.details), garden)) as Record<string, unknown>);
  const body: ErrorBody = { error: { code: failure.code, message, details }, correlationId: correlationOf(context) };
  return context.json(body, failureTable[failure.code].status as ContentfulStatusCode);
}

export const noSuchPlace = (path: string): Failure =>
  new Failure(
    "NOT_FOUND",
    { en: "there is nothing at this address", uk: "за цією адресою нічого немає" },
    { details: { path } },
  );

const withoutPaths = (text: string, { dir }: Garden): string =>
  text.replaceAll(dir, "…").replaceAll(JSON.stringify(dir).slice(1, -1), "…");

/** Names one request in the answer and in logs. The caller may bring its own. */
export const correlationOf = (context: Context): string =>
  (context.get("correlationId") as string | undefined) ?? "none";

const BROKE_INSIDE = { en: "something broke inside", uk: "щось зламалося всередині" };
