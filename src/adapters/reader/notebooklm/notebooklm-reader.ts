import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { isFailure } from "../../../base/failure.ts";
import type { Egress } from "../../../ports/egress.ts";
import {
  READER_LIMIT_MS,
  type Reader,
  type ReaderAnswer,
  type ReaderQuestion,
  type ReadingSource,
} from "../../../ports/reader.ts";
import {
  ANSWER_TOO_LARGE,
  answerTooSlow,
  NO_NOTEBOOK,
  NOT_AN_ANSWER,
  proxyRefused,
  proxyUnreachable,
  readerUnavailable,
} from "./failures.ts";

export interface NotebooklmSettings {
  /** Base URL of the proxy: `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Bearer token, from the environment; never stored. */
  readonly key?: string | undefined;
  readonly egress: Egress;
  /** Limit for one question, retries included. */
  readonly limitMs?: number;
  /** Pauses between retries. */
  readonly pausesMs?: readonly number[];
}

const PAUSES_MS = [1000, 2000, 4000];
/** HTTP statuses that are retried. */
const RETRIED: ReadonlySet<number> = new Set([429, 503]);

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Limit of NotebookLM for one question. */
const MAX_ABOUT = 30_000;
const MAX_REASON = 300;

const answered = z.object({
  answer: z.string(),
  references: z
    .array(
      z.object({
        citation_number: z.int().nonnegative(),
        source_title: z.string().nullish(),
        cited_text: z.string().nullish(),
      }),
    )
    .nullish(),
});

/** The proxy's error shape, and FastAPI's for errors in the proxy itself. */
const refusal = z.union([
  z.object({ error: z.object({ code: z.string().optional(), message: z.string() }) }),
  z.object({ detail: z.string() }),
]);

/**
 * The NotebookLM proxy: `POST /v1/notebooks/{id}/chat`. Every error (no answer, a slow one, 4xx, 5xx, an unreadable one) becomes
 * NLM_UNAVAILABLE with the reason, within `limitMs`. Only 429 and 503 are retried, if the pause fits into the limit. A host that is
 * not on the allow-list stays FORBIDDEN: nothing was sent.
 */
export function notebooklmReader({
  url,
  key,
  egress,
  limitMs = READER_LIMIT_MS,
  pausesMs = PAUSES_MS,
}: NotebooklmSettings): Reader {
  const base = url.replace(/\/+$/, "");
  const headers = { accept: "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  const fetched = async (path: string, init: RequestInit, signal: AbortSignal): Promise<Fetched> => {
    const response = await egress.fetch(`${base}${path}`, {
      ...init,
      headers: { ...headers, ...init.headers },
      signal,
    });
    const { status } = response;
    const after = Number(response.headers.get("retry-after") ?? 0) * 1000;
    return { status, body: await bodyOf(response), afterMs: Number.isFinite(after) ? after : 0 };
  };
  return {
    name: "notebooklm",
    async ask(question) {
      if (question.notebook_id === undefined) throw readerUnavailable(NO_NOTEBOOK);
      const limit = AbortSignal.timeout(limitMs);
      const signal = AbortSignal.any([question.signal, limit]);
      try {
        const path = `/v1/notebooks/${encodeURIComponent(question.notebook_id)}/chat`;
        const init = {
          method: "POST",
          body: JSON.stringify(requestOf(question)),
          headers: { "content-type": "application/json" },
        };
        const end = performance.now() + limitMs;
        for (let tries = 0; ; tries++) {
          const { status, body, afterMs } = await fetched(path, init, signal);
          if (status >= 200 && status < 300) return answerIn(body);
          const pauseMs = Math.max(pausesMs[tries] ?? Number.POSITIVE_INFINITY, afterMs);
          if (!RETRIED.has(status) || performance.now() + pauseMs >= end) refuse(status, body);
          await setTimeout(pauseMs, undefined, { signal });
        }
      } catch (error) {
        if (question.signal.aborted) throw question.signal.reason;
        if (isFailure(error, "NLM_UNAVAILABLE") || isFailure(error, "FORBIDDEN")) throw error;
        throw limit.aborted
          ? readerUnavailable(answerTooSlow(limitMs), { late: true })
          : readerUnavailable(proxyUnreachable(error), {}, error);
      }
    },
    async health() {
      try {
        const { status } = await fetched("/health", {}, AbortSignal.timeout(HEALTH_LIMIT_MS));
        return { ok: status >= 200 && status < 300, place: base };
      } catch {
        return { ok: false, place: base };
      }
    },
  };
}

interface Fetched {
  readonly status: number;
  readonly body: string;
  /** From the `Retry-After` header. */
  readonly afterMs: number;
}

const HEALTH_LIMIT_MS = 3000;

function requestOf({ question, system_prompt, about = [] }: ReaderQuestion): Record<string, unknown> {
  return {
    question:
      about.length === 0
        ? question
        : `${question}\n\n${about.map(enclosed).join("\n\n").slice(0, MAX_ABOUT).toWellFormed()}`,
    ...(system_prompt !== undefined && { system_prompt }),
    show_sources: true,
  };
}

/** A text that the question is about, delimited from the question. */
const enclosed = ({ title, text }: ReadingSource): string => `--- ${title.replaceAll(/\s+/g, " ")} ---\n${text}\n---`;

function answerIn(body: string): ReaderAnswer {
  const read = answered.safeParse(jsonOf(body)).data;
  if (!read) throw readerUnavailable(NOT_AN_ANSWER, { body: short(body) });
  return {
    answer: read.answer,
    references: (read.references ?? []).map(({ citation_number, source_title, cited_text }) => ({
      citation_number,
      source_title: source_title ?? "",
      cited_text: cited_text ?? "",
    })),
  };
}

function refuse(status: number, body: string): never {
  const read = refusal.safeParse(jsonOf(body)).data;
  const [code, message] = read
    ? "error" in read
      ? [read.error.code, read.error.message]
      : [undefined, read.detail]
    : [undefined, short(body)];
  throw readerUnavailable(proxyRefused(status, code, short(message)), { status, ...(code !== undefined && { code }) });
}

/** The body as text. Throws beyond `MAX_ANSWER_BYTES`. */
async function bodyOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw readerUnavailable(ANSWER_TOO_LARGE, { limit: MAX_ANSWER_BYTES });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const short = (text: string): string => text.replaceAll(/\s+/g, " ").trim().slice(0, MAX_REASON).toWellFormed();
