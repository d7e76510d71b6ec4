import { isUtf8 } from "node:buffer";
import { repoPathProblem } from "../../../../domain/git/git-names.ts";
import { machine } from "../../../../domain/layout.ts";
import type { LeftOut } from "../../../../ports/repos.ts";
import { type GitPlace, git } from "../process/git-process.ts";
import { embeddedRepository, unusableName } from "./failures.ts";

/**
 * The files that a commit of everything takes, and those that stay untracked, each with the reason. This is the only
 * place that honours the person's global ignore file: what they never want in a repository must not get into this one.
 */
export async function filesToCommit(place: GitPlace, hasIndex: boolean): Promise<{ paths: string[]; left: LeftOut[] }> {
  const others = await git(place, ["ls-files", "-z", "--others", "--exclude-standard"], { asUser: true });
  const staged = hasIndex ? (await git(place, ["ls-files", "-z", "--stage"])).stdout : Buffer.alloc(0);
  const paths: string[] = [];
  const left: LeftOut[] = [];
  for (const { text } of entries(staged)) {
    if (!text.startsWith("160000 ")) paths.push(text.slice(text.indexOf("\t") + 1));
  }
  for (const { text, readable } of entries(others.stdout)) {
    if (text.startsWith(`${machine.folder}/`)) continue;
    const problem = readable ? repoPathProblem(text.replace(/\/$/, "")) : "bytes that are not UTF-8";
    if (problem) left.push({ path: text.replace(/\/$/, ""), why: unusableName(problem) });
    else if (text.endsWith("/")) left.push({ path: text.slice(0, -1), why: embeddedRepository });
    else paths.push(text);
  }
  return { paths, left };
}

/** Bytes that are not UTF-8 become U+FFFD, which names another file: such a name is reported and never opened. */
const entries = (listing: Buffer): { text: string; readable: boolean }[] =>
  isUtf8(listing)
    ? split(listing.toString()).map((text) => ({ text, readable: true }))
    : split(listing.toString("latin1"))
        .map((raw) => Buffer.from(raw, "latin1"))
        .map((bytes) => ({ text: bytes.toString(), readable: isUtf8(bytes) }));

const split = (listing: string): string[] => listing.split("\0").slice(0, -1);
