import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../../../base/failure.ts";
import { type GitPlace, git } from "../process/git-process.ts";
import { gitVersion } from "../process/git-version.ts";

export interface RepoLocation {
  readonly version: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly workTree: string | undefined;
  /** Refs lie in files, as git has always kept them; otherwise (reftable) only git can read them. */
  readonly plainRefs: boolean;
}

/** Finds the parts of the repository whose top is `place.dir`, or says why it cannot be used. */
export async function locateRepository(place: GitPlace): Promise<RepoLocation> {
  const version = await gitVersion(place);
  const asked = await git(
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
  const [gitDir, commonDir, format, inside, prefix] = asked.stdout.toString().split("\n");
  if (asked.code !== 0 || inside === undefined) throw unreadable(place, asked.stderr);
  if (format !== "sha1") throw otherFormat(format!);
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

const unreadable = (place: GitPlace, said: string): Failure => {
  const line = said.replace(/^(fatal|error): /gm, "").slice(0, 500) || "?";
  return new Failure(
    "UPSTREAM_UNAVAILABLE",
    { en: `git cannot read the repository: ${line}`, uk: `git не може прочитати репозиторій: ${line}` },
    {
      hint: {
        en: "Run “git status” in the folder and follow its advice, or restore .git from a backup.",
        uk: "Виконайте в теці «git status» і скористайтеся порадою або відновіть .git з резервної копії.",
      },
      details: { part: "git", folder: place.dir },
    },
  );
};

const otherFormat = (format: string): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: `the repository names its objects by ${format}; a garden needs sha1`,
      uk: `репозиторій іменує об'єкти через ${format}, а саду потрібен sha1`,
    },
    { details: { part: "git", format } },
  );

const notTheTop = (place: GitPlace): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: "the folder lies inside a repository whose top is another folder",
      uk: "тека лежить усередині репозиторію, корінь якого — інша тека",
    },
    { details: { part: "git", folder: place.dir } },
  );
