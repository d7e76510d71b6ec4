import { z } from "zod";
import { Failure } from "../../../../base/failure.ts";
import { coversFolder } from "../../../../domain/contract/capabilities.ts";
import { repoPathProblem } from "../../../../domain/git/git-names.ts";
import { freeName, isNewNotePath, nameFromTitle } from "../../../../domain/note/note-name.ts";
import type { FileAt, TreeFile } from "../../../../ports/repo.ts";
import { notePathRefusal } from "../../../changes/effect/note-target.ts";
import { outsideFolder } from "../../../changes/inbox/failures.ts";
import { nameField } from "../input-fields.ts";
import type { ToolContext } from "../tool.ts";
import { agentSight, expectNote, findNote, folderPath } from "./note-names.ts";

/** A note by its slug or path, or an item of `read-notes`. */
export const noteField = z.union(
  [nameField, z.looseObject({ path: z.string() }), z.looseObject({ slug: z.string() })],
  "note",
);
export type NamedByAgent = z.output<typeof noteField>;

const nameIn = (note: NamedByAgent): string =>
  typeof note === "string" ? note : String("path" in note ? note["path"] : note["slug"]);

export interface PlaceAsked {
  readonly note?: NamedByAgent | undefined;
  readonly path?: string | undefined;
  readonly title?: string | undefined;
  readonly folder?: string | undefined;
}

export interface BranchPlace {
  readonly path: string;
  /** The note that is there; undefined for a new one. */
  readonly before: FileAt | undefined;
}

/** The place that `write-note` means, which the agent may write (P-4a, C-2a). Throws otherwise. */
export async function placeFor(context: ToolContext, asked: PlaceAsked): Promise<BranchPlace> {
  const { repo } = context.garden;
  const named = asked.note === undefined ? asked.path : nameIn(asked.note);
  if (named === undefined) {
    if (asked.title === undefined) throw noPlace();
    return { path: await freePlace(context, asked.title, asked.folder), before: undefined };
  }
  const found = await findNote(context, named);
  if (found.kind === "several") await expectNote(context, named); // throws with the candidates
  const path = newPlace(context, found.kind === "note" ? found.path : named);
  const before = await repo.read(context.commit, path);
  if (!before) await expectFree(context, path);
  return { path, before };
}

/** A note that the agent sees and may change. Throws NOT_FOUND, FORBIDDEN. */
export async function existingNote(context: ToolContext, note: NamedByAgent): Promise<TreeFile> {
  const { path } = await expectNote(context, nameIn(note));
  expectMayWrite(context, path);
  const file = (await context.garden.repo.read(context.commit, path))!;
  return { path, oid: file.oid, mode: file.mode };
}

/** A path as an agent writes it, below the notes root and with its ending, that the agent may write. */
export function newPlace(context: ToolContext, written: string): string {
  const { notes_root: root } = context.garden.config;
  const plain = folderPath(
    written
      .normalize("NFC")
      .trim()
      .replace(/^\.?\/+/, ""),
    root,
  );
  const path = /\.(?:md|markdown)$/i.test(plain) ? plain : `${plain}.md`;
  if (repoPathProblem(path) !== undefined) throw oddPlace(path);
  expectMayWrite(context, path);
  return path;
}

/** The first free name that a title gives. */
async function freePlace(context: ToolContext, title: string, folder: string | undefined): Promise<string> {
  const { garden, contract } = context;
  const into =
    folder ?? (contract.proposes === "folder" ? contract.context.folder : undefined) ?? garden.config.notes_root;
  const name = nameFromTitle(title) || "note";
  return freeName(
    (suffix) => newPlace(context, `${into === "." ? "" : `${into}/`}${name}${suffix}`),
    async (path) => (await clashWith(context, path)) !== undefined,
  );
}

/** Throws if a new note at this path would replace another one, or one whose name differs in case or form only. */
export async function expectFree(context: ToolContext, path: string, besides?: string): Promise<void> {
  if (!isNewNotePath(path)) throw oddPlace(path);
  const other = await clashWith(context, path, besides);
  if (other === undefined) return;
  // An agent that may not see the other note is not told its name.
  throw taken(agentSight(context)(other) ? other : path);
}

async function clashWith(context: ToolContext, path: string, besides?: string): Promise<string | undefined> {
  const { garden, commit } = context;
  const folder = path.split("/").slice(0, -1).join("/");
  const same = path.normalize("NFC").toLowerCase();
  const there = (await garden.repo.list(commit, folder)).find(
    (file) => file.path !== besides && file.path.normalize("NFC").toLowerCase() === same,
  );
  return there?.path;
}

/** P-4a and C-2a: only notes, and only those that the contract lets it propose to change. */
function expectMayWrite(context: ToolContext, path: string): void {
  const refused = notePathRefusal(context, path);
  if (refused) throw new Failure("FORBIDDEN", { ...refused.failure.text, details: { path } });
  const { contract, slug } = context;
  const { folder } = contract.context;
  if (contract.proposes === "folder" && folder !== undefined && !agentSight(context)(path))
    throw outsideFolder(slug, folder);
  const writes = contract.ceiling?.writes;
  if (writes && !writes.some((one) => coversFolder(one, path))) throw outsideFolder(slug, writes.join(", "));
}

const noPlace = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "write-note needs note (its slug or path), path, or title",
    uk: "write-note потребує note (slug або шлях), path чи title",
  });

const oddPlace = (path: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${path} cannot be the name of a new note on every file system`,
    uk: `${path} не може бути назвою нової нотатки на кожній файловій системі`,
    details: { path },
  });

const taken = (path: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `${path} is taken`,
    uk: `${path} уже зайнято`,
    hint: {
      en: "Choose another name; names that differ only in case are one file on some machines.",
      uk: "Оберіть іншу назву; назви, що різняться лише регістром, на деяких машинах — один файл.",
    },
    details: { path },
  });
