import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { Failure, isFailure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { Egress } from "../../../ports/egress.ts";
import { type Answer, type Question, READER_LIMIT_MS, type Reader, type ReadingSource } from "../../../ports/reader.ts";

export interface NotebooklmSettings {
  /** Where the proxy is: `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Sent as a bearer token; from the environment, never stored. */
  readonly key?: string | undefined;
  readonly egress: Egress;
  /** For one question, with everything that is tried. */
  readonly limitMs?: number;
  /** Between tries, where the proxy says that it is worth one. */
  readonly pausesMs?: readonly number[];
}

const PAUSES_MS = [1000, 2000, 4000];
/** Answers that say "try again": too many questions, and not now. */
const AGAIN: ReadonlySet<number> = new Set([429, 503]);

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** NotebookLM takes no more in one question. */
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

/** The proxy's one shape of an error, and the one that FastAPI has where the proxy itself fails. */
const refusal = z.union([
  z.object({ error: z.object({ code: z.string().optional(), message: z.string() }) }),
  z.object({ detail: z.string() }),
]);

/**
 * The NotebookLM proxy: `POST /v1/notebooks/{id}/chat`. Whatever goes wrong on the way — no answer, a slow one, 4xx, 5xx, something
 * that is no answer — is NLM_UNAVAILABLE with the reason, within the one limit. Only an answer that says so is worth another try; one
 * that would come after the limit is not waited for. A host that is not on the allow-list stays FORBIDDEN: nothing was asked.
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
      if (question.notebook_id === undefined) throw unavailable(NO_NOTEBOOK);
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
          if (!AGAIN.has(status) || performance.now() + pauseMs >= end) refuse(status, body);
          await setTimeout(pauseMs, undefined, { signal });
        }
      } catch (error) {
        if (question.signal.aborted) throw question.signal.reason;
        if (isFailure(error, "NLM_UNAVAILABLE") || isFailure(error, "FORBIDDEN")) throw error;
        throw limit.aborted
          ? unavailable(tooSlow(limitMs), { late: true })
          : unavailable(noConnection(error), {}, error);
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
  /** How long the proxy asks to wait. */
  readonly afterMs: number;
}

const HEALTH_LIMIT_MS = 3000;

function requestOf({ question, system_prompt, about = [] }: Question): Record<string, unknown> {
  return {
    question:
      about.length === 0
        ? question
        : `${question}\n\n${about.map(enclosed).join("\n\n").slice(0, MAX_ABOUT).toWellFormed()}`,
    ...(system_prompt !== undefined && { system_prompt }),
    show_sources: true,
  };
}

/** A text that the question is about, told apart from the question. */
const enclosed = ({ title, text }: ReadingSource): string => `--- ${title.replaceAll(/\s+/g, " ")} ---\n${text}\n---`;

function answerIn(body: string): Answer {
  const read = answered.safeParse(jsonOf(body)).data;
  if (!read) throw unavailable(GARBAGE, { body: short(body) });
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
  throw unavailable(answeredWith(status, code, short(message)), { status, ...(code !== undefined && { code }) });
}

/** As text, up to a limit: a proxy that sends without end is cut off. */
async function bodyOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw unavailable(TOO_LARGE, { limit: MAX_ANSWER_BYTES });
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

const unavailable = (text: Text, details: Record<string, unknown> = {}, cause?: unknown): Failure =>
  new Failure("NLM_UNAVAILABLE", text, {
    hint: {
      en: "Look whether the NotebookLM proxy runs, or set `reader: { kind: local }` in garden.yaml.",
      uk: "Перевірте, чи працює проксі NotebookLM, або вкажіть `reader: { kind: local }` у garden.yaml.",
    },
    details: { reader: "notebooklm", ...details },
    ...(cause !== undefined && { cause }),
  });

const NO_NOTEBOOK: Text = {
  en: "the contract names no notebook (context.notebook_id), and NotebookLM answers from notebooks only",
  uk: "контракт не називає блокнота (context.notebook_id), а NotebookLM відповідає лише з блокнотів",
};
const GARBAGE: Text = {
  en: "NotebookLM answered with something that is no answer",
  uk: "NotebookLM відповів чимось, що не є відповіддю",
};
const TOO_LARGE: Text = {
  en: "NotebookLM sent more than an answer may have",
  uk: "NotebookLM надіслав більше, ніж може мати відповідь",
};
const tooSlow = (ms: number): Text => ({
  en: `NotebookLM gave no answer within ${ms / 1000} s`,
  uk: `NotebookLM не відповів за ${ms / 1000} с`,
});
const noConnection = (error: unknown): Text => {
  if (isFailure(error)) return { en: `NotebookLM: ${error.text.en}`, uk: `NotebookLM: ${error.text.uk}` };
  return { en: "NotebookLM cannot be reached", uk: "NotebookLM недосяжний" };
};
const answeredWith = (status: number, code: string | undefined, message: string): Text => {
  const what = [String(status), code, message].filter((part) => part !== undefined && part !== "").join(", ");
  return { en: `NotebookLM refused: ${what}`, uk: `NotebookLM відмовив: ${what}` };
};
