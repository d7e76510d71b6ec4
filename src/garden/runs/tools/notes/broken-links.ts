import type { Json } from "../../../../base/canonical.ts";
import { didYouMean } from "../../../../base/did-you-mean.ts";
import { leadsTo, linkFrom, linksIn, type NoteLink, withLinks } from "../../../../domain/note/note-links.ts";
import { isInFolder } from "../../../../domain/note/note-name.ts";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { fileTitle, readNoteFacts } from "../../../agents/search/note-facts.ts";
import { textOf } from "../../../changes/effect/note-target.ts";
import { MAX_RESULT_TEXT } from "../bound-text.ts";
import { folderField } from "../input-fields.ts";
import { gardenTool, type ToolContext } from "../tool.ts";
import { folderPath, notesForAgent, slugOfNote } from "./note-names.ts";

const MOST_OPTIONS = 5;

/**
 * Notes with broken links. If a link can only mean one note, `content` has the note's text with that link repaired, so that a
 * procedure can propose it without a model. `content` is null for a note that is too long for a result.
 */
export const brokenLinksTool = gardenTool({
  name: "broken-links",
  description: {
    en: "Notes whose links lead nowhere: slug, path, title; content: the whole note with the links mended that can only mean one note (null if there is none); mended and unclear: lists of {line, text, target, options}.",
    uk: "Нотатки, посилання яких нікуди не ведуть: slug, path, title; content: уся нотатка, де полагоджено посилання, що можуть означати лише одну нотатку (null, якщо таких немає); mended і unclear: списки {line, text, target, options}.",
  },
  input: group({ folder: folderField.nullish() }),
  idempotent: true,
  async call(asked, context) {
    const { garden, commit, contract } = context;
    const { notes_root: root } = garden.config;
    const within = asked.folder ? folderPath(asked.folder, root) : undefined;
    const there = new Set((await garden.repo.list(commit, "")).map(({ path }) => path.normalize("NFC")));
    const seen = (await notesForAgent(context)).map(({ path }) => path);
    const candidates = await titled(context, seen);
    const found: Json[] = [];
    for (const path of seen) {
      if (within !== undefined && !isInFolder(path, within)) continue;
      const text = textOf((await garden.repo.read(commit, path))?.bytes ?? new Uint8Array());
      const broken = text === undefined ? undefined : brokenLinksOf(path, text, there, candidates, root);
      if (broken) found.push({ slug: slugOfNote(path, root), path, title: titleOf(candidates, path), ...broken });
      if (found.length === contract.context.max_sources) break;
    }
    return found;
  },
});

type Candidates = ReadonlyMap<string, string>;

const titleOf = (candidates: Candidates, path: string): string => candidates.get(path) ?? fileTitle(path);

/** Possible targets: the notes that the agent may see, with their titles. */
async function titled({ garden, commit }: ToolContext, paths: readonly string[]): Promise<Candidates> {
  const found = new Map<string, string>();
  for (const path of paths) found.set(path, (await readNoteFacts(garden.repo, commit, path)).title);
  return found;
}

function brokenLinksOf(
  path: string,
  text: string,
  there: ReadonlySet<string>,
  candidates: Candidates,
  root: string,
): { content: string | null; mended: Json[]; unclear: Json[] } | undefined {
  const broken = linksIn(text)
    .filter((link) => !leadsSomewhere(path, link, there, candidates))
    .map((link) => ({ link, options: optionsFor(path, link, candidates) }));
  if (broken.length === 0) return undefined;
  const clear = new Map(
    broken.filter(({ options }) => options.length === 1).map(({ link, options }) => [keyOf(link), options[0]!]),
  );
  const content = withLinks(text, (link) => {
    const to = clear.get(keyOf(link));
    return to === undefined ? undefined : link.kind === "path" ? linkFrom(path, to) : fileTitle(to);
  });
  const whole = clear.size > 0 && content.length <= MAX_RESULT_TEXT;
  const linkResult = ({ link: { line, text: shown, target }, options }: (typeof broken)[0]): Json => ({
    line,
    text: shown,
    target,
    options: options.map((option) => slugOfNote(option, root)),
  });
  return {
    content: whole ? content : null,
    mended: whole ? broken.filter(({ options }) => options.length === 1).map(linkResult) : [],
    unclear: broken.filter(({ options }) => !whole || options.length !== 1).map(linkResult),
  };
}

const keyOf = ({ line, target, kind }: NoteLink): string => `${line} ${kind} ${target}`;

function leadsSomewhere(note: string, link: NoteLink, there: ReadonlySet<string>, candidates: Candidates): boolean {
  if (link.kind === "name") return byName(link.target, candidates).length > 0;
  const path = leadsTo(note, link.target);
  if (path === undefined) return false;
  const bare = path.replace(/\/$/, "");
  return there.has(bare) || there.has(`${bare}.md`) || [...there].some((file) => file.startsWith(`${bare}/`));
}

/** Notes with that file name or title; else with the link's text as title; else with a similar name. */
function optionsFor(note: string, link: NoteLink, candidates: Candidates): string[] {
  const name = fileTitle(link.kind === "path" ? (leadsTo(note, link.target) ?? link.target) : link.target);
  const found = [byName(name, candidates), byName(link.text, candidates), nearly(name, candidates)].find((some) =>
    some.some((path) => path !== note),
  );
  return (found ?? []).filter((path) => path !== note).slice(0, MOST_OPTIONS);
}

function byName(written: string, candidates: Candidates): string[] {
  const wanted = plain(written);
  return [...candidates]
    .filter(([path, title]) => [fileTitle(path), title, path].some((each) => plain(each) === wanted))
    .map(([path]) => path);
}

function nearly(name: string, candidates: Candidates): string[] {
  const near = didYouMean(
    plain(name),
    [...candidates.keys()].map((path) => plain(fileTitle(path))),
  );
  return near === undefined ? [] : byName(near, candidates);
}

const plain = (text: string): string => text.normalize("NFC").trim().toLowerCase();
