import { basename, dirname } from "node:path";
import { Failure } from "../../base/failure.ts";
import { type Checked, checkText } from "../../drakon/check.ts";
import { MAX_DIAGRAM_CHARACTERS } from "../../drakon/diagram/diagram.ts";
import type { CommandContext } from "../command.ts";
import { usageError } from "../failures.ts";

/** A diagram file from the command line, read and checked. */
export interface DiagramFile {
  /** Path as written; `-` is standard input. */
  readonly file: string;
  /** Name of the diagram, or of its file. */
  readonly name: string;
  readonly checked: Checked;
}

const MAX_BYTES = 4 * MAX_DIAGRAM_CHARACTERS;

export async function readDiagramFile(context: CommandContext, file: string): Promise<DiagramFile> {
  const bytes = file === "-" ? await context.machine.input() : await readFile(context, file);
  const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
  const checked = checkText(text);
  const name = checked.diagram.name || diagramNameOf(file);
  const tree = checked.tree && { ...checked.tree, name };
  return { file, name, checked: { ...checked, tree } };
}

/** Reads all files; throws if none is given. */
export async function readDiagramFiles(context: CommandContext, files: readonly string[]): Promise<DiagramFile[]> {
  if (files.length === 0) {
    throw usageError(
      { en: "no diagram file given", uk: "не названо жодної діаграми" },
      { en: "Give a file, or - for standard input.", uk: "Назвіть файл або - для стандартного вводу." },
    );
  }
  const all: DiagramFile[] = [];
  for (const file of files) all.push(await readDiagramFile(context, file));
  return all;
}

export async function readFile(context: CommandContext, file: string): Promise<Uint8Array> {
  const path = context.path(file);
  const folder = context.ground.folders.at(dirname(path));
  if ((await folder.stat(basename(path))).kind === "folder") {
    throw usageError(
      { en: `${file} is a folder`, uk: `${file} — це тека` },
      { en: "Give the files in it.", uk: "Назвіть файли в ній." },
    );
  }
  const bytes = await folder.read(basename(path), MAX_BYTES);
  if (bytes) return bytes;
  throw new Failure("NOT_FOUND", { en: `no such file: ${file}`, uk: `немає файлу ${file}` });
}

/** Writes a file atomically. */
export async function writeFile(context: CommandContext, file: string, text: string): Promise<void> {
  const path = context.path(file);
  await context.ground.folders.at(dirname(path)).write(basename(path), [Buffer.from(text)]);
}

/** The beginning of a text on one line, without control characters. */
export function shortText(text: string, most: number): string {
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** `main-flow` for `drakon/main-flow.drakon.json`. */
export const diagramNameOf = (file: string): string =>
  file === "-" ? "" : basename(file).replace(/\.drakon(\.json)?$|\.json$/i, "");

/** A diagram with errors has no tree (D-2a). */
export function brokenDiagrams(broken: readonly DiagramFile[]): Failure {
  const findings = broken.flatMap(({ file, checked }) =>
    checked.findings.filter(({ severity }) => severity === "error").map((one) => ({ file, ...one })),
  );
  const [first] = findings;
  const about = first?.icon === undefined ? "" : ` (${first.icon})`;
  return new Failure("VALIDATION_FAILED", {
    en: `${first?.file}: ${first?.message.en}${about}${findings.length > 1 ? ` … ${findings.length} errors in total` : ""}`,
    uk: `${first?.file}: ${first?.message.uk}${about}${findings.length > 1 ? ` … усього помилок: ${findings.length}` : ""}`,
    hint: { en: "List all errors: `bloom diagram check FILE`.", uk: "Усе перелічить `bloom diagram check ФАЙЛ`." },
    details: { findings },
  });
}
