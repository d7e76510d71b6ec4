import { basename, dirname } from "node:path";
import { Failure } from "../../base/failure.ts";
import { type Checked, checkText } from "../../drakon/check.ts";
import { MAX_DIAGRAM_CHARACTERS } from "../../drakon/diagram/diagram.ts";
import type { Context } from "../command.ts";
import { wrongUse } from "../parse.ts";

/** A diagram that was named on the command line, read and checked. */
export interface NamedDiagram {
  /** As the person wrote it; `-` is the standard input. */
  readonly file: string;
  /** What the diagram is called: its own name, or that of its file. */
  readonly name: string;
  readonly checked: Checked;
}

const MAX_BYTES = 4 * MAX_DIAGRAM_CHARACTERS;

export async function readNamed(context: Context, file: string): Promise<NamedDiagram> {
  const bytes = file === "-" ? await context.machine.input() : await readFile(context, file);
  const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
  const checked = checkText(text);
  const name = checked.diagram.name || nameOf(file);
  const tree = checked.tree && { ...checked.tree, name };
  return { file, name, checked: { ...checked, tree } };
}

/** All of them; at least one must be named. */
export async function readAll(context: Context, files: readonly string[]): Promise<NamedDiagram[]> {
  if (files.length === 0) {
    throw wrongUse(
      { en: "no diagram was named", uk: "не названо жодної діаграми" },
      { en: "Name a file, or - for the standard input.", uk: "Назвіть файл або - для стандартного вводу." },
    );
  }
  const all: NamedDiagram[] = [];
  for (const file of files) all.push(await readNamed(context, file));
  return all;
}

export async function readFile(context: Context, file: string): Promise<Uint8Array> {
  const path = context.path(file);
  const folder = context.ground.folders.at(dirname(path));
  if ((await folder.look(basename(path))).kind === "folder") {
    throw wrongUse(
      { en: `${file} is a folder`, uk: `${file} — це тека` },
      { en: "Name the files in it.", uk: "Назвіть файли в ній." },
    );
  }
  const bytes = await folder.read(basename(path), MAX_BYTES);
  if (bytes) return bytes;
  throw new Failure("NOT_FOUND", { en: `there is no file ${file}`, uk: `немає файлу ${file}` });
}

/** Writes a file that the person named, whole or not at all. */
export async function writeFile(context: Context, file: string, text: string): Promise<void> {
  const path = context.path(file);
  await context.ground.folders.at(dirname(path)).write(basename(path), [Buffer.from(text)]);
}

/** The beginning of an icon's text on one line, without anything that a terminal would obey. */
export function shortText(text: string, most: number): string {
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** `main-flow` for `drakon/main-flow.drakon.json`. */
export const nameOf = (file: string): string =>
  file === "-" ? "" : basename(file).replace(/\.drakon(\.json)?$|\.json$/i, "");

/** A diagram with errors has no meaning to go on with (D-2a). */
export function refusal(broken: readonly NamedDiagram[]): Failure {
  const findings = broken.flatMap(({ file, checked }) =>
    checked.findings.filter(({ severity }) => severity === "error").map((one) => ({ file, ...one })),
  );
  const [first] = findings;
  const about = first?.icon === undefined ? "" : ` (${first.icon})`;
  return new Failure(
    "VALIDATION_FAILED",
    {
      en: `${first?.file}: ${first?.message.en}${about}${findings.length > 1 ? ` … ${findings.length} errors in all` : ""}`,
      uk: `${first?.file}: ${first?.message.uk}${about}${findings.length > 1 ? ` … усього помилок: ${findings.length}` : ""}`,
    },
    {
      hint: { en: "`bloom diagram check FILE` lists everything.", uk: "Усе перелічить `bloom diagram check ФАЙЛ`." },
      details: { findings },
    },
  );
}
