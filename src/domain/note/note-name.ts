/** Without `Buffer`, because the browser makes names too. */
const utf8 = new TextEncoder();
/**
 * The file name for a title: letters and digits of any script in lower case; everything else becomes a hyphen. `Ідеї:
 * скрипка №1` → `ідеї-скрипка-1`. Empty if a title has no letter or digit.
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
    if (utf8.encode(cut + char).length > MAX_NAME_BYTES) break;
    cut += char;
  }
  const made = cut.replace(/-+$/, "");
  return DEVICE.test(made) ? `note-${made}` : made;
}

/** `a.md`, `a-2.md`, `a-3.md` …: the first free name. */
export async function freeName(
  name: (suffix: string) => string,
  isTaken: (path: string) => Promise<boolean>,
): Promise<string> {
  for (let number = 1; ; number++) {
    const path = name(number === 1 ? "" : `-${number}`);
    if (!(await isTaken(path))) return path;
  }
}

/**
 * Checks the name of a new note, which people see and every file system must hold: no control, bidirectional or
 * invisible characters, nothing that Windows refuses, and composed form, so that names that look the same are the
 * same. Existing notes may have any name.
 */
export const isNewNotePath = (path: string): boolean =>
  path === path.normalize("NFC") && !UNSEEN.test(path) && path.split("/").every(isPlainPart);

/** Zero-width joiners are part of words and emoji. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const isPlainPart = (part: string): boolean =>
  !/[<>:"|?*]/.test(part) && !/^\s|[\s.]$/.test(part) && !DEVICE.test(part);

/** True if a path is in a folder, compared by segments: `notes/a` contains `notes/a/b.md`, not `notes/ab.md`. */
export const isInFolder = (path: string, folder: string): boolean =>
  folder === "." || path === folder || path.startsWith(`${folder.replace(/\/+$/, "")}/`);

const MAX_NAME_BYTES = 160;
