import type { Oid } from "../../../domain/git/git-names.ts";
import { linkTargets, resolveLink } from "../../../domain/note/link-target.ts";
import { linksIn } from "../../../domain/note/note-links.ts";
import { allTagsIn } from "../../../domain/note/note-properties.ts";
import type { Repo, TreeFile } from "../../../ports/repo.ts";
import type { ReadScope } from "../../core/access/read-scope.ts";
import type { Garden } from "../../core/garden.ts";
import type { IndexProgress } from "./commit-notes.ts";
import { readNoteText } from "./note-text.ts";

/** The tags and links of one text, for the tags page and the graph. */
interface TextFacts {
  readonly tags: readonly string[];
  readonly links: readonly { readonly kind: "path" | "name"; readonly target: string }[];
}

/** The visible notes of a commit with their tags and the notes that they link to. */
export interface NoteMap {
  readonly notes: readonly {
    readonly path: string;
    readonly tags: readonly string[];
    readonly to: readonly string[];
  }[];
  /** Set while some notes are not read yet. */
  readonly reading: IndexProgress | undefined;
}

/** Facts by blob: a commit changes few of them. A cache (G-3): it can be dropped at any time. */
const caches = new WeakMap<Repo, Map<Oid, TextFacts>>();
const READS_AT_ONCE = 64;
/** Notes read before a request is answered with what is known so far. */
const PATIENCE = 2000;
const MOST_LINKS = 500;
/** Cached texts beyond the notes of the present commit, before the cache is emptied. */
const SPARE = 20_000;

/** Reads up to `patience` notes that are not cached; the next call goes on from there. */
export async function mapNotes(
  { repo }: Pick<Garden, "repo">,
  at: Oid,
  sees: ReadScope,
  patience = PATIENCE,
): Promise<NoteMap> {
  const cache = caches.get(repo) ?? new Map<Oid, TextFacts>();
  caches.set(repo, cache);
  const files = await repo.list(at, "");
  const notes = files.filter(({ path, mode }) => isFile(mode) && sees(path));
  if (cache.size > notes.length + SPARE) cache.clear();
  const unread = notes.filter(({ oid }) => !cache.has(oid));
  for (let from = 0; from < Math.min(unread.length, patience); from += READS_AT_ONCE) {
    const batch = unread.slice(from, from + READS_AT_ONCE);
    const texts = await Promise.all(batch.map(({ path }) => readNoteText(repo, at, path)));
    for (const [index, { oid }] of batch.entries()) cache.set(oid, factsOf(texts[index]!));
  }
  const targets = linkTargets(visiblePaths(files, sees));
  const known = new Set(notes.map(({ path }) => path));
  const left = Math.max(0, unread.length - Math.max(patience, 0));
  return {
    notes: notes.map(({ path, oid }) => {
      const facts = cache.get(oid);
      const to = new Set<string>();
      for (const link of facts?.links ?? []) {
        const target = resolveLink(targets, path, link);
        if (target !== undefined && target !== path && known.has(target)) to.add(target);
      }
      return { path, tags: facts?.tags ?? [], to: [...to] };
    }),
    reading: left > 0 ? { done: notes.length - left, total: notes.length } : undefined,
  };
}

const isFile = (mode: TreeFile["mode"]): boolean => mode !== "120000" && mode !== "160000";

function* visiblePaths(files: readonly TreeFile[], sees: ReadScope): Generator<string> {
  for (const { path } of files) if (sees.file(path)) yield path;
}

function factsOf(text: string): TextFacts {
  const links = new Map<string, TextFacts["links"][number]>();
  for (const { kind, target } of linksIn(text).slice(0, MOST_LINKS))
    if (target !== "") links.set(`${kind} ${target}`, { kind, target });
  return { tags: allTagsIn(text), links: [...links.values()] };
}
