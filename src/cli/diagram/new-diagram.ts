import { basename, dirname } from "node:path";
import { Failure } from "../../base/failure.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { textOption } from "../options.ts";
import { diagramNameOf } from "./diagram-files.ts";

/** Creates a diagram with one step; throws if the file exists. */
export async function newDiagram(context: CommandContext, file: string): Promise<CommandReport> {
  const uk = context.language === "uk";
  const name = textOption(context, "name") ?? diagramNameOf(file);
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
  const text = `${JSON.stringify({ type: "drakon", name, items }, undefined, 2)}\n`;
  const path = context.path(file);
  const made = await context.ground.folders.at(dirname(path)).create(basename(path), Buffer.from(text));
  if (made === "taken") {
    throw new Failure("DUPLICATE_ENTRY", {
      en: `${file} already exists`,
      uk: `${file} вже є`,
      hint: { en: "Choose another name.", uk: "Оберіть іншу назву." },
    });
  }
  return { text: { en: `Created ${file}`, uk: `Створено ${file}` }, json: { file, name } };
}
