import { basename, dirname } from "node:path";
import { Failure } from "../../base/failure.ts";
import { type Context, type Report, textOption } from "../command.ts";
import { nameOf } from "./diagram-files.ts";

/** A first diagram, in a file that is not there yet: a beginning, one step and an end. */
export async function newDiagram(context: Context, file: string): Promise<Report> {
  const uk = context.language === "uk";
  const name = textOption(context, "name") ?? nameOf(file);
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
    throw new Failure(
      "DUPLICATE_ENTRY",
      { en: `${file} is there already`, uk: `${file} вже є` },
      {
        hint: { en: "Choose another name.", uk: "Оберіть іншу назву." },
      },
    );
  }
  return { text: { en: `Made ${file}`, uk: `Створено ${file}` }, json: { file, name } };
}
