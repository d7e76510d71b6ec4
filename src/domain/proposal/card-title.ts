/** The title in lists: the proposer's words, with the name of the target where they do not say it. Titles of one run differ then. */
export function cardTitle({ summary, target }: { readonly summary: string; readonly target: string }): string {
  const name = target.slice(target.lastIndexOf("/") + 1).replace(/\.md$/, "");
  return summary.toLowerCase().includes(name.toLowerCase()) ? summary : `${summary}: ${name}`;
}
