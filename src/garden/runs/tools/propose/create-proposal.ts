import { z } from "zod";
import { Failure } from "../../../../base/failure.ts";
import { type Action, actions, actionTable } from "../../../../domain/proposal/action.ts";
import { type FieldProblem, fieldsRefused } from "../../../../domain/text/checked-fields.ts";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { nameField, reasonField } from "../input-fields.ts";
import { findNote, folderPath, slugOfNote } from "../notes/note-names.ts";
import {
  citationsOf,
  referencesIn,
  referencesInput,
  tagsInput,
  tagsOfInput,
  textInput,
  textOfInput,
} from "../text-input.ts";
import { gardenTool, type ToolContext } from "../tool.ts";
import { toolWords } from "../tool-words.ts";
import { PROPOSE_LIMIT_MS, refusalResult, submitProposal } from "./submit-proposal.ts";

type ProposeAction = Extract<Action, `propose-${string}`>;
const proposable = actions.filter((action): action is ProposeAction => action.startsWith("propose-"));

/** A note by its slug or path, or an item of `read-notes`. */
const note = z.union([nameField, z.looseObject({ path: z.string() }), z.looseObject({ slug: z.string() })], "note");

const inputFor = (types: readonly ProposeAction[]) =>
  group({
    type: types.length > 0 ? z.enum(types, "type") : z.never("type"),
    note: note.optional(),
    content: textInput.optional(),
    text: textInput.optional(),
    comment: textInput.optional(),
    tags: tagsInput.optional(),
    remove: tagsInput.optional(),
    diff: z.string("diff").optional(),
    title: nameField.optional(),
    path: nameField.optional(),
    folder: nameField.optional(),
    name: nameField.optional(),
    media_type: nameField.optional(),
    section: nameField.optional(),
    line: z.int("count").positive("count").optional(),
    references: referencesInput.optional(),
    branch: nameField.optional(),
    head: nameField.optional(),
    summary: reasonField.optional(),
    reason: reasonField.optional(),
    rationale: reasonField.optional(),
  });
type ProposalInput = z.output<ReturnType<typeof inputFor>>;

/** All `propose-*` actions that the contract allows (C-5). */
export const createProposalTool = gardenTool({
  name: "create-proposal",
  description: {
    en: "Propose a change for a person to decide. type is the action; note is a slug or path; content is the text. propose-summary and propose-edit: note, content; propose-tag: note, tags (remove: tags to take away); propose-comment: note, content, line?; propose-note: title or path, content; propose-artifact: name, content. A refusal comes back with status “refused” and its reason.",
    uk: "Запропонуй зміну на розсуд людини. type — дія; note — slug або шлях; content — текст. propose-summary і propose-edit: note, content; propose-tag: note, tags (remove: які зняти); propose-comment: note, content, line?; propose-note: title або path, content; propose-artifact: name, content. Відмова повертається зі status «refused» і причиною.",
  },
  input: ({ contract }: ToolContext) => inputFor(proposable.filter((action) => contract.safe_outputs.includes(action))),
  idempotent: true,
  limitMs: PROPOSE_LIMIT_MS,
  async call(asked, context, call) {
    const action: ProposeAction = asked.type;
    if (action === "propose-merge" && context.workspace)
      return { proposal: "", status: "at-end", type: action, target: `agents/${context.workspace.session}` };
    try {
      const payload = await payloadOf(asked, context);
      const about = ["path", "note", "title", "name", "session"]
        .map((field) => payload[field])
        .find((value) => typeof value === "string");
      return await submitProposal(context, call, {
        action,
        payload,
        summary: asked.summary ?? summaryOf(context, action, about ?? ""),
        reasoning: asked.reason ?? asked.rationale,
      });
    } catch (error) {
      // The agent can correct these: they are returned like any other refusal.
      if (error instanceof Failure && (error.code === "VALIDATION_FAILED" || error.code === "NOT_FOUND"))
        return refusalResult(context, action, error);
      throw error;
    }
  },
});

