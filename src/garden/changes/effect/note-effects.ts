import type { Oid } from "../../../domain/git/git-names.ts";
import { withTags } from "../../../domain/note/front-matter.ts";
import { withSection } from "../../../domain/note/markdown-section.ts";
import { mergeTexts } from "../../../domain/note/text-merge.ts";
import { actionTable } from "../../../domain/proposal/action.ts";
import type { OperationOf } from "../../../domain/proposal/operation.ts";
import type { Repo } from "../../../ports/repo.ts";
import type { EffectContext, EffectHandler, PreparedEffect, ReadyEffect } from "./effect.ts";
import { effectId } from "./effect-id.ts";
import { effectTooLarge, noteLimit, type RefusedEffect, refusedEffect } from "./failures.ts";
import { type FileChange, fileChange } from "./file-change.ts";
import { type NoteAt, noteAtBase, noteAtHead, notePathRefusal } from "./note-target.ts";
import { sourcesList } from "./sources-list.ts";

/** A new file; refused if the file exists. */
export const noteHandler: EffectHandler<"propose-note"> = {
  async prepare(context, { payload: { path, text } }) {
    const { garden, head } = context;
    const bad = notePathRefusal(context, path) ?? oversize(context, path, text);
    if (bad) return bad;
    if (await garden.repo.read(head, path)) return taken(path, path);
    for (const above of foldersOf(path)) if (await garden.repo.read(head, above)) return taken(path, above);
    if ((await garden.repo.list(head, path)).length > 0) return taken(path, `${path}/`);
    const twin = await twinOf(garden.repo, head, path);
    if (twin !== undefined) return sameName(path, twin);
    return ready(path, fileChange(path, undefined, text), text, {
      merged: false,
      event: actionTable["propose-note"].event,
    });
  },
};

/** The whole new text, against the text that its author read: if the note has changed since, both changes are merged. */
export const editHandler: EffectHandler<"propose-edit"> = {
  async prepare(context, { payload: { path, text, remove } }) {
    if (remove) return removalEffect(context, path);
    return mergedEffect(context, path, (base) => ({ kind: "text", text: withLineEndingsOf(base.text, text) }));
  },
};

/** Tags are edited as a set at head: other changes of the front matter do not conflict. */
export const tagHandler: EffectHandler<"propose-tag"> = {
  async prepare(context, { payload: { path, add, remove } }) {
    const note = await noteAtHead(context, path);
    if (note.kind === "refused") return note;
    const tagged = withTags(note.text, { add, remove });
    if (tagged.kind === "refused") {
      return refusedEffect("VALIDATION_FAILED", {
        en: `the front matter of ${path} cannot be edited: ${tagged.why.en}`,
        uk: `front matter нотатки ${path} не можна змінити: ${tagged.why.uk}`,
      });
    }
    if (tagged.kind === "same") return nothing(path);
    const bad = oversize(context, path, tagged.text);
    if (bad) return bad;
    const { review } = fileChange(path, note.text, tagged.text);
    const effect = { path, what: { tags: { add: tagged.added, remove: tagged.removed } } };
    return ready(path, { review, effect }, tagged.text, {
      merged: await movedSince(context, path, note),
      event: actionTable["propose-tag"].event,
    });
  },
};

/** A section of the note: replaces the content under this heading, or appends a new section. */
export function sectionEffect(
  context: EffectContext,
  operation: OperationOf<"propose-summary">,
  heading: string,
): Promise<PreparedEffect> {
  const { note, text, citations } = operation.payload;
  return mergedEffect(context, note, (base) => {
    const made = withSection(base.text, heading, `${text.trimEnd()}${sourcesList(citations)}`);
    return made.kind === "text" ? made : refusedEffect("VALIDATION_FAILED", made.why);
  });
}

type Made = { readonly kind: "text"; readonly text: string } | RefusedEffect;

/** Merges a change of the text at base into the text at head. */
async function mergedEffect(
  context: EffectContext,
  path: string,
  make: (base: NoteAt) => Made,
): Promise<PreparedEffect> {
  const now = await noteAtHead(context, path);
  if (now.kind === "refused") return now;
  const base = (await movedSince(context, path, now)) ? await noteAtBase(context, path) : now;
  if (base === undefined) return appeared(path);
  if (base.kind === "refused") return base;
  const made = make(base);
  if (made.kind === "refused") return made;
  const merge = mergeTexts(base.text, now.text, made.text);
  if (merge.kind === "conflict") {
    return { kind: "conflict", conflicts: [{ path, why: sameLines, hunks: merge.pieces }] };
  }
  if (merge.hunks.length === 0) return nothing(path);
  const bad = oversize(context, path, merge.text);
  if (bad) return bad;
  const change = fileChange(path, now.text, merge.text);
  const effect = { path, change: "changed" as const, hunks: merge.hunks };
  return ready(path, { ...change, effect }, merge.text, {
    merged: base.oid !== now.oid,
    event: actionTable["propose-edit"].event,
  });
}

