import { compareUtf8 } from "../base/order.ts";
import type { Oid } from "../domain/git-names.ts";
import { trailerOf } from "../domain/trailers.ts";
import type { Commit, LineOrigin } from "../ports/repo.ts";
import type { Garden } from "./garden.ts";
import { mainOf, noNote } from "./read-notes.ts";
import { type FoundNote, findNotes } from "./search/find-notes.ts";
import { linksOfNote, type NoteLinks } from "./search/link-index.ts";
import { factsOf } from "./search/note-facts.ts";

type Ground = Pick<Garden, "repo" | "config">;
type Visible = (path: string) => boolean;

/** Something in a folder of notes: a folder with how many notes lie in it at any depth, or a note. */
export interface FolderEntry {
  readonly kind: "folder" | "note";
  readonly path: string;
  readonly notes?: number;
  readonly title?: string;
}

export interface FolderPage {
  readonly commit: Oid;
  /** The folder that was looked into, without a slash at its end; "" is the top of the garden. */
  readonly folder: string;
  readonly notes_root: string;
  /** How many notes lie in it, at any depth. */
  readonly notes: number;
  readonly entries: readonly FolderEntry[];
  /** Pass as `after` for the next page. */
  readonly next: string | undefined;
}

/** What lies in one folder of notes: folders first, then notes, each in order of name. */
export async function listFolder(
  garden: Ground,
  visible: Visible,
  asked: { readonly folder?: string | undefined; readonly after?: string | undefined; readonly limit: number },
): Promise<FolderPage> {
  const { repo, config } = garden;
  const commit = await mainOf(garden);
  const root = config.notes_root === "." ? "" : config.notes_root;
  const folder = asked.folder ?? root;
  const start = folder === "" ? "" : `${folder}/`;
  const inside = (await repo.list(commit, folder)).filter(({ path }) => visible(path));
  const folders = new Map<string, number>();
  const notes: string[] = [];
  for (const { path } of inside) {
    const slash = path.indexOf("/", start.length);
    if (slash === -1) notes.push(path);
    else folders.set(path.slice(0, slash), (folders.get(path.slice(0, slash)) ?? 0) + 1);
  }
  // A mark tells apart a folder and a note, so that a page goes on where the last one ended.
  const all = [
    ...[...folders.keys()].toSorted(compareUtf8).map((path) => `1${path}`),
    ...notes.toSorted(compareUtf8).map((path) => `2${path}`),
  ];
  const { after } = asked;
  const rest = after === undefined ? all : all.filter((mark) => compareUtf8(mark, after) > 0);
  const marks = rest.slice(0, asked.limit);
  const entries = await Promise.all(
    marks.map(async (mark): Promise<FolderEntry> => {
      const path = mark.slice(1);
      if (mark.startsWith("1")) return { kind: "folder", path, notes: folders.get(path)! };
      return { kind: "note", path, title: (await factsOf(repo, commit, path)).title };
    }),
  );
  const next = rest.length > marks.length ? marks.at(-1) : undefined;
  return { commit, folder, notes_root: config.notes_root, notes: inside.length, entries, next };
}

/** Notes by their words. */
export async function searchGarden(
  { repo }: Ground,
  visible: Visible,
  asked: { readonly q: string; readonly limit: number },
): Promise<{ readonly commit: Oid; readonly total: number; readonly hits: readonly FoundNote[] }> {
  const commit = await mainOf({ repo });
  return { commit, ...(await findNotes(repo, commit, await notesAt({ repo }, commit, visible), asked.q, asked.limit)) };
}

/** Where the links of a note lead, and from where links lead to it. */
export async function linksAround(
  { repo }: Ground,
  visible: Visible,
  path: string,
): Promise<NoteLinks & { commit: Oid }> {
  const commit = await mainOf({ repo });
  if (!(await repo.read(commit, path))) throw noNote(path);
  return { commit, ...(await linksOfNote(repo, commit, await notesAt({ repo }, commit, visible), path)) };
}

/** Lines that came in together: the same commit, one after the other. */
export interface LinesOf {
  readonly first: number;
  readonly last: number;
  readonly commit: Oid;
  readonly at: string;
  readonly author: string;
  readonly subject: string;
  readonly proposal: string | undefined;
  readonly run: string | undefined;
}

/** Who wrote which lines of a note as it is now: P-11 from a line. */
export async function noteLines(
  { repo }: Ground,
  path: string,
  asked: { readonly first: number; readonly limit: number },
): Promise<{ readonly commit: Oid; readonly parts: readonly LinesOf[]; readonly next: number | undefined }> {
  const commit = await mainOf({ repo });
  if (!(await repo.read(commit, path))) throw noNote(path);
  // One more than is told says whether there are more.
  const origins = await repo.originsOfLines(commit, path, asked.first, asked.first + asked.limit);
  const told = origins.slice(0, asked.limit);
  const commits = new Map<Oid, Commit>();
  for (const oid of new Set(told.map((origin) => origin.commit))) commits.set(oid, await repo.commit(oid));
  return {
    commit,
    parts: partsOf(told, asked.first).map(({ origin, first, last }) => ({
      first,
      last,
      ...authorship(commits.get(origin.commit)!),
    })),
    next: origins.length > told.length ? asked.first + told.length : undefined,
  };
}

function partsOf(
  origins: readonly LineOrigin[],
  first: number,
): { readonly origin: LineOrigin; readonly first: number; readonly last: number }[] {
  const parts: { origin: LineOrigin; first: number; last: number }[] = [];
  for (const [index, origin] of origins.entries()) {
    const before = parts.at(-1);
    if (before?.origin.commit === origin.commit) before.last++;
    else parts.push({ origin, first: first + index, last: first + index });
  }
  return parts;
}

const authorship = ({ oid, committer, author, message }: Commit) => ({
  commit: oid,
  at: new Date(committer.at).toISOString(),
  author: author.name,
  subject: message.split("\n")[0]!,
  proposal: trailerOf(message, "Proposal"),
  run: trailerOf(message, "Run"),
});

const notesAt = async ({ repo }: Pick<Garden, "repo">, commit: Oid, visible: Visible) =>
  (await repo.list(commit, "")).filter(({ path, mode }) => mode !== "120000" && mode !== "160000" && visible(path));
