import { cp } from "node:fs/promises";
import { join } from "node:path";
import { git } from "./rivals/git-rival.ts";

export const MAIN = "refs/heads/main";
const PER_FOLDER = 100;
const FILE_BYTES = 2048;

export const branchRef = (worker: number): string => `refs/heads/agents/bench-${worker}`;

export const notePath = (n: number): string =>
  `notes/${String(Math.floor(n / PER_FOLDER)).padStart(3, "0")}/note-${String(n % PER_FOLDER).padStart(2, "0")}.md`;

/** The text of a note in one of its versions. */
export const noteBytes = (n: number, version: number): Buffer =>
  Buffer.alloc(FILE_BYTES, `# Note ${n}\n\nVersion ${version} of a note with some words in it.\n`);

/** The first version of a note with one line more, as an edit usually is. */
export const noteWith = (n: number, line: string): Buffer =>
  Buffer.concat([noteBytes(n, 0), Buffer.from(`\n\n${line}\n`)]);

/** A walk over all files that does not follow their order. */
export const scattered = (step: number, files: number): number => (step * 7919) % files;

/** Puts a copy of the repository into a folder. */
export type Repository = (folder: string) => Promise<void>;

/**
 * Makes a repository of so many notes once, packed, with `main` and a branch for every worker on its one commit. Nothing
 * is checked out. Everybody gets a copy.
 */
export function repositoryOf(files: number, workers: number, scratch: string): Repository {
  const template = join(scratch, `template-${files}-${workers}`);
  let made: Promise<void> | undefined;
  return async (folder) => {
    made ??= make(template, files, workers);
    await made;
    await cp(template, folder, { recursive: true });
  };
}

/** The same with `main` in the work tree, as a person has it. */
export const checkedOut =
  (repository: Repository): Repository =>
  async (folder) => {
    await repository(folder);
    await git(folder, ["checkout", "--quiet", "main"]);
    await git(folder, ["update-index", "--refresh"]);
  };

async function make(dir: string, files: number, workers: number): Promise<void> {
  await git(".", ["init", "--quiet", "--initial-branch=main", dir]);
  const parts: (string | Buffer)[] = [
    `commit ${MAIN}\ncommitter Bench <bench@example.org> 1700000000 +0000\ndata 6\nBegin\n\n`,
  ];
  for (let n = 0; n < files; n++)
    parts.push(`M 100644 inline ${notePath(n)}\ndata ${FILE_BYTES}\n`, noteBytes(n, 0), "\n");
  for (let worker = 0; worker < workers; worker++) parts.push(`reset ${branchRef(worker)}\nfrom ${MAIN}\n\n`);
  await git(dir, ["fast-import", "--quiet"], { input: Buffer.concat(parts.map((part) => Buffer.from(part))) });
}
