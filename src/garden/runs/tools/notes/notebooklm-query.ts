import { z } from "zod";
import { blobId, type Json } from "../../../../base/canonical.ts";
import { Failure, isFailure } from "../../../../base/failure.ts";
import { differInValue } from "../../../../domain/search/differing-values.ts";
import { group } from "../../../../domain/text/checked-yaml.ts";
import {
  READER_LIMIT_MS,
  type ReaderAnswer,
  type ReaderQuestion,
  type ReadingSource,
} from "../../../../ports/reader.ts";
import { rankNotes } from "../../../agents/search/find-notes.ts";
import { noteIndex } from "../../../agents/search/note-index.ts";
import { textOf } from "../../../changes/effect/note-target.ts";
import { oneAtATime } from "../../../changes/inbox/one-at-a-time.ts";
import { excludedAt } from "../../../records/notes/vault-settings-at.ts";
import { boundText } from "../bound-text.ts";
import { type TextInput, textInput, textOfInput } from "../text-input.ts";
import { gardenTool, type ToolContext } from "../tool.ts";
import { allSources, findSource } from "./agent-sources.ts";
import { agentSight, findNote, notesForAgent } from "./note-names.ts";

/** the reader's limit of 45 s, plus the wait for the query before this one. */
const LIMIT_MS = 2 * READER_LIMIT_MS;
const MOST_REFERENCES = 50;
const MAX_CITED = 2000;
const MAX_NAME = 500;

const source = z.union([textInput, z.array(textInput).max(100)], "source");

/** The result has the shape of the NotebookLM proxy for every reader, `{answer, references}`, and the first conflict among them. */
export const notebooklmQueryTool = gardenTool({
  name: "notebooklm-query",
  description: {
    en: "Ask the sources: an answer with citations and nothing that they do not say; no references if they do not answer. conflict: {first, second}, two references of different sources that give different values; null if there are none. source: the text (or the name of a source or note) that the question is about; without it, the agent's sources and notes.",
    uk: "Запитай джерела: відповідь із цитатами й нічого, чого в них немає; без references, якщо відповіді там немає. conflict: {first, second} — дві цитати різних джерел із різними значеннями; null, якщо таких немає. source: текст (або назва джерела чи нотатки), про який питання; без нього — джерела агента й нотатки.",
  },
  input: group({
    question: z.string("question").min(1, "question").max(20_000, "question"),
    source: source.nullish(),
    sources: source.nullish(),
    system_prompt: z.string("question").max(20_000, "question").optional(),
  }),
  idempotent: true,
  limitMs: LIMIT_MS,
  async call({ question, source: one, sources, system_prompt }, context, { signal }) {
    const given = one ?? sources;
    const about = given === null || given === undefined ? undefined : await givenSources(context, given);
    return oneAtATime(context.garden.store, `reader ${context.slug}`, async () => {
      signal.throwIfAborted();
      const answer = await askReader(context, {
        question,
        ...(system_prompt !== undefined && { system_prompt }),
        ...(context.contract.context.notebook_id !== undefined && {
          notebook_id: context.contract.context.notebook_id,
        }),
        ...(about && { about }),
        sources: about ?? (await ownSources(context, question)),
        signal,
      });
      return toResult(answer, context);
    });
  },
});

/** Asks the reader. Throws NLM_UNAVAILABLE, which stops the run, if the reader fails or does not answer within its limit. */
async function askReader({ reader }: ToolContext, question: ReaderQuestion): Promise<ReaderAnswer> {
  const limit = AbortSignal.timeout(READER_LIMIT_MS);
  const signal = AbortSignal.any([question.signal, limit]);
  signal.throwIfAborted(); // an abort in the past sends no event
  const gaveUp = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  try {
    return await Promise.race([reader.ask({ ...question, signal }), gaveUp]);
  } catch (error) {
    if (question.signal.aborted) throw question.signal.reason;
    if (isFailure(error)) throw error;
    throw unavailable(reader.name, limit.aborted, error);
  }
}

async function ownSources(context: ToolContext, question: string): Promise<ReadingSource[]> {
  const { garden, commit, contract } = context;
  const { paths } = await rankNotes(noteIndex(garden), commit, agentSight(context), {
    question,
    most: contract.context.max_sources,
    isExcluded: await excludedAt(garden, commit),
  });
  const notes: ReadingSource[] = [];
  for (const path of paths) {
    const note = await noteText(context, path);
    if (note) notes.push(note);
  }
  return [...(await allSources(context)), ...notes];
}

async function givenSources(context: ToolContext, given: TextInput | readonly TextInput[]): Promise<ReadingSource[]> {
  const list = Array.isArray(given) ? (given as readonly TextInput[]) : [given as TextInput];
  return Promise.all(list.map((one, index) => givenSource(context, one, list.length > 1 ? index + 1 : undefined)));
}

/** A source or note of that name, else the text itself. Its title is the path of the note with the same bytes, if there is one. */
async function givenSource(context: ToolContext, given: TextInput, number: number | undefined): Promise<ReadingSource> {
  const text = textOfInput(given);
  if (text.length <= MAX_NAME && !text.includes("\n")) {
    const named = await findSource(context, text);
    if (named) return named;
    const note = await findNote(context, text);
    const read = note.kind === "note" ? await noteText(context, note.path) : undefined;
    if (read) return read;
  }
  const oid = blobId(Buffer.from(text));
  const same = (await notesForAgent(context)).find((note) => note.oid === oid);
  const unnamed = context.language === "en" ? "given text" : "наданий текст";
  return { title: same?.path ?? (number === undefined ? unnamed : `${unnamed} ${number}`), text };
}

async function noteText({ garden, commit }: ToolContext, path: string): Promise<ReadingSource | undefined> {
  const text = textOf((await garden.repo.read(commit, path))?.bytes ?? new Uint8Array());
  return text === undefined ? undefined : { title: path, text };
}

function toResult({ answer, references }: ReaderAnswer, { language }: ToolContext): Json {
  const cited = references.slice(0, MOST_REFERENCES).map(({ citation_number, source_title, cited_text }) => ({
    citation_number,
    source_title,
    cited_text: boundText(cited_text, language, MAX_CITED),
  }));
  const [first, ...others] = cited;
  const second = others.find(
    ({ source_title, cited_text }) =>
      source_title !== first!.source_title && differInValue(first!.cited_text, cited_text),
  );
  return {
    answer: boundText(answer, language),
    references: cited,
    conflict: second === undefined ? null : { first: first!, second },
  };
}

const unavailable = (reader: string, late: boolean, cause: unknown): Failure =>
  new Failure("NLM_UNAVAILABLE", {
    ...(late
      ? {
          en: `the reader (${reader}) gave no answer within ${READER_LIMIT_MS / 1000} s`,
          uk: `читач (${reader}) не відповів за ${READER_LIMIT_MS / 1000} с`,
        }
      : { en: `the reader (${reader}) failed`, uk: `читач (${reader}) не зміг відповісти` }),
    details: { reader },
    cause,
  });
