import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Oid } from "../../../../domain/git/git-names.ts";
import { type GitPlace, git, gitText } from "../process/git-process.ts";

/**
 * Conversion between blobs and work-tree files: line endings, filters (LFS), encodings. The person's own settings decide,
 * so git runs with their configuration, and only where such a setting applies.
 */
export interface Conversion {
  readonly fileMode: boolean;
  /** The blob id that git would give to these bytes under this path. */
  cleaned(path: string, bytes: Buffer): Promise<Oid>;
  /** False if the file always equals its blob. `attributesThere`: a `.gitattributes` lies above the path. */
  mayConvert(attributesThere: boolean): boolean;
  /** The bytes that git would write into the work tree. */
  converted(commit: Oid, path: string): Promise<Buffer>;
}

export async function conversionIn(place: GitPlace, commonDir: string): Promise<Conversion> {
  const { stdout } = await git(
    place,
    ["config", "--type=path", "-z", "--get-regexp", "^core\\.(autocrlf|filemode|attributesfile)$"],
    { asUser: true, accept: [0, 1] },
  );
  const settings = new Map(
    stdout
      .toString()
      .split("\0")
      .filter((each) => each !== "")
      .map((each) => [each.split("\n", 1)[0]!, each.slice(each.indexOf("\n") + 1)]),
  );
  const { HOME, XDG_CONFIG_HOME } = place.environment;
  const attributeFiles = [
    join(commonDir, "info", "attributes"),
    settings.get("core.attributesfile") ??
      (XDG_CONFIG_HOME ? join(XDG_CONFIG_HOME, "git", "attributes") : HOME && join(HOME, ".config/git/attributes")),
    "/etc/gitattributes",
  ];
  const everywhere =
    /^(true|yes|on|1)$/i.test(settings.get("core.autocrlf") ?? "") ||
    attributeFiles.some((file) => file !== undefined && file !== "" && existsSync(file));
  return {
    fileMode: !/^(false|no|off|0)$/i.test(settings.get("core.filemode") ?? ""),
    cleaned: (path, bytes) =>
      gitText(place, ["hash-object", `--path=${path}`, "--stdin"], { input: bytes, asUser: true }),
    mayConvert: (attributesThere) => everywhere || attributesThere,
    converted: async (commit, path) =>
      (await git(place, ["cat-file", "--filters", `${commit}:${path}`], { asUser: true })).stdout,
  };
}
