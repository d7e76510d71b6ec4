import { type Failure, isFailure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import { isSlug } from "../../domain/contract/slug.ts";
import { MAIN_REF } from "../../domain/layout.ts";
import type { Action } from "../../domain/proposal/action.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { readMemory } from "../../garden/records/memory/memory-state.ts";
import type { CommandContext } from "../command.ts";
import { usageError } from "../failures.ts";
import { listOption, numberOption, textOption } from "../options.ts";
import {
  decodeJson,
  decodeText,
  gardenPath,
  readInputBytes,
  readInputText,
  readOptionFile,
  requireInputText,
} from "./read-text.ts";

/** One kind of proposal: its arguments and options become the payload. */
export interface ProposeVerb {
  readonly action: Action;
  readonly usage: string;
  readonly words: readonly [min: number, max: number];
  readonly does: Text;
  payload(context: CommandContext, garden: Garden, words: readonly string[]): Promise<unknown>;
}

export const proposeVerbs: Readonly<Record<string, ProposeVerb>> = {
  note: {
    action: "propose-note",
    usage: "PATH FILE|-, --title T FILE|-",
    words: [0, 2],
    does: { en: "a new note, at a path or with a title", uk: "нова нотатка за шляхом або за назвою" },
    async payload(context, garden, words) {
      const title = textOption(context, "title");
      const [path, file] = title === undefined ? words : [undefined, words[0]];
      if (title !== undefined) return { title, text: await requireInputText(context, file) };
      if (path === undefined) throw missing("PATH | --title T");
      return { path: await gardenPath(context, garden, path), text: await requireInputText(context, file) };
    },
  },
  edit: {
    action: "propose-edit",
    usage: "PATH FILE|-, PATH --diff FILE",
    words: [1, 2],
    does: { en: "a new text for a note, or a diff", uk: "інший текст нотатки або diff" },
    async payload(context, garden, [written, file]) {
      const path = await gardenPath(context, garden, written!);
      const diff = await readOptionFile(context, "diff");
      const text = diff === undefined ? await requireInputText(context, file) : await readInputText(context, file);
      return { path, ...given({ diff, text, base: textOption(context, "base") }) };
    },
  },
  tag: {
    action: "propose-tag",
    usage: "PATH --add A,B --remove C",
    words: [1, 1],
    does: { en: "add and remove tags of a note", uk: "теги нотатки" },
    payload: async (context, garden, [written]) => ({
      path: await gardenPath(context, garden, written!),
      ...given({ add: listOption(context, "add"), remove: listOption(context, "remove") }),
    }),
  },
  comment: {
    action: "propose-comment",
    usage: "NOTE FILE|- [--line N]",
    words: [1, 2],
    does: { en: "a comment on a note", uk: "коментар до нотатки" },
    payload: async (context, garden, [written, file]) => ({
      note: await gardenPath(context, garden, written!),
      text: await requireInputText(context, file),
      ...given({ line: numberOption(context, "line") }),
    }),
  },
  summary: {
    action: "propose-summary",
    usage: "NOTE FILE|- [--heading H | --agent SLUG]",
    words: [1, 2],
    does: {
      en: "a summary, as a section of the note or a file of an agent",
      uk: "підсумок: розділ нотатки або файл агента",
    },
    async payload(context, garden, [written, file]) {
      const [agent, heading, name] = ["agent", "heading", "name"].map((option) => textOption(context, option));
      const into =
        agent === undefined
          ? given({ kind: heading === undefined ? undefined : "section", heading })
          : { kind: "artifact", agent, ...given({ name }) };
      return {
        note: await gardenPath(context, garden, written!),
        text: await requireInputText(context, file),
        ...("kind" in into && { into }),
      };
    },
  },
  artifact: {
    action: "propose-artifact",
    usage: "NAME FILE|- --agent SLUG",
    words: [1, 2],
    does: { en: "a file of an agent", uk: "файл агента" },
    async payload(context, _, [name, file]) {
      const bytes = await readInputBytes(context, file);
      if (!bytes) throw missing("FILE");
      const [agent, type, replaces] = ["agent", "type", "replaces"].map((option) => textOption(context, option));
      return { name, ...given({ agent, type, replaces }), ...textOrBase64(bytes) };
    },
  },
  memory: {
    action: "memory-update",
    usage: "SLUG OPERATIONS.json|-, SLUG --append FACTS --text T",
    words: [1, 2],
    does: { en: "a change of an agent's memory", uk: "пам'ять агента" },
    async payload(context, garden, [agent, file]) {
      const expectedVersion = numberOption(context, "expected") ?? (await memoryVersion(garden, agent!));
      const append = textOption(context, "append");
      const common = { agent, expectedVersion, ...given({ priority: textOption(context, "priority") }) };
      const text = await requireInputText(context, file);
      if (append !== undefined) {
        const section = given({ section: textOption(context, "section") });
        return { ...common, operations: [{ op: "append", file: append, ...section, text }] };
      }
      const written = decodeJson(text, file ?? "--text");
      return Array.isArray(written) ? { ...common, operations: written } : { ...common, ...(written as object) };
    },
  },
  logic: {
    action: "logic-update",
    usage: "SLUG --diagram FILE --reason R, SLUG UPDATE.json|-",
    words: [1, 2],
    does: { en: "a change of an agent's logic", uk: "логіка агента" },
    async payload(context, _, [agent, file]) {
      const written = await readInputText(context, file);
      if (written !== undefined) return { agent, ...(decodeJson(written, file ?? "--text") as object) };
      return {
        agent,
        ...given({
          diagram: await readOptionFile(context, "diagram"),
          pseudocode: await readOptionFile(context, "pseudocode"),
          rationale: textOption(context, "reason"),
          evidenceRuns: listOption(context, "evidence"),
          currentVersion: textOption(context, "from"),
        }),
      };
    },
  },
  merge: {
    action: "propose-merge",
    usage: "SESSION",
    words: [1, 1],
    does: { en: "merge the work of a session into main", uk: "злити роботу сесії в main" },
    payload: async (context, _, [session]) => ({ session, ...given({ head: textOption(context, "head") }) }),
  },
  rollback: {
    action: "logic-rollback",
    usage: "SLUG VERSION --reason R",
    words: [2, 2],
    does: { en: "return an agent's logic to an earlier version", uk: "логіка агента, якою вона була у версії" },
    payload: async (context, _, [agent, toVersion]) => ({
      agent,
      toVersion,
      ...given({ rationale: textOption(context, "reason"), evidenceRuns: listOption(context, "evidence") }),
    }),
  },
};

/** Drops undefined fields. */
const given = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;

/** Valid UTF-8 without NUL as text, anything else as base64. */
export function textOrBase64(bytes: Uint8Array): { text: string } | { base64: string } {
  try {
    const text = decodeText(bytes, "");
    if (!text.includes("\0")) return { text };
  } catch (error) {
    if (!isFailure(error)) throw error;
  }
  return { base64: Buffer.from(bytes).toString("base64") };
}

/** The current version of an agent's memory, manual edits included; 0 if it has none. */
async function memoryVersion({ repo }: Garden, slug: string): Promise<number> {
  const head = isSlug(slug) ? await repo.resolve(MAIN_REF) : undefined;
  return head === undefined ? 0 : (await readMemory(repo, head, slug)).version;
}

const missing = (what: string): Failure =>
  usageError(
    { en: `propose: missing ${what}`, uk: `propose: бракує: ${what}` },
    { en: "Usage: `bloom help propose`.", uk: "Як саме: `bloom help propose`." },
  );
