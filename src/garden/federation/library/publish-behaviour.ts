import { canonicalId } from "../../../base/canonical.ts";
import { crashPoint } from "../../../base/crash-point.ts";
import type { Text } from "../../../base/text.ts";
import type { SshKeyPair } from "../../../domain/federation/ssh-key.ts";
import { isOid, type Oid, type RefName } from "../../../domain/git/git-names.ts";
import type { Identity } from "../../../domain/identity.ts";
import {
  behaviourFolder,
  behaviourNameFile,
  IMPORTED_BEHAVIOURS,
  LIBRARY_REF,
  SHELF_REF,
} from "../../../domain/layout.ts";
import { type BehaviourFiles, behaviourName, travellingFiles } from "../../../domain/library/travelling-behaviour.ts";
import { encodeSystemCommit } from "../../../domain/session/typed-commit.ts";
import type { Edit, RefMove, TreeFile } from "../../../ports/repo.ts";
import type { Garden } from "../../core/garden.ts";
import { lastAnnouncement } from "../../sessions/own-announcement.ts";
import { gatewaySignature } from "../../sessions/session-garden.ts";
import { announceSessions, type OtherRefs } from "../announce.ts";
import { noGardenKey } from "../failures.ts";
import { knownGardenKey } from "../garden-key.ts";
import { type PublishPlace, sendAnnounced } from "../publish.ts";
import { behaviourDraft } from "./build-behaviour.ts";
import { malformedName, notPublished, otherThanPreviewed, unnamedBehaviour } from "./failures.ts";
import { findLibraryEntry } from "./library-rows.ts";
import { namedBehaviours, readLibrary } from "./read-library.ts";
import { editShelf, libraryAudit, sameBytes } from "./shelf.ts";

export interface BehaviourWish {
  readonly agent: string;
  readonly version?: string | undefined;
  /** Default: the name that the behaviour has in the library. */
  readonly name?: string | undefined;
}

export interface BehaviourPreview {
  readonly behaviour: string;
  readonly name: string;
  /** Every byte of it that would leave: file by file. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Other files of the library that nobody could fetch before: kinds that were registered since. */
  readonly besides: readonly { readonly path: string; readonly text: string }[];
  /** Runs with their decisions, and runs of which only the verdict leaves. */
  readonly runs: { readonly replayable: number; readonly verdict_only: number };
  readonly warnings: readonly Text[];
  /** Names exactly this: `publishBehaviour` refuses anything else. */
  readonly digest: string;
}

interface Publication {
  readonly preview: BehaviourPreview;
  readonly files: BehaviourFiles;
  readonly key: SshKeyPair;
}

/** S-9b: everything that would leave this garden, byte for byte. Writes nothing. */
export const previewBehaviour = async (garden: Garden, wish: BehaviourWish): Promise<BehaviourPreview> =>
  (await publicationOf(garden, wish)).preview;

async function publicationOf(garden: Garden, wish: BehaviourWish): Promise<Publication> {
  const [key, last] = [await knownGardenKey(garden), await lastAnnouncement(garden.repo)];
  if (!key || !last) throw noGardenKey();
  const draft = await behaviourDraft(garden, wish);
  const name = await nameFor(garden, wish, draft.behaviour);
  const files = travellingFiles({ ...draft, name, space: last.space }, key);
  const folder = behaviourFolder(draft.behaviour);
  const shown = [...files].map(([file, bytes]) => ({ path: `${folder}/${file}`, text: Buffer.from(bytes).toString() }));
  const besides = await unannounced(garden, last.refs.get(LIBRARY_REF), folder);
  const rest = (await libraryFiles(garden)).filter(({ path }) => !path.startsWith(`${folder}/`));
  const walks = draft.records.filter(({ walk }) => walk !== undefined).length;
  return {
    files,
    key,
    preview: {
      behaviour: draft.behaviour,
      name,
      files: shown,
      besides,
      runs: { replayable: walks, verdict_only: draft.records.length - walks },
      warnings: draft.warnings,
      digest: canonicalId({ files: shown, rest: rest.map(({ path, oid }) => [path, oid]) }),
    },
  };
}

async function nameFor(garden: Garden, { agent, name }: BehaviourWish, behaviour: string): Promise<string> {
  if (name !== undefined) {
    const clean = name.trim().normalize("NFC");
    if (!behaviourName.safeParse(clean).success) throw malformedName();
    return clean;
  }
  const known = (await namedBehaviours(garden.repo)).get(behaviour)?.name;
  const published = (await readLibrary(garden.repo)).find(({ id }) => id === behaviour)?.reading;
  const found = known ?? (published?.kind === "behaviour" ? published.value.head.name : undefined);
  if (found === undefined) throw unnamedBehaviour(agent);
  return found;
}

const libraryFiles = async ({ repo }: Garden): Promise<readonly TreeFile[]> => {
  const at = await repo.resolve(LIBRARY_REF);
  return at === undefined ? [] : repo.list(at, "");
};

/** The files of the library that the last announcement did not name, without those of the behaviour itself. */
async function unannounced(
  { repo }: Garden,
  last: Oid | undefined,
  folder: string,
): Promise<BehaviourPreview["besides"]> {
  const at = await repo.resolve(LIBRARY_REF);
  if (at === undefined || at === last) return [];
  const changed = (await repo.changes(last, at)).filter(({ path, after }) => after && !path.startsWith(`${folder}/`));
  return Promise.all(
    changed.map(async ({ path }) => ({ path, text: Buffer.from((await repo.read(at, path))!.bytes).toString() })),
  );
}

/**
 * Publishes what the preview showed: the library and the announcement that names it move in one transaction, then both are sent. After a
 * crash, the same call goes on where it stopped.
 */
