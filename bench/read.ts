import type { Bench, Size } from "./harness.ts";
import { reading } from "./ours-repo.ts";
import { repositoryOf } from "./repository.ts";
import { catFile } from "./rivals/cat-file.ts";
import { readingByProcess } from "./rivals/git-by-process.ts";
import { readingIsomorphic } from "./rivals/isomorphic.ts";

/** Reads of scattered files at the head of `main`, one after the other and 16 at once. */
export const reads = ({ files, crowd }: Size, scratch: string): Bench[] =>
  [1, crowd].map((workers) => {
    const repository = repositoryOf(files, 1, scratch);
    return {
      name: `read one of ${files} files at HEAD, ${workers === 1 ? "1 reader" : `${workers} readers`}`,
      unit: "reads/s",
      workers,
      ours: reading(repository, files),
      rivals: [catFile(repository, files), readingByProcess(repository, files), readingIsomorphic(repository, files)],
    };
  });
