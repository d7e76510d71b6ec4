import { GATEWAY } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { runSessionName } from "../../../domain/session/session-name.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { sessionAuthor } from "../../sessions/session-garden.ts";
import type { Workspace } from "./workspace.ts";

/** The branch of a trial: commits that no ref names, so that tools read what they wrote, and git removes them later. */
export function trialWorkspace({ repo, world }: Pick<Garden, "repo" | "world">, place: RunPlace, at: Oid): Workspace {
  const session = runSessionName(place.slug, place.run);
  let head = at;
  return {
    session,
    get head() {
      return head;
    },
    refresh: async () => undefined,
    async change(_, __, work) {
      const { edits, message, fields } = await work(head);
      if (edits.length === 0) return undefined;
      const now = world.now();
      const committer = { ...GATEWAY, at: now };
      head = await repo.build({ parents: [head], edits, author: sessionAuthor(session, now), committer, message });
      return { commit: head, fields };
    },
  };
}
