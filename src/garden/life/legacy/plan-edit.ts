import { Failure } from "../../../base/failure.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { KvProposal } from "../../../domain/import/kv/kv-record.ts";
import { nameFromTitle } from "../../../domain/note/note-name.ts";
import { isNotePath, type NoteRoots } from "../../../domain/note/note-path.ts";
import { mergeTexts } from "../../../domain/note/text-merge.ts";
import { withLineEndingsOf } from "../../changes/effect/note-effects.ts";
import { textOf } from "../../changes/effect/note-target.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";

/** The notes of main, for the slugs of the earlier system. */
export interface NoteFinder {
  readonly head: Oid;
  readonly find: (slug: string) => readonly string[];
}

/** How a pending proposal of the earlier system fits the garden of today. */
export type EditPlan =
  | { readonly kind: "edit"; readonly path: string; readonly text: string; readonly base: Oid }
  | { readonly kind: "refused"; readonly path: string; readonly failure: Failure };

/** A slug names a note by its path under the notes, or by its file name if only one note has it. Looks up, never builds a path. */
export async function noteFinder({ repo, config }: Pick<Garden, "repo" | "config">): Promise<NoteFinder> {
  const head = await headOf(repo);
  const [byPath, byName] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const { path } of await repo.list(head, "")) {
    if (!isNotePath(path, config)) continue;
    add(byPath, slugged(belowRoot(path, config)), path);
    add(byName, slugged(path.slice(path.lastIndexOf("/") + 1)), path);
  }
  return {
    head,
    find(slug) {
      const whole = slugged(belowRoot(slug.endsWith(".md") ? slug : `${slug}.md`, config));
      return byPath.get(whole) ?? byName.get(whole) ?? [];
    },
  };
}

/** The text as today's note would have it: the guest's change merged into what the note became since. */
export async function planEdit(
  { repo }: Pick<Garden, "repo">,
  { head, find }: NoteFinder,
  { noteSlug, originalContent, proposedContent }: KvProposal,
): Promise<EditPlan> {
  const found = find(noteSlug);
  const [path] = found;
  if (path === undefined || found.length > 1)
    return { kind: "refused", path: noteSlug, failure: path === undefined ? noSuchNote(noteSlug) : several(found) };
  const file = await repo.read(head, path);
  const now = file && file.mode !== "120000" ? textOf(file.bytes) : undefined;
  if (now === undefined) return { kind: "refused", path, failure: noSuchNote(noteSlug) };
  const merge = mergeTexts(withLineEndingsOf(now, originalContent), now, withLineEndingsOf(now, proposedContent));
  return merge.kind === "conflict"
    ? { kind: "refused", path, failure: conflict(path) }
    : { kind: "edit", path, text: merge.text, base: head };
}

const add = (map: Map<string, string[]>, key: string, path: string): void => {
  map.set(key, [...(map.get(key) ?? []), path]);
};

const belowRoot = (path: string, { notes_root: root }: NoteRoots): string =>
  root !== "." && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;

/** Compared as slugs, part by part: the earlier system made them from titles. */
const slugged = (path: string): string => path.replace(/\.md$/i, "").split("/").map(nameFromTitle).join("/");

const noSuchNote = (slug: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `no note ${JSON.stringify(slug.slice(0, 200))} in this garden`,
    uk: `у цьому саду немає нотатки ${JSON.stringify(slug.slice(0, 200))}`,
  });

const several = (paths: readonly string[]): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `several notes have this name: ${paths.slice(0, 5).join(", ")}`,
    uk: `таку назву мають кілька нотаток: ${paths.slice(0, 5).join(", ")}`,
  });

const conflict = (path: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `${path} has changed in the same lines since the guest proposed this`,
    uk: `${path} змінено в тих самих рядках після пропозиції гостя`,
  });
