import { Failure } from "../../base/failure.ts";
import { verbatim } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { noteHistory as changesOf, listNotes as notesOf, readNote } from "../../garden/records/notes/read-notes.ts";
import { visibleNotes } from "../../garden/records/notes/visible-notes.ts";
import { printable } from "../printable.ts";
import { gardenPath } from "../proposals/read-text.ts";
import type { Subcommand } from "../subcommands.ts";
import { formatTime } from "../text-layout.ts";

const MOST_CHANGES = 1000;

/** Paths of all notes on main, or of those in a folder. */
export const printNotes: Subcommand["run"] = async (context, garden, [folder]) => {
  const visible = await visibleNotes(garden, commandLineOwner);
  const top = folder === undefined ? "" : `${(await gardenPath(context, garden, folder)).replace(/\/+$/, "")}/`;
  const page = await notesOf(garden, (path) => visible(path) && path.startsWith(top), { limit: Infinity });
  const notes = page.notes.map(({ path }) => path);
  return { text: verbatim(notes.map(printable).join("\n")), json: { notes }, asked: true };
};

/** A note as committed on main; uncommitted edits are not shown. */
export const showNote: Subcommand["run"] = async (context, garden, [written]) => {
  const { path, oid, text } = await readNote(garden, await gardenPath(context, garden, written!));
  if (text === undefined) {
    throw new Failure("VALIDATION_FAILED", { en: `${path} is not text in UTF-8`, uk: `${path} — не текст у UTF-8` });
  }
  return { text: verbatim(printable(text).replace(/\n$/, "")), json: { path, hash: oid, text }, asked: true };
};

/** Changes of a note, newest first, with author and proposal. */
export const printNoteHistory: Subcommand["run"] = async (context, garden, [written]) => {
  const note = await readNote(garden, await gardenPath(context, garden, written!));
  const changes = await changesOf(garden, note, MOST_CHANGES);
  const { style } = context;
  const lines = changes.map(({ commit, at, author, subject, proposal }) => {
    const who = `${style.cyan(commit.slice(0, 10))}  ${formatTime(at)}  ${printable(author)}`;
    return `${who}  ${printable(subject)}${proposal === undefined ? "" : style.dim(`  ${printable(proposal)}`)}`;
  });
  return { text: verbatim(lines.join("\n")), json: { path: note.path, history: changes }, asked: true };
};