/** Only the owner may remove a note, and only if it is unchanged since it was read. */
async function removalEffect(context: EffectContext, path: string): Promise<PreparedEffect> {
  const { by, agent } = context.moment;
  if (agent !== undefined || by !== "owner") {
    return refusedEffect("FORBIDDEN", {
      en: "only the owner can propose that a note be removed",
      uk: "запропонувати видалення нотатки може лише власник",
    });
  }
  const now = await noteAtHead(context, path);
  if (now.kind === "refused") return now;
  if (await movedSince(context, path, now)) {
    return { kind: "conflict", conflicts: [{ path, why: changedMeanwhile, hunks: [] }] };
  }
  return ready(path, fileChange(path, now.text, undefined), undefined, {
    merged: false,
    event: actionTable["propose-edit"].event,
  });
}

async function movedSince({ garden, head, base }: EffectContext, path: string, now: NoteAt): Promise<boolean> {
  if (head === base) return false;
  try {
    return (await garden.repo.read(base, path))?.oid !== now.oid;
  } catch {
    return true; // the base is missing in the repository: reading its text will fail with the reason
  }
}

function ready(
  path: string,
  { review, effect }: FileChange,
  text: string | undefined,
  { merged, event }: { merged: boolean; event: string },
): ReadyEffect {
  return {
    kind: "ready",
    edits: [{ path, bytes: text === undefined ? undefined : Buffer.from(text) }],
    objects: [],
    review: [review],
    effect: effectId([effect]),
    merged,
    events: [event],
    warnings: [],
  };
}

/**
 * Keeps the note's line endings and byte order mark if the new text has none of them: otherwise every line would count as
 * changed.
 */
export function withLineEndingsOf(before: string, text: string): string {
  let result = text;
  const breaks = before.match(/\r?\n/g) ?? [];
  if (breaks.length > 0 && breaks.every((each) => each === "\r\n") && !result.includes("\r"))
    result = result.replaceAll("\n", "\r\n");
  if (before.startsWith("\ufeff") && !result.startsWith("\ufeff")) result = `\ufeff${result}`;
  return result;
}

function oversize({ garden }: EffectContext, path: string, text: string): RefusedEffect | undefined {
  const bytes = Buffer.byteLength(text);
  const limit = noteLimit(garden.config);
  return bytes > limit ? effectTooLarge(path, bytes, limit) : undefined;
}

/** `a/b/c.md` → `a`, `a/b`. */
const foldersOf = (path: string): string[] =>
  path
    .split("/")
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join("/"));

/**
 * An existing file or folder whose name differs from this path only in case or in the composition of letters: on many disks both
 * names mean one file. Looks at the first part of the path that does not exist.
 */
async function twinOf(repo: Repo, head: Oid, path: string): Promise<string | undefined> {
  let folder = "";
  for (const part of path.split("/")) {
    const names = await repo.names(head, folder);
    const inFolder = (name: string): string => (folder === "" ? name : `${folder}/${name}`);
    if (!names.includes(part)) {
      const twin = names.find((name) => folded(name) === folded(part));
      return twin === undefined ? undefined : inFolder(twin);
    }
    folder = inFolder(part);
  }
  return undefined;
}

const folded = (name: string): string => name.normalize("NFC").toLowerCase().normalize("NFC");

const sameName = (path: string, twin: string): RefusedEffect =>
  refusedEffect("DUPLICATE_ENTRY", {
    en: `${path} cannot be made: ${twin} differs from it only in case or in the form of its letters`,
    uk: `${path} не створити: ${twin} відрізняється лише регістром або складом літер`,
    hint: {
      en: `On many disks both are one file. Propose an edit of ${twin}, or another path.`,
      uk: `На багатьох дисках це один файл. Запропонуйте зміну ${twin} або інший шлях.`,
    },
    details: { path, by: twin },
  });

const taken = (path: string, by: string): RefusedEffect =>
  refusedEffect("DUPLICATE_ENTRY", {
    ...(by === path
      ? { en: `there is a note ${path} already`, uk: `нотатка ${path} вже є` }
      : { en: `${path} cannot be made: ${by} is in the way`, uk: `${path} не створити: на заваді ${by}` }),
    hint: { en: "Propose an edit of it, or another path.", uk: "Запропонуйте її зміну або інший шлях." },
    details: { path, by },
  });

const nothing = (path: string): PreparedEffect => ({
  kind: "nothing",
  why: { en: `${path} is already so`, uk: `${path} вже має такий вигляд` },
});

const appeared = (path: string): PreparedEffect => ({
  kind: "conflict",
  conflicts: [
    {
      path,
      why: { en: "the note was not there when this was made", uk: "нотатки ще не було, коли це створено" },
      hunks: [],
    },
  ],
});

const sameLines = { en: "the same lines were changed since", uk: "ті самі рядки відтоді змінено" };
const changedMeanwhile = { en: "the note was changed since", uk: "нотатку відтоді змінено" };
