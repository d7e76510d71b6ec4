import { z } from "zod";
import { repoPathProblem } from "../../domain/git/git-names.ts";
import { findMentions } from "../../garden/agents/notes/find-mentions.ts";
import { listTags, noteGraph, notesWithTag } from "../../garden/agents/notes/map-notes.ts";
import { noNote } from "../../garden/records/notes/read-notes.ts";
import { visibleNotes } from "../../garden/records/notes/visible-notes.ts";
import { type Route, route } from "../route.ts";
import { wholeNumber } from "../shapes.ts";

const notePath = z.string().refine((path) => repoPathProblem(path) === undefined, { error: "path" });
/** Set while not all notes are read: the answer covers `done` of `total` notes. */
const reading = z.object({ done: z.int(), total: z.int() });

/** Tags, mentions and links over all readable notes. */
export const noteMapRoutes: readonly Route[] = [
  route("GET /tags", {
    summary: {
      en: "all tags of the readable notes, each with its number of notes; a tag counts the tags below it",
      uk: "усі теги доступних нотаток, кожен із кількістю нотаток; тег рахує і теги під ним",
    },
    allows: ["owner", "agent", "guest"],
    query: z.strictObject({}),
    answer: z.object({
      commit: z.string(),
      tags: z.array(z.object({ tag: z.string(), notes: z.int() })),
      reading: reading.optional(),
    }),
    handle: async ({ garden, identity }) => listTags(garden, await visibleNotes(garden, identity)),
  }),
  route("GET /tags/:tag{.+}", {
    summary: {
      en: "the readable notes with a tag or a tag below it",
      uk: "доступні нотатки з тегом або з тегом під ним",
    },
    allows: ["owner", "agent", "guest"],
    params: z.strictObject({ tag: z.string().min(1).max(200) }),
    answer: z.object({
      commit: z.string(),
      notes: z.array(z.object({ path: z.string(), title: z.string(), tags: z.array(z.string()) })),
      reading: reading.optional(),
    }),
    handle: async ({ garden, identity, params: { tag } }) =>
      notesWithTag(garden, await visibleNotes(garden, identity), tag),
  }),
  route("GET /mentions/:path{.+}", {
    summary: {
      en: "readable notes that name a note (its title or an alias) without a link to it, with line and column",
      uk: "доступні нотатки, що називають нотатку (її назву чи псевдонім) без посилання на неї, з рядком і стовпцем",
    },
    allows: ["owner", "agent", "guest"],
    params: z.strictObject({ path: notePath }),
    answer: z.object({
      commit: z.string(),
      mentions: z.array(
        z.object({
          path: z.string(),
          title: z.string(),
          line: z.int(),
          column: z.int(),
          words: z.string(),
          text: z.string(),
        }),
      ),
      more: z.boolean(),
      reading: reading.optional(),
    }),
    async handle({ garden, params: { path }, identity }) {
      const visible = await visibleNotes(garden, identity);
      if (!visible(path)) throw noNote(path);
      return findMentions(garden, visible, path);
    },
  }),
  route("GET /graph", {
    summary: {
      en: "the links between the readable notes, by their positions in `notes`; with `around`, of the notes near that one",
      uk: "посилання між доступними нотатками, за місцями в `notes`; з `around` — нотаток поблизу цієї",
    },
    allows: ["owner", "agent", "guest"],
    query: z.strictObject({ around: notePath.optional(), depth: wholeNumber(1, 4) }),
    answer: z.object({
      commit: z.string(),
      notes: z.array(z.object({ path: z.string(), title: z.string() })),
      links: z.array(z.object({ from: z.int(), to: z.int() })),
      left: z.int(),
      reading: reading.optional(),
    }),
    handle: async ({ garden, identity, query }) => noteGraph(garden, await visibleNotes(garden, identity), query),
  }),
];
