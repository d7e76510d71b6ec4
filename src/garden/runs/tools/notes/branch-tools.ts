import { assert } from "../../../../base/assert.ts";
import type { Json } from "../../../../base/canonical.ts";
import { Failure } from "../../../../base/failure.ts";
import type { Text } from "../../../../base/text.ts";
import type { Oid } from "../../../../domain/git/git-names.ts";
import { group } from "../../../../domain/text/checked-yaml.ts";
import type { ToolCallScope } from "../../../../ports/runtime.ts";
import { effectTooLarge, noteLimit } from "../../../changes/effect/failures.ts";
import { nameField, reasonField } from "../input-fields.ts";
import type { CalledTool } from "../step-entry.ts";
import { textInput, textOfInput } from "../text-input.ts";
import { gardenTool, type ToolContext } from "../tool.ts";
import type { BranchChange, Workspace } from "../workspace.ts";
import { existingNote, expectFree, newPlace, noteField, placeFor } from "./branch-places.ts";
import { agentSight, slugOfNote } from "./note-names.ts";

/** Fields of the commit, the same for the three tools. */
const commitFields = { reason: reasonField.optional(), kind: nameField.optional() };
const LIMIT_MS = 60_000;

/** S-11: the whole text of a note, new or not, as one commit on the branch of the run. */
export const writeNoteTool = gardenTool({
  name: "write-note",
  description: {
    en: "Write a note on the branch of this run: note (slug or path, existing or new), or title and folder for a new one; content is its whole text. reason is the message of the commit.",
    uk: "Запиши нотатку в гілку цього запуску: note (slug або шлях, наявна чи нова) або title і folder для нової; content — увесь її текст. reason — повідомлення коміту.",
  },
  input: group({
    note: noteField.optional(),
    path: nameField.optional(),
    title: nameField.optional(),
    folder: nameField.optional(),
    content: textInput.optional(),
    text: textInput.optional(),
    ...commitFields,
  }),
  idempotent: true,
  limitMs: LIMIT_MS,
  async call(asked, context, call) {
    const given = asked.content ?? asked.text;
    if (given === undefined) throw noText();
    const bytes = Buffer.from(textOfInput(given).toWellFormed().replaceAll("\0", ""));
    const limit = noteLimit(context.garden.config);
    if (bytes.length > limit) throw effectTooLarge("write-note", bytes.length, limit).failure;
    return committed(context, call, { name: "write-note", input: asked }, async (head) => {
      const place = await placeFor(at(context, head), asked);
      const same = place.before && Buffer.compare(place.before.bytes, bytes) === 0;
      return {
        kind: asked.kind ?? (place.before ? "refactor" : "finding"),
        message: messageOf(context, asked.reason, WRITE, place.path),
        edits: same ? [] : [{ path: place.path, bytes }],
        fields: { path: place.path, change: place.before ? "changed" : "added" },
      };
    });
  },
});

export const moveNoteTool = gardenTool({
  name: "move-note",
  description: {
    en: "Move or rename a note on the branch of this run: note is a slug or path, to the new path, or a folder with `/` at its end. Links to it stay as they are.",
    uk: "Перемісти або перейменуй нотатку в гілці цього запуску: note — slug або шлях, to — новий шлях або тека з `/` наприкінці. Посилання на неї лишаються як були.",
  },
  input: group({ note: noteField, to: nameField, ...commitFields }),
  idempotent: true,
  limitMs: LIMIT_MS,
  async call(asked, context, call) {
    return committed(context, call, { name: "move-note", input: asked }, async (head) => {
      const here = at(context, head);
      const from = await existingNote(here, asked.note);
      const path = newPlace(here, asked.to.endsWith("/") ? `${asked.to}${from.path.split("/").at(-1)!}` : asked.to);
      if (path !== from.path) await expectFree(here, path, from.path);
      return {
        kind: asked.kind ?? "refactor",
        message: messageOf(context, asked.reason, MOVE, `${from.path} → ${path}`),
        edits:
          path === from.path
            ? []
            : [
                { path: from.path, bytes: undefined },
                { path, oid: from.oid, mode: from.mode },
              ],
        fields: { path, from: from.path, change: "moved" },
      };
    });
  },
});

export const deleteNoteTool = gardenTool({
  name: "delete-note",
  description: {
    en: "Delete a note on the branch of this run: note is a slug or path. The owner sees it before it counts.",
    uk: "Видали нотатку в гілці цього запуску: note — slug або шлях. Власник побачить це, перш ніж воно подіє.",
  },
  input: group({ note: noteField, ...commitFields }),
  idempotent: true,
  limitMs: LIMIT_MS,
  async call(asked, context, call) {
    return committed(context, call, { name: "delete-note", input: asked }, async (head) => {
      const { path } = await existingNote(at(context, head), asked.note);
      return {
        kind: asked.kind ?? "refactor",
        message: messageOf(context, asked.reason, DELETE, path),
        edits: [{ path, bytes: undefined }],
        fields: { path, change: "removed" },
      };
    });
  },
});

/** The context as of a commit of the branch. */
const at = (context: ToolContext, head: Oid): ToolContext => ({ ...context, commit: head });

/** `commit` is null if the branch has it so already. What the agent may not see is not told: neither here. */
async function committed(
  context: ToolContext,
  call: ToolCallScope,
  tool: CalledTool,
  work: (head: Oid) => Promise<BranchChange>,
): Promise<Json> {
  const { garden } = context;
  let wanted: BranchChange | undefined;
  const made = await workspaceOf(context).change(call, tool, async (head) => (wanted = await work(head)));
  const { path, change, from } = (made?.fields ?? wanted?.fields ?? {}) as Readonly<Record<string, string>>;
  assert(path !== undefined, "a change of the branch names its path");
  const isSeen = agentSight(context)(path);
  return {
    path,
    slug: slugOfNote(path, garden.config.notes_root),
    ...(from !== undefined && { from }),
    change: made === undefined ? "none" : isSeen ? change! : "written",
    commit: made?.commit ?? null,
  };
}

/** Throws FORBIDDEN without a branch. */
export function workspaceOf({ workspace, slug }: ToolContext): Workspace {
  if (workspace) return workspace;
  throw new Failure("FORBIDDEN", {
    en: `${slug} has no branch to write on: its contract does not say \`workspace: session\``,
    uk: `${slug} не має гілки для запису: у його контракті немає \`workspace: session\``,
  });
}

const LONGEST_MESSAGE = 200;

/** One line, as a commit needs it: the agent's reason, or what is done. */
function messageOf({ language }: ToolContext, reason: string | undefined, what: Text, path: string): string {
  const line = (reason ?? "")
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return (line === "" ? `${what[language]} ${path}` : line).slice(0, LONGEST_MESSAGE).toWellFormed();
}

const WRITE: Text = { en: "write", uk: "записати" };
const MOVE: Text = { en: "move", uk: "перемістити" };
const DELETE: Text = { en: "delete", uk: "видалити" };

const noText = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "write-note needs content: the whole text of the note",
    uk: "write-note потребує content: увесь текст нотатки",
  });
