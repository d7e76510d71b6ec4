import { Failure } from "../../base/failure.ts";

/** A git object id. Gardens use SHA-1 repositories: the id of a value is its blob id everywhere. */
export type Oid = string;
export type RefName = string;

export const isOid = (text: string): text is Oid => /^[0-9a-f]{40}$/.test(text);

/**
 * Checks a full ref name by git's rules and two of ours: it begins with `refs/`, and no part begins with a hyphen (it
 * could be taken for an option). Throws VALIDATION_FAILED.
 */
export function refName(name: string): RefName {
  const parts = name.split("/");
  const bad =
    parts.length < 3 ||
    parts[0] !== "refs" ||
    name.length > 400 ||
    !name.isWellFormed() ||
    /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{/.test(name) ||
    parts.some(
      (part) =>
        part === "" || part.startsWith(".") || part.startsWith("-") || part.endsWith(".lock") || part.endsWith("."),
    );
  if (bad) {
    throw new Failure("VALIDATION_FAILED", {
      en: `not a ref name: ${JSON.stringify(name)}`,
      uk: `не назва посилання git: ${JSON.stringify(name)}`,
      details: { ref: name },
    });
  }
  return name;
}

/** The reason why this is not a valid path of the repository; undefined if it is valid and safe to join to the work tree. */
export function repoPathProblem(path: string): string | undefined {
  if (path === "" || Buffer.byteLength(path) > 1000) return "empty or longer than 1,000 bytes";
  if (!path.isWellFormed() || /[\0\n\\]/.test(path)) return "a NUL, a line break, a backslash or half a surrogate pair";
  for (const part of path.split("/")) {
    if (part === "" || part === "." || part === "..") return "an empty part, `.` or `..`";
    if (isGitFolder(part)) return "a part that some system takes for `.git`";
    if (part.toLowerCase() === ".bloom") return "the machine's own folder";
    if (Buffer.byteLength(part) > 255) return "a part longer than 255 bytes";
  }
  return undefined;
}

export function repoPath(path: string): string {
  const problem = repoPathProblem(path);
  if (problem) {
    throw new Failure("VALIDATION_FAILED", {
      en: `not a path of the garden: ${JSON.stringify(path)} (${problem})`,
      uk: `не шлях у саду: ${JSON.stringify(path)} (${problem})`,
      details: { path, problem },
    });
  }
  return path;
}

/** `.git` as Windows (`git~1`, trailing dots, streams) and macOS (ignored code points) would read it. */
function isGitFolder(part: string): boolean {
  const seen = part
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "")
    .replace(/:.*$/, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
  return seen === ".git" || seen === "git~1";
}