export async function publishBehaviour(
  garden: Garden,
  wish: BehaviourWish & { readonly to: PublishPlace; readonly digest: string; readonly by: Identity },
): Promise<{ readonly seq: number; readonly commit: Oid; readonly behaviour: string }> {
  const { preview, files, key } = await publicationOf(garden, wish);
  if (preview.digest !== wish.digest) throw otherThanPreviewed();
  const { behaviour } = preview;
  const folder = behaviourFolder(behaviour);
  const edits = [...files].map(([file, bytes]) => ({ path: `${folder}/${file}`, bytes }));
  const announced = await announceSessions(garden, key, [], undefined, () =>
    libraryMove(garden, `publish: ${behaviour.slice(0, 12)}`, edits),
  );
  crashPoint("library.publish.announced");
  await sendAnnounced(garden, wish.to, announced);
  await libraryAudit(garden, "behaviour-published", wish.by, behaviour, { seq: announced.seq, agent: wish.agent });
  return { seq: announced.seq, commit: announced.commit, behaviour };
}

/** The library with these edits, to land together with the announcement of it. Sessions stay as they were announced before. */
async function libraryMove({ repo, world }: Garden, subject: string, edits: readonly Edit[]): Promise<OtherRefs> {
  const announced = (await lastAnnouncement(repo))?.refs ?? new Map<RefName, Oid>();
  const from = await repo.resolve(LIBRARY_REF);
  const there = from === undefined ? [] : await Promise.all(edits.map(({ path }) => repo.read(from, path)));
  if (from !== undefined && edits.every(({ bytes }, index) => sameBytes(there[index]?.bytes, bytes)))
    return { refs: new Map([...announced, [LIBRARY_REF, from]]), moves: [] };
  const by = gatewaySignature(world.now());
  const to = await repo.build(
    {
      parents: from === undefined ? [] : [from],
      edits,
      author: by,
      committer: by,
      ...encodeSystemCommit("library", subject),
    },
    { durable: "with-move" },
  );
  crashPoint("library.publish.built");
  const move: RefMove = { ref: LIBRARY_REF, from, to, reason: "bloom library" };
  return { refs: new Map([...announced, [LIBRARY_REF, to]]), moves: [move] };
}

/**
 * Takes a behaviour back: a published one is no longer announced (`to` says where), one from a file or with a name only is forgotten.
 * Those who fetched it have it, and history keeps it.
 */
export async function withdrawBehaviour(
  garden: Garden,
  { wanted, to, by }: { readonly wanted: string; readonly to: () => PublishPlace; readonly by: Identity },
): Promise<{ readonly id: string; readonly seq?: number }> {
  const kept = [...(await namedBehaviours(garden.repo))].find(([id, { name }]) => id === wanted || name === wanted);
  const isPublished = (await readLibrary(garden.repo)).some(({ id }) => id === kept?.[0]);
  if (kept && !isPublished) {
    if (await wasWithdrawn(garden, kept[0])) await withdrawPublished(garden, kept[0], { to, by });
    await editShelf(garden, `forget: ${kept[0].slice(0, 12)}`, [
      { path: behaviourNameFile(kept[0]), bytes: undefined },
    ]);
    await libraryAudit(garden, "behaviour-withdrawn", by, kept[0], {});
    return { id: kept[0] };
  }
  if (await wasWithdrawn(garden, wanted)) return withdrawPublished(garden, wanted, { to, by });
  const { id, behaviour, source } = await findLibraryEntry(garden, wanted);
  if (source.kind === "garden") throw notPublished(id);
  if (source.kind === "own") return withdrawPublished(garden, behaviour, { to, by });
  const place = { ref: SHELF_REF, folder: `${IMPORTED_BEHAVIOURS}/${id.replace(".", "/")}` };
  await editShelf(garden, `forget: ${id}`, await removals(garden, place));
  await libraryAudit(garden, "behaviour-withdrawn", by, id, {});
  return { id };
}

/** True for a behaviour that was published and is not any more: its withdrawal may have died before it was sent. */
async function wasWithdrawn({ repo }: Garden, wanted: string): Promise<boolean> {
  const at = isOid(wanted) ? await repo.resolve(LIBRARY_REF) : undefined;
  if (at === undefined || (await repo.list(at, behaviourFolder(wanted))).length > 0) return false;
  return (await repo.history(at, behaviourFolder(wanted), { limit: 1 })).length > 0;
}

async function withdrawPublished(
  garden: Garden,
  behaviour: string,
  { to, by }: { readonly to: () => PublishPlace; readonly by: Identity },
): Promise<{ readonly id: string; readonly seq: number }> {
  const key = await knownGardenKey(garden);
  if (!key) throw noGardenKey();
  const place = to();
  const announced = await announceSessions(garden, key, [], undefined, async () => {
    const edits = await removals(garden, { ref: LIBRARY_REF, folder: behaviourFolder(behaviour) });
    return libraryMove(garden, `withdraw: ${behaviour.slice(0, 12)}`, edits);
  });
  crashPoint("library.withdraw.announced");
  await sendAnnounced(garden, place, announced);
  await libraryAudit(garden, "behaviour-withdrawn", by, behaviour, { seq: announced.seq });
  return { id: behaviour, seq: announced.seq };
}

async function removals(
  { repo }: Garden,
  { ref, folder }: { readonly ref: RefName; readonly folder: string },
): Promise<readonly Edit[]> {
  const at = await repo.resolve(ref);
  const files = at === undefined ? [] : await repo.list(at, folder);
  return files.map(({ path }) => ({ path, bytes: undefined }));
}
