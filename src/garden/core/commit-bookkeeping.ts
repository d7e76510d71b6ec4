import { BOOKKEEPING, GATEWAY } from "../../domain/git/gateway-commit.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { MAIN_REF } from "../../domain/layout.ts";
import type { Edit } from "../../ports/repo.ts";
import type { Garden } from "./garden.ts";

/**
 * Commits derived files to main, as the gateway (P-8a). Undefined if main has moved, a person has uncommitted edits of
 * these files or runs git: nothing is changed then.
 */
export async function commitBookkeeping(
  { repo, world }: Pick<Garden, "repo" | "world">,
  head: Oid,
  { kind, message, edits }: { readonly kind: string; readonly message: string; readonly edits: readonly Edit[] },
): Promise<Oid | undefined> {
  const author = { ...GATEWAY, at: world.now() };
  const trailers = [[BOOKKEEPING, kind]] as const;
  const commit = await repo.build({ parents: [head], edits, author, committer: author, message, trailers });
  const moved = await repo.move([{ ref: MAIN_REF, from: head, to: commit }]);
  return moved.kind === "moved" ? commit : undefined;
}
