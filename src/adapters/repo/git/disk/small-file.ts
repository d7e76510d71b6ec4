import { readFileSync, statSync } from "node:fs";
import { lstat } from "node:fs/promises";

/** Synchronous: for a file of a line or two, a trip through the thread pool costs ten times the read. */
export const readIfThere = (path: string): string | undefined => bytesIfThere(path)?.toString();

/** The bytes of a file, on this thread. Undefined if there is no file. */
export function bytesIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EISDIR"].includes((error as NodeJS.ErrnoException).code!)) return undefined;
    throw error;
  }
}

/** Inode, size and times: changes whenever git replaces the file. Undefined if there is no file. */
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
