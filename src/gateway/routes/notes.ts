import { z } from "zod";
import { repoPathProblem } from "../../domain/git-names.ts";
import { visibleNotes } from "../../garden/access/visible-notes.ts";
import { listNotes, noNote, noteComment, noteComments, noteHistory, readNote } from "../../garden/read-notes.ts";
import { route } from "../route.ts";
import { commitId, number, page } from "../shapes.ts";

export const notesRoute = route({
  method: "GET",
  path: "/notes",
  summary: { en: "notes that one may read, in order of path", uk: "доступні нотатки за абеткою шляхів" },
  allows: ["owner", "agent", "guest"],
  rate: "read",
  query: z.strictObject(page),
  answer: z.object({
    commit: z.string(),
    notes: z.array(z.object({ path: z.string(), oid: z.string() })),
    next: z.string().optional(),
  }),
  handle: async ({ garden, query, identity }) => listNotes(garden, await visibleNotes(garden, identity), query),
});

export const noteRoute = route({
  method: "GET",
  path: "/notes/:path{.+}",
  summary: {
    en: "one note with its comments; with its history, and as it was at a commit of main (`at`), for the owner and agents",
    uk: "одна нотатка з коментарями; для власника й агентів — з історією і такою, як була в коміті main (`at`)",
  },
  allows: ["owner", "agent", "guest"],
  rate: "read",
  params: z.strictObject({ path: z.string().refine((path) => repoPathProblem(path) === undefined, { error: "path" }) }),
  query: z.strictObject({ at: commitId.optional(), history: number(20, 200) }),
  answer: z.object({
    path: z.string(),
    commit: z.string(),
    oid: z.string(),
    /** Absent for what is not text in UTF-8. */
    text: z.string().optional(),
    bytes: z.int(),
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
    // What one may not see is not there, and neither is its past: a note taken out of a zone leaves no trace in it.
    if (!(await visibleNotes(garden, identity))(path)) throw noNote(path);
    const inside = identity.type !== "guest";
    if (!inside && at !== undefined) throw noNote(path);
    const note = await readNote(garden, path, at);
    return {
      ...note,
      ...(inside && { history: await noteHistory(garden, note, history) }),
      comments: await noteComments(garden, path),
    };
  },
});
