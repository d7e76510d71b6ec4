import { z } from "zod";
import type { Oid } from "../../domain/git/git-names.ts";
import { ANNOUNCE_REF, keys, machine } from "../../domain/layout.ts";
import type { FetchRequest, ServedFetch } from "../../ports/repos.ts";
import { currentSettings } from "../core/access/current-settings.ts";
import { realPause } from "../core/flow/pause.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes, tryReadJson } from "../core/json-record.ts";
import { announcementOf } from "../sessions/own-announcement.ts";
import { noPublicSpace, publicSpaceBusy } from "./failures.ts";

/** The name of the garden's own public space among the places to publish to. */
export const PUBLIC_SPACE = "public";

const LOCK_TRIES = 600;
const LOCK_PAUSE_MS = 50;

const folderOf = ({ folder }: Pick<Garden, "folder">): string => `${folder.dir}/${machine.publicSpace}`;

const released = z.strictObject({ seq: z.int(), commit: z.string() });
type Released = z.infer<typeof released>;
type SpaceDeps = Pick<Garden, "folder" | "repo" | "store">;

/**
 * Lets an announcement into the public space: the owner has seen what it holds. One that was made and not released stays out, because a
 * session may have moved after it was shown. An older one than the released changes nothing.
 */
export async function releaseAnnouncement({ store }: Pick<Garden, "store">, next: Released): Promise<void> {
  for (;;) {
    const stored = await store.get(keys.releasedAnnouncement);
    const known = tryReadJson(stored?.bytes, released);
    if (known && known.seq >= next.seq) return;
    const written = stored
      ? await store.swap(keys.releasedAnnouncement, stored.hash, jsonBytes(next))
      : await store.create(keys.releasedAnnouncement, jsonBytes(next));
    if (written.kind === "swapped" || written.kind === "created") return;
  }
}

/** Releases an announcement that holds the same as its parent, if that one is released. */
export async function releaseAfter(garden: Pick<Garden, "store">, parent: Oid, next: Released): Promise<void> {
  if ((await knownRelease(garden))?.commit === parent) await releaseAnnouncement(garden, next);
}

/**
 * S-10: makes the public space hold exactly what the released announcement names, with the chain of announcements. It is a repository of
 * its own, because whoever can fetch from a repository gets every object in it by id. Throws RATE_LIMITED while another process does it
 * for half a minute.
 */
export async function fillPublicSpace(garden: SpaceDeps): Promise<void> {
  const lock = await heldLock(garden);
  try {
    const known = await knownRelease(garden);
    const announced = known && (await announcementOf(garden.repo, known.commit));
    if (!announced) return;
    const refs = [...announced.refs].map(([name, oid]) => ({ name, oid }));
    await garden.repo.mirror(folderOf(garden), [...refs, { name: ANNOUNCE_REF, oid: announced.at }]);
  } finally {
    lock.release();
  }
}

/** The newest announcement that the owner has published, if any. */
export const releasedCommit = async (garden: Pick<Garden, "store">): Promise<Oid | undefined> =>
  (await knownRelease(garden))?.commit;

const knownRelease = async ({ store }: Pick<Garden, "store">): Promise<Released | undefined> =>
  tryReadJson((await store.get(keys.releasedAnnouncement))?.bytes, released);

async function heldLock({ folder }: Pick<Garden, "folder">): Promise<{ release(): void }> {
  for (let tries = 0; tries < LOCK_TRIES; tries++) {
    const lock = await folder.hold(machine.publicSpaceLock);
    if (lock) return lock;
    await realPause(LOCK_PAUSE_MS);
  }
  throw publicSpaceBusy();
}

/** The announcement that this process put into the public space last. */
const filledTo = new WeakMap<Garden["signals"], Oid>();

/**
 * Upkeep: the public space of this machine follows the announcements, also those of another machine of the garden, and those after which
 * the process died. Does nothing if it is not served.
 */
export async function tendPublicSpace(garden: Garden): Promise<void> {
  if (!garden.config.federation.public) return;
  const tip = (await knownRelease(garden))?.commit;
  if (tip === undefined || filledTo.get(garden.signals) === tip) return;
  await fillPublicSpace(garden);
  filledTo.set(garden.signals, tip);
}

/** Answers a git that fetches from the public space. Throws NOT_FOUND if the garden does not serve one, or nothing is in it yet. */
export async function answerFetch(garden: Garden, request: FetchRequest): Promise<ServedFetch> {
  const { federation } = await currentSettings(garden);
  if (!federation.public || (await garden.folder.stat(machine.publicSpace)).kind !== "folder") throw noPublicSpace();
  return garden.repos.serveFetch(folderOf(garden), request);
}
