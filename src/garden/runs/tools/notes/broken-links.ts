import type { Json } from "../../../../base/canonical.ts";
import type { Oid } from "../../../../domain/git/git-names.ts";
import { decodedPart } from "../../../../domain/note/link-syntax.ts";
import {
  fileNameKey,
  type LinkTargets,
  linkTargets,
  namesMeant,
  resolveLink,
  targetFor,
} from "../../../../domain/note/link-target.ts";
import { linksIn, type NoteLink, withLinks } from "../../../../domain/note/note-links.ts";
import { isInFolder } from "../../../../domain/note/note-name.ts";
import type { VaultSettings } from "../../../../domain/note/vault-settings.ts";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { type LeftFile, leftFiles } from "../../../agents/search/left-files.ts";
import { fileTitle } from "../../../agents/search/note-facts.ts";
import { readNoteText } from "../../../agents/search/note-text.ts";
import { vaultSettingsAt } from "../../../records/notes/vault-settings-at.ts";
import { MAX_RESULT_TEXT } from "../bound-text.ts";
import { folderField } from "../input-fields.ts";
import { gardenTool, type ToolContext } from "../tool.ts";
import { agentSight, folderPath, notesForAgent, slugOfNote } from "./note-names.ts";

/**
 * Notes with links that led somewhere and no longer do. A link to a note that never existed is a wish, not an error, and is not
 * reported. A link is mended only where the target is certain: the garden's history shows that this link led to a file that was
 * renamed, or the link is percent-encoded where it must not be. `content` is null for a note that is too long for a result.
 */
export const brokenLinksTool = gardenTool({
  name: "broken-links",
  description: {
    en: "Notes whose links broke: slug, path, title; content: the whole note with the links mended whose new target is certain (null if there is none); mended and unclear: lists of {line, text, target, options}. Links to notes that never existed are not listed.",
    uk: "Нотатки, посилання яких зламалися: slug, path, title; content: уся нотатка, де полагоджено посилання, нова ціль яких певна (null, якщо таких немає); mended і unclear: списки {line, text, target, options}. Посилання на нотатки, яких ніколи не було, не враховано.",
  },
  input: group({ folder: folderField.nullish() }),
  idempotent: true,
  async call(asked, context) {
    const { garden, commit, contract } = context;
    const { notes_root: root } = garden.config;
    const within = asked.folder ? folderPath(asked.folder, root) : undefined;
    const vault = await vaultAt(context);
    const found: Json[] = [];
    for (const { path } of await notesForAgent(context)) {
      if (within !== undefined && !isInFolder(path, within)) continue;
      const text = await readNoteText(garden.repo, commit, path);
      const broken = await brokenLinksOf(vault, path, text);
      if (broken.length > 0)
        found.push({
          slug: slugOfNote(path, root),
          path,
          title: fileTitle(path),
          ...repaired(vault, path, text, broken),
        });
      if (found.length === contract.context.max_sources) break;
    }
    return found;
  },
});

interface VaultAt {
  readonly context: ToolContext;
  readonly targets: LinkTargets;
  readonly folders: ReadonlySet<string>;
  readonly settings: VaultSettings | undefined;
  /** Targets at older commits. */
  readonly past: Map<Oid, LinkTargets>;
}

/** A link that broke; `to` is its certain new target. */
interface BrokenLink {
  readonly link: NoteLink;
  readonly to: string | undefined;
}

async function vaultAt(context: ToolContext): Promise<VaultAt> {
  const { garden, commit } = context;
  const paths = (await garden.repo.list(commit, "")).map(({ path }) => path);
  return {
    context,
    targets: linkTargets(paths),
    folders: new Set(paths.flatMap(foldersAbove)),
    settings: await vaultSettingsAt(garden, commit),
    past: new Map(),
  };
}

