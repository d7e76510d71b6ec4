import { isUtf8 } from "node:buffer";
import type { Text } from "../../../../base/text.ts";
import { repoPathProblem } from "../../../../domain/git/git-names.ts";
import { machine } from "../../../../domain/layout.ts";
import type { LeftOut } from "../../../../ports/repos.ts";
import { type GitPlace, git } from "../process/git-process.ts";

/**
 * The files of a work tree that a commit of everything takes, and those that stay untracked, each with the reason. Here,
 * and only here, the person's own ignore file counts: what they never want in any repository must not get into this one.
 */
export async function candidates(place: GitPlace): Promise<{ paths: string[]; left: LeftOut[] }> {
  const others = await git(place, ["ls-files", "-z", "--others", "--exclude-standard"], { asUser: true });
  const staged = await git(place, ["ls-files", "-z", "--stage"]);
  const paths: string[] = [];
  const left: LeftOut[] = [];
  for (const { text } of entries(staged.stdout)) {
    if (!text.startsWith("160000 ")) paths.push(text.slice(text.indexOf("\t") + 1));
  }
  for (const { text, readable } of entries(others.stdout)) {
    if (text.startsWith(`${machine.folder}/`)) continue;
    const problem = readable ? repoPathProblem(text.replace(/\/$/, "")) : "bytes that are not UTF-8";
    if (problem) left.push({ path: text.replace(/\/$/, ""), why: refusedName(problem) });
    else if (text.endsWith("/")) left.push({ path: text.slice(0, -1), why: embedded });
    else paths.push(text);
  }
  return { paths, left };
}

/** Bytes that are not UTF-8 become U+FFFD, which names another file: such a name is told, and never looked up. */
const entries = (listing: Buffer): { text: string; readable: boolean }[] =>
  isUtf8(listing)
    ? split(listing.toString()).map((text) => ({ text, readable: true }))
    : split(listing.toString("latin1"))
        .map((raw) => Buffer.from(raw, "latin1"))
        .map((bytes) => ({ text: bytes.toString(), readable: isUtf8(bytes) }));

const split = (listing: string): string[] => listing.split("\0").slice(0, -1);

const embedded: Text = {
  en: "It is a git repository of its own. Its files stay in its own history.",
  uk: "Це окремий репозиторій git. Його файли лишаються у власній історії.",
};

const refusedName = (problem: string): Text => ({
  en: `Its name cannot be used in a garden (${problem}). Rename it if it is to be kept.`,
  uk: `Таку назву не можна вживати в саду (${problem}). Перейменуйте, якщо це треба зберегти.`,
});
