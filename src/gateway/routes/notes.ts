import { z } from "zod";
import { repoPathProblem } from "../../domain/git/git-names.ts";
import { pictureType } from "../../domain/note/link-syntax.ts";
import { allTagsIn, propertiesIn } from "../../domain/note/note-properties.ts";
import { askNotes } from "../../garden/agents/notes/ask-notes.ts";
import { linksAround, listFolder, noteLines, searchGarden } from "../../garden/agents/notes/browse-notes.ts";
import {
  listNotes,
  noNote,
  noteComment,
  noteComments,
  noteHistory,
  readAttachment,
  readNote,
} from "../../garden/records/notes/read-notes.ts";
import { visibleNotes } from "../../garden/records/notes/visible-notes.ts";
import { noReader } from "../failures.ts";
import { type Route, route } from "../route.ts";
import { commitId, pageQuery, wholeNumber } from "../shapes.ts";

const notePath = z.string().refine((path) => repoPathProblem(path) === undefined, { error: "path" });
/** Set while the index is incomplete: the answer covers `done` of `total` notes. */
const reading = z.object({ done: z.int(), total: z.int() });
const pathParams = z.strictObject({ path: notePath });

const resolvedLink = z.object({
  target: z.string(),
  part: z.string(),
  kind: z.enum(["path", "name"]),
  to: z.string().optional(),
  /** First line of the part. */
  line: z.int().optional(),
});

