import { basename, dirname } from "node:path";
import { Failure } from "../../base/failure.ts";
import { MAX_SOURCE_BYTES } from "../../domain/import/front-source.ts";
import { stepOutline } from "../../domain/import/outline.ts";
import { draftFromOutline, type OutlineDraft } from "../../drakon/from-tree/draft-from-outline.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { noImportSource } from "../import/import-source.ts";
import { textOption } from "../options.ts";
import { diagramNameOf } from "./diagram-files.ts";

/** Creates a diagram with one step, or a first draft from prose (`--from`); throws if the file exists. */
export async function newDiagram(context: CommandContext, file: string): Promise<CommandReport> {
  const name = textOption(context, "name") ?? diagramNameOf(file);
  const prose = textOption(context, "from");
  const draft = prose === undefined ? undefined : await draftFrom(context, prose, name);
  await createFile(context, file, draft?.diagram ?? firstStep(context, name));
  if (!draft) return { text: { en: `Created ${file}`, uk: `Створено ${file}` }, json: { file, name } };
  const { icons } = draft;
  return {
    text: {
      en: `Created ${file}, a first draft of ${icons} icons. Check it: the rest of the text is not in it.`,
      uk: `Створено ${file}, першу чернетку (ікон: ${icons}). Перевірте її: решти тексту в ній немає.`,
    },
    json: { file, name, draft: true, icons },
  };
}

/** Numbered steps and "if … then" lines of a text. */
async function draftFrom(context: CommandContext, prose: string, name: string): Promise<OutlineDraft> {
  const path = context.path(prose);
  const bytes = await context.ground.folders.at(dirname(path)).read(basename(path), MAX_SOURCE_BYTES);
  if (!bytes) throw noImportSource(prose);
  const outline = stepOutline(Buffer.from(bytes).toString(), 1);
  const draft = outline && draftFromOutline(name, outline, context.language);
  if (draft) return draft;
  throw new Failure("VALIDATION_FAILED", {
    en: `${prose}: no procedure found`,
    uk: `${prose}: процедури не знайдено`,
    hint: {
      en: "A first draft needs at least three numbered steps; lines such as “if …, then …” become questions.",
      uk: "Для першої чернетки треба щонайменше три пронумеровані кроки; рядки «якщо …, то …» стають питаннями.",
    },
  });
}

function firstStep(context: CommandContext, name: string): string {
  const uk = context.language === "uk";
  const step = uk ? "Перший крок" : "First step";
  const items = context.options["silhouette"]
    ? {
        "1": { type: "end" },
        "2": { type: "branch", branchId: 1, content: uk ? "Початок" : "Start", one: "3" },
        "3": { type: "action", content: step, one: "4" },
        "4": { type: "branch", branchId: 2, content: uk ? "Завершення" : "Finish", one: "1" },
      }
    : {
        "1": { type: "end" },
        "2": { type: "branch", branchId: 0, one: "3" },
        "3": { type: "action", content: step, one: "1" },
      };
  return `${JSON.stringify({ type: "drakon", name, items }, undefined, 2)}\n`;
}

async function createFile(context: CommandContext, file: string, text: string): Promise<void> {
  const path = context.path(file);
  const made = await context.ground.folders.at(dirname(path)).create(basename(path), Buffer.from(text));
  if (made === "taken") {
    throw new Failure("DUPLICATE_ENTRY", {
      en: `${file} already exists`,
      uk: `${file} вже є`,
      hint: { en: "Choose another name.", uk: "Оберіть іншу назву." },
    });
  }
}