async function brokenLinksOf(vault: VaultAt, path: string, text: string): Promise<BrokenLink[]> {
  const broken: BrokenLink[] = [];
  for (const link of linksIn(text)) {
    if (resolveLink(vault.targets, path, link) !== undefined || leadsToFolder(vault, path, link)) continue;
    const decoded = resolveLink(vault.targets, path, { kind: link.kind, target: decodedPart(decodedOnce(link)) });
    const fate = decoded === undefined ? await fateOf(vault, path, link) : { to: decoded };
    if (!fate) continue; // a wish
    const sees = agentSight(vault.context);
    const isTarget = fate.to !== undefined && sees.file(fate.to) && canBeWritten(link, fate.to);
    broken.push({ link, to: isTarget ? fate.to : undefined });
  }
  return broken;
}

/** In double brackets these signs end the name; a Markdown link encodes them. */
const canBeWritten = ({ kind }: NoteLink, path: string): boolean => kind === "path" || !/[#^|[\]]/.test(path);

/** A Markdown link is decoded once by the resolver. */
const decodedOnce = ({ kind, target }: NoteLink): string => (kind === "path" ? decodedPart(target) : target);

function leadsToFolder({ folders }: VaultAt, path: string, { kind, target }: NoteLink): boolean {
  if (kind === "name") return false;
  const parts: string[] = path.split("/").slice(0, -1);
  for (const part of decodedPart(target).split("/"))
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  return folders.has(parts.join("/")) || folders.has(decodedPart(target).replace(/^\/+|\/+$/g, ""));
}

/**
 * The fate of the file that this link led to: the last commit before the file left must hold the same link in the same note, leading
 * to that file. Undefined if the link never led anywhere, as far as the history tells.
 */
async function fateOf(vault: VaultAt, path: string, link: NoteLink): Promise<{ readonly to?: string } | undefined> {
  const { garden, commit } = vault.context;
  const names = new Set(namesMeant(link));
  const left = await leftFiles(garden.repo, commit);
  for (const file of left) {
    if (!names.has(fileNameKey(file.path))) continue;
    const was = left.find(({ to }) => to === path)?.path ?? path;
    if (await ledTo(vault, file, [path, was], link)) return file.to === undefined ? {} : { to: file.to };
  }
  return undefined;
}

async function ledTo(vault: VaultAt, file: LeftFile, notes: readonly string[], link: NoteLink): Promise<boolean> {
  const { repo } = vault.context.garden;
  const known = vault.past.get(file.before);
  const targets = known ?? linkTargets((await repo.list(file.before, "")).map(({ path }) => path));
  vault.past.set(file.before, targets);
  for (const note of new Set(notes)) {
    const links = linksIn(await readNoteText(repo, file.before, note));
    if (!links.some(({ kind, target }) => kind === link.kind && target === link.target)) continue;
    if (resolveLink(targets, note, link) === file.path) return true;
  }
  return false;
}

function repaired(
  { context, targets, settings }: VaultAt,
  path: string,
  text: string,
  broken: readonly BrokenLink[],
): { content: string | null; mended: Json[]; unclear: Json[] } {
  const { notes_root: root } = context.garden.config;
  const clear = new Map(broken.flatMap(({ link, to }) => (to === undefined ? [] : [[keyOf(link), to] as const])));
  const content = withLinks(text, (link) => {
    const to = clear.get(keyOf(link));
    if (to === undefined) return undefined;
    // Outside of Obsidian a Markdown link is a relative path.
    const format = settings?.newLinkFormat ?? (link.kind === "path" ? "relative" : "shortest");
    return targetFor(targets, path, to, { kind: link.kind, format });
  });
  const whole = clear.size > 0 && content.length <= MAX_RESULT_TEXT;
  const linkResult = ({ link: { line, text: shown, target }, to }: BrokenLink): Json => ({
    line,
    text: shown,
    target,
    options: to === undefined ? [] : [slugOfNote(to, root)],
  });
  return {
    content: whole ? content : null,
    mended: whole ? broken.filter(({ to }) => to !== undefined).map(linkResult) : [],
    unclear: broken.filter(({ to }) => !whole || to === undefined).map(linkResult),
  };
}

const keyOf = ({ line, target, kind }: NoteLink): string => `${line} ${kind} ${target}`;

const foldersAbove = (path: string): string[] =>
  path
    .split("/")
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join("/"));
