import { readFileSync, statSync } from "node:fs";
import { lstat } from "node:fs/promises";

/** At once: for a file of a line or two, a turn through the thread pool costs ten times what reading it does. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EISDIR"].includes((error as NodeJS.ErrnoException).code!)) return undefined;
    throw error;
  }
}

/** Changes whenever git replaces the file; undefined if there is none. */
export function signatureOf(path: string): string | undefined {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Does not follow symbolic links: a broken link exists. */
export const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
