import { withTags } from "../../../domain/note/front-matter.ts";
import { withSection } from "../../../domain/note/markdown-section.ts";
import { mergeTexts } from "../../../domain/note/text-merge.ts";
import { actionTable } from "../../../domain/proposal/action.ts";
import type { OperationOf } from "../../../domain/proposal/operation.ts";
import type { EffectContext, Handler, Prepared, Ready } from "./effect.ts";
import { effectId } from "./effect-id.ts";
import { noteLimit, type Refused, refused, tooLarge } from "./failures.ts";
import { type FileChange, fileChange } from "./file-change.ts";
import { type NoteAt, noteAtBase, noteAtHead, notePathRefusal } from "./note-target.ts";
import { sourcesList } from "./sources-list.ts";

/** A new file, and only where there is none. */
export const noteHandler: Handler<"propose-note"> = {
  async prepare(context, { payload: { path, text } }) {
    const { garden, head } = context;
    const bad = notePathRefusal(context, path) ?? oversize(context, path, text);
    if (bad) return bad;
    if (await garden.repo.read(head, path)) return taken(path, path);
    for (const above of foldersOf(path)) if (await garden.repo.read(head, above)) return taken(path, above);
    if ((await garden.repo.list(head, path)).length > 0) return taken(path, `${path}/`);
    return ready(path, fileChange(path, undefined, text), text, {
      merged: false,
      event: actionTable["propose-note"].event,
    });
  },
};

/** The whole new text, against the text that its author saw: where the note moved since, the lines of both are kept. */
export const editHandler: Handler<"propose-edit"> = {
  async prepare(context, { payload: { path, text, remove } }) {
    if (remove) return removal(context, path);
    return changed(context, path, (base) => ({ kind: "text", text: asWritten(base.text, text) }));
  },
};

/** Tags are a set, so they are edited as one at head: who else changed the front matter since does not matter. */
export const tagHandler: Handler<"propose-tag"> = {
  async prepare(context, { payload: { path, add, remove } }) {
    const note = await noteAtHead(context, path);
    if (note.kind === "refused") return note;
    const tagged = withTags(note.text, { add, remove });
    if (tagged.kind === "refused") {
      return refused("VALIDATION_FAILED", {
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

/** A section of the note: the one with this heading in place of what it holds, or a new one at the end. */
export function sectionEffect(
  context: EffectContext,
  operation: OperationOf<"propose-summary">,
  heading: string,
): Promise<Prepared> {
  const { note, text, citations } = operation.payload;
  return changed(context, note, (base) => {
    const made = withSection(base.text, heading, `${text.trimEnd()}${sourcesList(citations)}`);
    return made.kind === "text" ? made : refused("VALIDATION_FAILED", made.why);
  });
}

type Made = { readonly kind: "text"; readonly text: string } | Refused;

/** Carries a change of the text at base over to the text at head. */
async function changed(context: EffectContext, path: string, make: (base: NoteAt) => Made): Promise<Prepared> {
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

/** Only the owner takes a note away, and only as it was seen. */
async function removal(context: EffectContext, path: string): Promise<Prepared> {
  const { by, agent } = context.moment;
  if (agent !== undefined || by !== "owner") {
    return refused("FORBIDDEN", {
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
    return true; // the base is gone from the repository: whoever needs its text will be told
  }
}

function ready(
  path: string,
  { review, effect }: FileChange,
  text: string | undefined,
  { merged, event }: { merged: boolean; event: string },
): Ready {
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
 * Whoever writes a whole text rarely minds how its lines end. Where the note has one way (CRLF, a byte order mark) and the
 * new text shows none of it, the note's way is kept: else every line would count as changed.
 */
function asWritten(before: string, text: string): string {
  let result = text;
  const breaks = before.match(/\r?\n/g) ?? [];
  if (breaks.length > 0 && breaks.every((each) => each === "\r\n") && !result.includes("\r"))
    result = result.replaceAll("\n", "\r\n");
  if (before.startsWith("\ufeff") && !result.startsWith("\ufeff")) result = `\ufeff${result}`;
  return result;
}

function oversize({ garden }: EffectContext, path: string, text: string): Refused | undefined {
  const bytes = Buffer.byteLength(text);
  const limit = noteLimit(garden.config);
  return bytes > limit ? tooLarge(path, bytes, limit) : undefined;
}

/** `a/b/c.md` → `a`, `a/b`. */
const foldersOf = (path: string): string[] =>
  path
    .split("/")
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join("/"));

const taken = (path: string, by: string): Refused =>
  refused(
    "DUPLICATE_ENTRY",
    by === path
      ? { en: `there is a note ${path} already`, uk: `нотатка ${path} вже є` }
      : { en: `${path} cannot be made: ${by} is in the way`, uk: `${path} не створити: на заваді ${by}` },
    {
      hint: { en: "Propose an edit of it, or another path.", uk: "Запропонуйте її зміну або інший шлях." },
      details: { path, by },
    },
  );

const nothing = (path: string): Prepared => ({
  kind: "nothing",
  why: { en: `${path} is already so`, uk: `${path} вже має такий вигляд` },
});

const appeared = (path: string): Prepared => ({
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
