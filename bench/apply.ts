import type { Bench, Size } from "./harness.ts";
import { approving } from "./ours-garden.ts";
import { landing } from "./ours-repo.ts";
import { checkedOut, repositoryOf } from "./repository.ts";
import { committingByPorcelain } from "./rivals/git-by-process.ts";

/** From an approval to its commit on main: one at a time in ms, and many at once that share their syncs. */
export const applies = ({ files, crowd }: Size, scratch: string): Bench[] => {
  const repository = checkedOut(repositoryOf(files, 1, scratch));
  const contenders = {
    ours: approving(repository, files),
    rivals: [landing(repository, files), committingByPorcelain(repository, files)],
  };
  return [
    {
      name: `apply: approval to commit, garden of ${files} notes`,
      unit: "ms",
      workers: 1,
      latency: true,
      ...contenders,
    },
    {
      name: `apply: ${crowd} approvals at once, garden of ${files} notes`,
      unit: "applies/s",
      workers: crowd,
      ...contenders,
    },
  ];
};
