import { ANNOUNCED_REFS_FILE, type Announcement, readAnnouncement } from "../../domain/federation/announcement.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { ANNOUNCE_REF } from "../../domain/layout.ts";
import type { Repo } from "../../ports/repo.ts";

/** S-10: the announcement that this garden made last; undefined before the first. */
export async function lastAnnouncement(repo: Repo): Promise<(Announcement & { readonly at: Oid }) | undefined> {
  const at = await repo.resolve(ANNOUNCE_REF);
  return at === undefined ? undefined : announcementOf(repo, at);
}

/** Undefined for a commit that is no announcement. */
export async function announcementOf(
  repo: Pick<Repo, "read" | "commit">,
  at: Oid,
): Promise<(Announcement & { readonly at: Oid }) | undefined> {
  const file = await repo.read(at, ANNOUNCED_REFS_FILE);
  const announcement = readAnnouncement((await repo.commit(at)).message, file?.bytes);
  return announcement && { ...announcement, at };
}
