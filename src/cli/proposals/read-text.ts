import { basename, dirname, relative } from "node:path";
import { Failure } from "../../base/failure.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { MAX_OBJECT_BYTES } from "../../ports/store.ts";
import type { CommandContext } from "../command.ts";
import { usageError } from "../failures.ts";
import { textOption } from "../options.ts";

/** Input from `--text`, a file, or `-` for standard input; undefined if none is given. */
export async function readInputBytes(
  context: CommandContext,
  file: string | undefined,
): Promise<Uint8Array | undefined> {
  const text = textOption(context, "text");
  if (text !== undefined && file !== undefined)
    throw usageError(
      { en: "text given twice: --text and a file", uk: "текст подано двічі: --text і файл" },
      { en: "Use one of them.", uk: "Залиште щось одне." },
    );
  if (text !== undefined) return Buffer.from(text.endsWith("\n") ? text : `${text}\n`);
  return file === undefined ? undefined : readNamed(context, file);
}

/** The same as text; throws if it is not UTF-8. */
export async function readInputText(context: CommandContext, file: string | undefined): Promise<string | undefined> {
  const bytes = await readInputBytes(context, file);
  return bytes && decodeText(bytes, file ?? "--text");
}

export async function requireInputText(context: CommandContext, file: string | undefined): Promise<string> {
  const text = await readInputText(context, file);
  if (text !== undefined) return text;
  throw usageError(
    { en: "no text given", uk: "бракує тексту" },
    {
      en: "Give a file, - for standard input, or --text.",
      uk: "Назвіть файл, або - для стандартного вводу, або --text.",
    },
  );
}

/** The text of the file given by an option (`--diff FILE`). */
export async function readOptionFile(context: CommandContext, option: string): Promise<string | undefined> {
  const file = textOption(context, option);
  return file === undefined ? undefined : decodeText(await readNamed(context, file), file);
}

export function decodeText(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Failure("VALIDATION_FAILED", { en: `${name} is not text in UTF-8`, uk: `${name} — не текст у UTF-8` });
  }
}

export function decodeJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Failure("INVALID_JSON", { en: `${name} is not JSON`, uk: `${name} — не JSON` });
  }
}

/** Resolves a path argument: relative to the garden, or to the working directory. */
export async function gardenPath(context: CommandContext, garden: Garden, written: string): Promise<string> {
  const from = relative(garden.dir, context.path(written)).replaceAll("\\", "/");
  const outside = from === "" || from.startsWith("..");
  if (outside || (await isThere(garden, written))) return written;
  // A new note: relative to the garden, unless its folder exists only below the working directory. A bare name has no folder.
  const folder = dirname(written);
  return folder === "." || (await isThere(garden, from)) || !(await isThere(garden, folder)) ? from : written;
}

/** True for an existing normalised path; `./a`, `a//b` and `../a` are relative to the working directory. */
const isThere = async ({ folder }: Garden, path: string): Promise<boolean> =>
  !/[\0\\]/.test(path) &&
  path.split("/").every((part) => part !== "" && part !== "." && part !== "..") &&
  (await folder.stat(path)).kind !== "missing";

async function readNamed(context: CommandContext, file: string): Promise<Uint8Array> {
  if (file === "-") return context.machine.input();
  const path = context.path(file);
  const bytes = await context.ground.folders.at(dirname(path)).read(basename(path), MAX_OBJECT_BYTES);
  if (bytes) return bytes;
  throw new Failure("NOT_FOUND", { en: `no such file: ${file}`, uk: `немає файлу ${file}` });
}
