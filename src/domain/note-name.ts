/**
 * The file name that follows from a title: letters and digits of any script are kept, in lower case; everything else
 * becomes a hyphen. `Ідеї: скрипка №1` → `ідеї-скрипка-1`. Empty where a title has no letter and no digit.
 */
export function nameFromTitle(title: string): string {
  const name = title
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/['’ʼ`]/gu, "")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "");
  let cut = "";
  for (const char of name) {
    if (Buffer.byteLength(cut + char) > MAX_NAME_BYTES) break;
    cut += char;
  }
  return cut.replace(/-+$/, "");
}

/** `a.md`, `a-2.md`, `a-3.md` …: the first that is not taken. */
export async function freeName(
  name: (suffix: string) => string,
  isTaken: (path: string) => Promise<boolean>,
): Promise<string> {
  for (let number = 1; ; number++) {
    const path = name(number === 1 ? "" : `-${number}`);
    if (!(await isTaken(path))) return path;
  }
}

/** Whether a path lies in a folder, part by part: `notes/a` holds `notes/a/b.md`, not `notes/ab.md`. */
export const isInFolder = (path: string, folder: string): boolean =>
  folder === "." || path === folder || path.startsWith(`${folder.replace(/\/+$/, "")}/`);

const MAX_NAME_BYTES = 160;
