import { type GitPlace, git } from "../process/git-process.ts";

/** The person's `user.name` and `user.email`; undefined if one is missing. */
export async function gitIdentity(place: GitPlace): Promise<{ name: string; email: string } | undefined> {
  const value = async (key: string): Promise<string> => {
    const answer = await git(place, ["config", "--get", key], { asUser: true, accept: [0, 1] });
    return answer.stdout
      .toString()
      .replace(/[\u0000-\u001f<>]/g, " ")
      .trim();
  };
  const name = await value("user.name");
  const email = await value("user.email");
  return name && email ? { name, email } : undefined;
}
