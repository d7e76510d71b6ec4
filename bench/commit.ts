import type { Bench, Size } from "./harness.ts";
import { committing } from "./ours-repo.ts";
import { checkedOut, MAIN, repositoryOf } from "./repository.ts";
import { fastImport } from "./rivals/fast-import.ts";
import { committingByPorcelain, committingByProcess } from "./rivals/git-by-process.ts";
import { committingIsomorphic } from "./rivals/isomorphic.ts";

/** Commits of one changed file of 2 KB in a repository of many files, one after the other and on 16 branches at once. */
export const commits = ({ files, crowd }: Size, scratch: string): Bench[] =>
  [1, crowd].map((workers) => {
    const repository = repositoryOf(files, workers, scratch);
    const branches = workers === 1 ? "1 branch" : `${workers} branches`;
    return {
      name: `commit one of ${files} files, synced, ${branches}`,
      unit: "commits/s",
      workers,
      ours: committing(repository, files, workers),
      rivals: [
        fastImport(repository, files, false),
        fastImport(repository, files, true),
        committingByProcess(repository, files, workers),
        committingIsomorphic(repository, files, workers),
      ],
    };
  });

/** The same on `main` while it is checked out: the file and the person's index follow, and both are looked at first. */
export const commitsOnMain = ({ files }: Size, scratch: string): Bench => {
  const repository = checkedOut(repositoryOf(files, 1, scratch));
  return {
    name: `commit one of ${files} files on main, synced, work tree and index follow`,
    unit: "commits/s",
    workers: 1,
    ours: committing(repository, files, 1, () => MAIN),
    rivals: [committingByPorcelain(repository, files)],
  };
};