async function payloadOf(asked: ProposalInput, context: ToolContext): Promise<Record<string, unknown>> {
  const content = asked.content ?? asked.text ?? asked.comment;
  const text = content === undefined ? undefined : textOfInput(content);
  switch (asked.type) {
    case "propose-note":
      return newNote(asked, context, text);
    case "propose-edit":
      return {
        path: await noteOf(asked, context),
        ...(asked.diff === undefined ? { text: expectText(text) } : { diff: asked.diff }),
        ...(!context.workspace && { base: context.commit }),
      };
    case "propose-tag":
      return { path: await noteOf(asked, context), ...tagsAsked(asked) };
    case "propose-comment":
      return {
        note: await noteOf(asked, context),
        text: expectText(text),
        ...(asked.line !== undefined && { line: asked.line }),
      };
    case "propose-summary":
      return {
        note: await noteOf(asked, context),
        text: expectText(text),
        citations: citationsOf(asked.references ?? referencesIn(content)),
        ...(asked.section !== undefined && { into: { kind: "section", heading: asked.section } }),
        ...(asked.section === undefined &&
          asked.name !== undefined && { into: { kind: "artifact", name: asked.name } }),
      };
    case "propose-artifact":
      return {
        name:
          asked.name ?? asked.title ?? (typeof asked.note === "string" ? asked.note : missing("name", toolWords.name)),
        text: expectText(text),
        ...(asked.media_type !== undefined && { type: asked.media_type }),
      };
    case "propose-merge":
      return { session: asked.branch, head: asked.head };
  }
}

/** `create-proposal("propose-note", "Ідеї", текст)`: the argument `note` is the title or path of the new note. */
function newNote(
  { path, title, folder, note: called }: ProposalInput,
  { garden, contract }: ToolContext,
  text: string | undefined,
) {
  const into = folder ?? (contract.proposes === "folder" ? contract.context.folder : undefined);
  const given = typeof called === "string" ? called : undefined;
  const isPath = given !== undefined && /\.(?:md|markdown)$/i.test(given);
  const where = path ?? (isPath ? given : undefined);
  if (where !== undefined) return { path: folderPath(where, garden.config.notes_root), text: expectText(text) };
  return {
    title: title ?? given ?? missing("title", toolWords["path-or-title"]),
    ...(into !== undefined && { folder: folderPath(into, garden.config.notes_root) }),
    text: expectText(text),
  };
}

/** The path of the note. A path that is unknown at the run's commit is passed on: the note may be new, and the gate decides. */
async function noteOf({ note: called, path }: ProposalInput, context: ToolContext): Promise<string> {
  const wanted = typeof called === "object" ? String(called["path"] ?? called["slug"]) : (called ?? path);
  if (wanted === undefined) return missing("note", toolWords.note);
  const found = await findNote(context, wanted);
  if (found.kind === "note") return found.path;
  if (found.kind === "several")
    throw fieldsRefused([{ field: "note", found: several(found.paths), expected: toolWords.path }]);
  const { notes_root: root } = context.garden.config;
  if (/\.(?:md|markdown)$/i.test(wanted)) return folderPath(wanted, root);
  throw fieldsRefused([
    {
      field: "note",
      found: {
        en: `there is no note ${JSON.stringify(wanted.slice(0, 100))}`,
        uk: `немає нотатки ${JSON.stringify(wanted.slice(0, 100))}`,
      },
      expected: toolWords.note,
      ...(found.near !== undefined && { suggestion: found.near }),
    },
  ]);
}

const several = (paths: readonly string[]): FieldProblem["found"] => ({
  en: `several notes have this name: ${paths.join(", ")}`,
  uk: `так звуться кілька нотаток: ${paths.join(", ")}`,
});

function tagsAsked({ tags, content, remove }: ProposalInput): { add?: string[]; remove?: string[] } {
  const wanted = tags ?? content;
  const [add, away] = [
    wanted === undefined ? [] : tagsOfInput(wanted),
    remove === undefined ? [] : tagsOfInput(remove),
  ];
  if (add.length + away.length === 0) return missing("tags", toolWords["tags-wanted"]);
  return { ...(add.length > 0 && { add }), ...(away.length > 0 && { remove: away }) };
}

const expectText = (text: string | undefined): string => text ?? missing("content", toolWords.content);

function missing(field: string, expected: FieldProblem["expected"]): never {
  throw fieldsRefused([{ field, found: { en: "missing", uk: "бракує" }, expected }]);
}

const SUMMARIES: Readonly<Record<ProposeAction, readonly [en: string, uk: string]>> = {
  "propose-note": ["New note", "Нова нотатка"],
  "propose-edit": ["Edit", "Зміна"],
  "propose-tag": ["Tags for", "Теги для"],
  "propose-comment": ["Comment on", "Коментар до"],
  "propose-summary": ["Summary of", "Резюме"],
  "propose-artifact": ["Artifact", "Артефакт"],
  "propose-merge": ["Merge", "Злиття"],
};

function summaryOf({ language, garden }: ToolContext, action: ProposeAction, about: string): string {
  const isNote = actionTable[action].event !== "session/merged" && about.endsWith(".md");
  const short =
    isNote && about.startsWith(`${garden.config.notes_root}/`) ? slugOfNote(about, garden.config.notes_root) : about;
  return `${SUMMARIES[action][language === "en" ? 0 : 1]} ${short}`.trim();
}
