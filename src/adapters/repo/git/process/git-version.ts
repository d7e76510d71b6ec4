import { Failure } from "../../../../base/failure.ts";
import { type GitPlace, gitText } from "./git-process.ts";

const OLDEST = [2, 39] as const;

/** The version of the installed git. Throws if it is too old to understand our options. */
export async function gitVersion(place: GitPlace): Promise<string> {
  const version = /\d+(\.\d+)+/.exec(await gitText(place, ["--version"]))?.[0] ?? "?";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return version;
  throw new Failure("UPSTREAM_UNAVAILABLE", {
    en: `git ${version} is too old`,
    uk: `git ${version} застарий`,
    hint: { en: "Install git 2.39 or newer.", uk: "Встановіть git 2.39 або новіший." },
    details: { part: "git", version },
  });
}