export const noteRoutes: readonly Route[] = [
  route("GET /notes", {
    summary: { en: "readable notes, in order of path", uk: "доступні нотатки за абеткою шляхів" },
    allows: ["owner", "agent", "guest"],
    query: z.strictObject(pageQuery),
    answer: z.object({
      commit: z.string(),
      notes: z.array(z.object({ path: z.string(), oid: z.string() })),
      next: z.string().optional(),
    }),
    handle: async ({ garden, query, identity }) => listNotes(garden, await visibleNotes(garden, identity), query),
  }),
  route("GET /notes/:path{.+}", {
    summary: {
      en: "one note with its comments; with its history, and as it was at a commit of main (`at`), for the owner and agents",
      uk: "одна нотатка з коментарями; для власника й агентів — з історією і такою, як була в коміті main (`at`)",
    },
    allows: ["owner", "agent", "guest"],
    params: pathParams,
    /** `history`: number of changes, each of which git has to find; 0 for none. */
    query: z.strictObject({ at: commitId.optional(), history: wholeNumber(20, 200, 0) }),
    answer: z.object({
      path: z.string(),
      commit: z.string(),
      oid: z.string(),
      /** Absent if the file is not UTF-8. */
      text: z.string().optional(),
      bytes: z.int(),
      properties: z.array(z.object({ name: z.string(), values: z.array(z.string()) })),
      tags: z.array(z.string()),
      history: z
        .array(
          z.object({
            commit: z.string(),
            at: z.iso.datetime(),
            author: z.string(),
            subject: z.string(),
            proposal: z.string().optional(),
          }),
        )
        .optional(),
      comments: z.array(noteComment),
    }),
    async handle({ garden, params: { path }, query: { at, history }, identity }) {
      // NOT_FOUND for a hidden note, also at an older commit: a note that was moved out of a zone must not be readable in its history.
      if (!(await visibleNotes(garden, identity))(path)) throw noNote(path);
      const inside = identity.type !== "guest";
      if (!inside && at !== undefined) throw noNote(path);
      const note = await readNote(garden, path, at);
      return {
        ...note,
        properties: propertiesIn(note.text ?? ""),
        tags: allTagsIn(note.text ?? ""),
        ...(inside && history > 0 && { history: await noteHistory(garden, note, history) }),
        comments: await noteComments(garden, path),
      };
    },
  }),
  route("GET /folders", {
    summary: {
      en: "one folder of notes: its folders with their number of notes, then its notes; without `folder`: the root of the notes",
      uk: "одна тека нотаток: її теки з кількістю нотаток у кожній, тоді нотатки; без `folder` — там, де вони починаються",
    },
    allows: ["owner", "agent", "guest"],
    query: z.strictObject({ ...pageQuery, folder: notePath.optional() }),
    answer: z.object({
      commit: z.string(),
      folder: z.string(),
      notes_root: z.string(),
      notes: z.int(),
      entries: z.array(
        z.object({
          kind: z.enum(["folder", "note"]),
          path: z.string(),
          notes: z.int().optional(),
          title: z.string().optional(),
        }),
      ),
      next: z.string().optional(),
    }),
    handle: async ({ garden, query, identity }) => listFolder(garden, await visibleNotes(garden, identity), query),
  }),
  route("GET /search", {
    summary: {
      en: "full-text search over the notes in Ukrainian and English, best first, each with its best matching sentence",
      uk: "нотатки за словами в будь-якій формі, українською чи англійською; спершу найкращі, з найближчою цитатою",
    },
    allows: ["owner", "agent", "guest"],
    query: z.strictObject({ q: z.string().min(1).max(400), limit: wholeNumber(30, 100) }),
    answer: z.object({
      commit: z.string(),
      total: z.int(),
      hits: z.array(
        z.object({
          path: z.string(),
          title: z.string(),
          tags: z.array(z.string()),
          words: z.int(),
          quote: z.string(),
        }),
      ),
      reading: reading.optional(),
    }),
    handle: async ({ garden, query, identity }) => searchGarden(garden, await visibleNotes(garden, identity), query),
  }),
  route("GET /links/:path{.+}", {
    summary: {
      en: "the links and backlinks of a note, among the readable notes",
      uk: "куди ведуть посилання нотатки і які з доступних нотаток посилаються на неї",
    },
    allows: ["owner", "agent", "guest"],
    params: pathParams,
    answer: z.object({
      commit: z.string(),
      links: z.array(
        resolvedLink.extend({
          /** The text that an embed shows: the note, or its part. */
          text: z.string().optional(),
          /** The links of that text. */
          inside: z.array(resolvedLink).optional(),
        }),
      ),
      backlinks: z.array(z.object({ path: z.string(), title: z.string(), line: z.int(), text: z.string() })),
      more: z.boolean(),
      reading: reading.optional(),
    }),
    async handle({ garden, params: { path }, identity }) {
      const visible = await visibleNotes(garden, identity);
      if (!visible(path)) throw noNote(path);
      return linksAround(garden, visible, path);
    },
  }),
  route("GET /files/:path{.+}", {
    summary: {
      en: "the bytes of a file that notes may link to, at main; pictures have their media type, all others are a download",
      uk: "байти файлу, на який посилаються нотатки, у main; зображення мають свій тип, решта — завантаження",
    },
    allows: ["owner", "agent", "guest"],
    params: pathParams,
    answer: "application/octet-stream",
    async handle({ garden, params: { path }, identity }) {
      if (!(await visibleNotes(garden, identity)).file(path)) throw noNote(path);
      const file = await readAttachment(garden, path);
      const type = pictureType(path);
      return new Response(Buffer.from(file), {
        headers: {
          "Content-Type": type ?? "application/octet-stream",
          // A picture may be SVG: opened by itself it gets no script, no request and no origin.
          "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
          "X-Content-Type-Options": "nosniff",
          ...(type === undefined && { "Content-Disposition": "attachment" }),
          "Cache-Control": "private, no-cache",
        },
      });
    },
  }),
  route("GET /lines/:path{.+}", {
    summary: {
      en: "the commit, proposal and run that each line of a note came from, from line `first` on",
      uk: "з яким комітом, пропозицією і запуском з'явився кожен рядок нотатки, від рядка `first`",
    },
    allows: ["owner", "agent"],
    params: pathParams,
    query: z.strictObject({ first: wholeNumber(1, 999_999), limit: wholeNumber(500, 2000) }),
    answer: z.object({
      commit: z.string(),
      parts: z.array(
        z.object({
          first: z.int(),
          last: z.int(),
          commit: z.string(),
          at: z.iso.datetime(),
          author: z.string(),
          subject: z.string(),
          proposal: z.string().optional(),
          run: z.string().optional(),
          agent: z.string().optional(),
        }),
      ),
      next: z.int().optional(),
    }),
    async handle({ garden, params: { path }, query, identity }) {
      if (!(await visibleNotes(garden, identity))(path)) throw noNote(path);
      return noteLines(garden, path, query);
    },
  }),
  route("POST /ask", {
    summary: {
      en: "answers a question from the readable notes, with citations and their lines; with `note`, from that note alone",
      uk: "питання до доступних нотаток: відповідь їхніми словами, з цитатами й рядком кожної; з `note` — лише до неї",
    },
    allows: ["owner", "agent", "guest"],
    rate: "read",
    body: z.strictObject({ question: z.string().trim().min(1).max(2000), note: notePath.optional() }),
    answer: z.object({
      commit: z.string(),
      /** Absent if the notes hold no answer. */
      answer: z.string().optional(),
      references: z.array(
        z.object({
          citation_number: z.int(),
          source_title: z.string(),
          cited_text: z.string(),
          path: z.string().optional(),
          line: z.int().optional(),
        }),
      ),
      reading: reading.optional(),
    }),
    async handle({ garden, gateway, request, identity, body }) {
      if (!gateway.runs) throw noReader();
      return askNotes(garden, gateway.runs.reader, await visibleNotes(garden, identity), {
        ...body,
        signal: request.signal,
      });
    },
  }),
];
