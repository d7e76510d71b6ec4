import { lchownSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Root may write anywhere, so the process runs as the user nobody, who owns the folder, during `work`. */
export async function asNobody<T>(dir: string, work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  const owner = (uid: number): void => {
    for (const path of [".", ...(readdirSync(dir, { recursive: true }) as string[])])
      lchownSync(join(dir, path), uid, uid);
  };
  owner(65534);
  process.seteuid!(65534);
  try {
    return await work();
  } finally {
    process.seteuid!(0);
    owner(0);
  }
}
