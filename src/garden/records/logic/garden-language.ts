import type { Language } from "../../../base/text.ts";
import { readGardenConfig } from "../../../domain/config/garden-config.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { tree } from "../../../domain/layout.ts";
import type { Repo } from "../../../ports/repo.ts";

/**
 * The language of a garden at a commit. Read from the commit and not from this process's settings: gate, review and apply
 * must render the same procedure, also if the owner changed the setting in between.
 */
export async function languageAt(repo: Repo, head: Oid): Promise<Language> {
  const file = await repo.read(head, tree.config);
  const reading = file && readGardenConfig(file.bytes);
  return (reading?.kind === "value" ? reading.value.language : undefined) ?? "uk";
}
