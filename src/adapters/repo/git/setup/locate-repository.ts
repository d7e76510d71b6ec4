import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { type GitPlace, git } from "../process/git-process.ts";
import { gitVersion } from "../process/git-version.ts";
import { formatUnsupported, notTheTop, repositoryUnreadable } from "./failures.ts";

export interface RepoLocation {
  readonly version: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly workTree: string | undefined;
  /** True if refs are plain files; with reftable only git can read them. */
  readonly plainRefs: boolean;
}

/** Finds the folders of the repository whose top is `place.dir`. Throws if it cannot be used. */
export async function locateRepository(place: GitPlace): Promise<RepoLocation> {
  const version = await gitVersion(place);
  const answer = await git(
    place,
    [
      "rev-parse",
      "--path-format=absolute",
      "--git-dir",
      "--git-common-dir",
      "--show-object-format",
      "--is-inside-work-tree",
      "--show-prefix",
    ],
    { accept: [0, 128] },
  );
  const [gitDir, commonDir, format, inside, prefix] = answer.stdout.toString().split("\n");
  if (answer.code !== 0 || inside === undefined) throw repositoryUnreadable(place, answer.stderr);
  if (format !== "sha1") throw formatUnsupported(format!);
  const bare = inside !== "true";
  if (bare ? gitDir !== (await realpath(place.dir)) : prefix !== "") throw notTheTop(place);
  return {
    version,
    gitDir: gitDir!,
    commonDir: commonDir!,
    workTree: bare ? undefined : place.dir,
    plainRefs: !existsSync(join(commonDir!, "reftable")),
  };
}
