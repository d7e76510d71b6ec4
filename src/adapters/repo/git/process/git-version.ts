import { Failure } from "../../../../base/failure.ts";
import { type GitPlace, gitText } from "./git-process.ts";

const OLDEST = [2, 39] as const;

/** Asked once per process and PATH: every repository that is opened needs it. */
const known = new Map<string, Promise<string>>();

/** The version of the installed git. Throws if it is too old to understand our options. */
export function gitVersion(place: GitPlace): Promise<string> {
  const path = place.environment["PATH"] ?? "";
  const version = known.get(path) ?? askVersion(place);
  known.set(path, version);
  version.catch(() => known.delete(path)); // a person may install another one and try again
  return version;
}

async function askVersion(place: GitPlace): Promise<string> {
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
