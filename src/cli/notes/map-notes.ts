import { verbatim } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { linksAround } from "../../garden/agents/notes/browse-notes.ts";
import { findMentions } from "../../garden/agents/notes/find-mentions.ts";
import { listTags, noteGraph, notesWithTag } from "../../garden/agents/notes/map-notes.ts";
import { visibleNotes } from "../../garden/records/notes/visible-notes.ts";
import { printable } from "../printable.ts";
import { gardenPath } from "../proposals/read-text.ts";
import type { Subcommand } from "../subcommands.ts";
import { inBothLanguages, oneLine } from "../text-layout.ts";

/** Every part of the answer, although a garden served in pages answers with what is read so far. */
async function untilRead<T extends { readonly reading: unknown }>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer.reading === undefined) return answer;
  }
}

/** All tags with their numbers of notes; with TAG, the notes that have it. */
export const printTags: Subcommand["run"] = async ({ style }, garden, [tag]) => {
  const sees = await visibleNotes(garden, commandLineOwner);
  if (tag === undefined) {
    const { tags } = await untilRead(() => listTags(garden, sees));
    const lines = tags.map((each) => `#${printable(each.tag)}  ${style.dim(String(each.notes))}`);
    return { text: verbatim(lines.join("\n")), json: { tags }, asked: true };
  }
  const { notes } = await untilRead(() => notesWithTag(garden, sees, tag.replace(/^#/, "")));
  return { text: verbatim(notes.map(({ path }) => printable(path)).join("\n")), json: { notes }, asked: true };
};

/** Where a note's links lead, which notes link to it, and which name it without a link. */
export const printLinks: Subcommand["run"] = async (context, garden, [written]) => {
  const path = await gardenPath(context, garden, written!);
  const sees = await visibleNotes(garden, commandLineOwner);
  const { links, backlinks } = await untilRead(() => linksAround(garden, sees, path));
  const { mentions } = await untilRead(() => findMentions(garden, sees, path));
  const { style } = context;
  const place = (each: { readonly path: string; readonly line: number; readonly text: string }): string =>
    `  ${style.cyan(`${printable(each.path)}:${each.line}`)}  ${oneLine(each.text)}`;
  const text = inBothLanguages((language) =>
    [
      language === "en" ? "Links" : "Посилання",
      ...links.map(({ target, to }) => `  ${printable(target)} → ${to === undefined ? "?" : printable(to)}`),
      language === "en" ? "Backlinks" : "Хто посилається сюди",
      ...backlinks.map(place),
      language === "en" ? "Mentions without a link" : "Згадки без посилання",
      ...mentions.map(place),
    ].join("\n"),
  );
  return { text, json: { path, links, backlinks, mentions }, asked: true };
};

/** The links between all notes, or around one, as `from → to`. */
export const printGraph: Subcommand["run"] = async (context, garden, [written]) => {
  const around = written === undefined ? undefined : await gardenPath(context, garden, written);
  const sees = await visibleNotes(garden, commandLineOwner);
  const { notes, links } = await untilRead(() => noteGraph(garden, sees, { around, depth: 1 }));
  const lines = links.map(({ from, to }) => `${printable(notes[from]!.path)} → ${printable(notes[to]!.path)}`);
  return { text: verbatim(lines.join("\n")), json: { notes, links }, asked: true };
};
