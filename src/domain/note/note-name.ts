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
  const made = cut.replace(/-+$/, "");
  return DEVICE.test(made) ? `note-${made}` : made;
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

/**
 * Whether a new note may be called so, for people see the name and every system must hold it: no character that moves a
 * cursor, turns a line around or is not seen, nothing that Windows refuses, and letters in composed form, so that two names
 * that look the same are the same. Notes that people made by hand are called what they are called.
 */
export const isNewNotePath = (path: string): boolean =>
  path === path.normalize("NFC") && !UNSEEN.test(path) && path.split("/").every(isPlainPart);

/** The two joiners are part of words and of emoji. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const isPlainPart = (part: string): boolean =>
  !/[<>:"|?*]/.test(part) && !/^\s|[\s.]$/.test(part) && !DEVICE.test(part);

/** Whether a path lies in a folder, part by part: `notes/a` holds `notes/a/b.md`, not `notes/ab.md`. */
export const isInFolder = (path: string, folder: string): boolean =>
  folder === "." || path === folder || path.startsWith(`${folder.replace(/\/+$/, "")}/`);

const MAX_NAME_BYTES = 160;
