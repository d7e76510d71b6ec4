import { basename, dirname, relative } from "node:path";
import { Failure } from "../../base/failure.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { MAX_OBJECT_BYTES } from "../../ports/store.ts";
import { type Context, textOption } from "../command.ts";
import { wrongUse } from "../parse.ts";

/** What a person hands over: `--text`, a file, or `-` for the standard input. Undefined if they named none. */
export async function writtenBytes(context: Context, file: string | undefined): Promise<Uint8Array | undefined> {
  const text = textOption(context, "text");
  if (text !== undefined && file !== undefined)
    throw wrongUse(
      { en: "the text is given twice: --text and a file", uk: "текст подано двічі: --text і файл" },
      { en: "Use one of them.", uk: "Залиште щось одне." },
    );
  if (text !== undefined) return Buffer.from(text.endsWith("\n") ? text : `${text}\n`);
  return file === undefined ? undefined : readNamed(context, file);
}

/** The same as text; one that is no UTF-8 is refused. */
export async function writtenText(context: Context, file: string | undefined): Promise<string | undefined> {
  const bytes = await writtenBytes(context, file);
  return bytes && asText(bytes, file ?? "--text");
}

export async function neededText(context: Context, file: string | undefined): Promise<string> {
  const text = await writtenText(context, file);
  if (text !== undefined) return text;
  throw wrongUse(
    { en: "the text is missing", uk: "бракує тексту" },
    {
      en: "Name a file, or - for the standard input, or use --text.",
      uk: "Назвіть файл, або - для стандартного вводу, або --text.",
    },
  );
}

/** A file that an option names (`--diff FILE`), as text. */
export async function textOfOption(context: Context, option: string): Promise<string | undefined> {
  const file = textOption(context, option);
  return file === undefined ? undefined : asText(await readNamed(context, file), file);
}

export function asText(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Failure("VALIDATION_FAILED", { en: `${name} is not text in UTF-8`, uk: `${name} — не текст у UTF-8` });
  }
}

export function asJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Failure("INVALID_JSON", { en: `${name} is not JSON`, uk: `${name} — не JSON` });
  }
}

/** A note as it stands in the garden: written from its top, or from where the person is. */
export async function gardenPath(context: Context, garden: Garden, written: string): Promise<string> {
  const from = relative(garden.dir, context.path(written)).replaceAll("\\", "/");
  const outside = from === "" || from.startsWith("..");
  if (outside || (await isThere(garden, written))) return written;
  // A new note may be meant from either place: from the top, unless its folder is only here. A bare name has no folder.
  const folder = dirname(written);
  return folder === "." || (await isThere(garden, from)) || !(await isThere(garden, folder)) ? from : written;
}

/** Only what is written in full is looked for: `./a`, `a//b` and `../a` are somebody's way from where they are. */
const isThere = async ({ folder }: Garden, path: string): Promise<boolean> =>
  !/[\0\\]/.test(path) &&
  path.split("/").every((part) => part !== "" && part !== "." && part !== "..") &&
  (await folder.look(path)).kind !== "missing";

async function readNamed(context: Context, file: string): Promise<Uint8Array> {
  if (file === "-") return context.machine.input();
  const path = context.path(file);
  const bytes = await context.ground.folders.at(dirname(path)).read(basename(path), MAX_OBJECT_BYTES);
  if (bytes) return bytes;
  throw new Failure("NOT_FOUND", { en: `there is no file ${file}`, uk: `немає файлу ${file}` });
}
