import { type GitPlace, git } from "../process/git-process.ts";

/** The person's `user.name` and `user.email`; undefined if one is missing. */
export async function gitIdentity(place: GitPlace): Promise<{ name: string; email: string } | undefined> {
  const answer = await git(place, ["config", "-z", "--get-regexp", "^user\\.(name|email)$"], {
    asUser: true,
    accept: [0, 1],
  });
  const set = new Map<string, string>();
  // `key\nvalue`, from the least to the most specific file: the last one counts.
  for (const record of answer.stdout.toString().split("\0")) {
    const [key = "", ...lines] = record.split("\n");
    set.set(key, lines.join(" "));
  }
  const value = (key: string): string => (set.get(key) ?? "").replace(/[\u0000-\u001f<>]/g, " ").trim();
  const [name, email] = [value("user.name"), value("user.email")];
  return name && email ? { name, email } : undefined;
}
