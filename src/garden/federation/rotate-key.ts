import { crashPoint } from "../../base/crash-point.ts";
import {
  ANNOUNCED_REFS_FILE,
  type Announcement,
  announcedLines,
  announcementText,
} from "../../domain/federation/announcement.ts";
import { printOfLine } from "../../domain/federation/garden-peer.ts";
import {
  fingerprint,
  keyPairOf,
  privateKeyFile,
  privateKeyIn,
  publicKeyLine,
  type SshKeyPair,
} from "../../domain/federation/ssh-key.ts";
import { sshSignature } from "../../domain/federation/ssh-signature.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import type { Identity } from "../../domain/identity.ts";
import { ANNOUNCE_REF, machine } from "../../domain/layout.ts";
import { decodeSystemCommit } from "../../domain/session/typed-commit.ts";
import type { Commit, Repo } from "../../ports/repo.ts";
import type { Garden } from "../core/garden.ts";
import { landRefs, untilLanded } from "../sessions/land-refs.ts";
import { lastAnnouncement } from "../sessions/own-announcement.ts";
import { gatewaySignature } from "../sessions/session-garden.ts";
import { keyChangedElsewhere, keyFileTaken, noGardenKey, notThisGardensKey } from "./failures.ts";
import { tellFederation } from "./federation-audit.ts";
import { knownGardenKey, MAX_KEY_FILE_BYTES } from "./garden-key.ts";
import { releaseAfter } from "./public-space.ts";

type KeyDeps = Pick<Garden, "folder" | "repo" | "world">;
type Last = Announcement & { readonly at: Oid };

/** The fingerprint of the key that signs the announcement after this one: that of the newest hand-over, else the first key. */
async function presentSigner(repo: Pick<Repo, "commit">, { at, space }: Last): Promise<string> {
  for (let next: Oid | undefined = at; next !== undefined; ) {
    const { message, parents }: Commit = await repo.commit(next);
    const line = decodeSystemCommit(message, "announcement")?.["next"];
    if (typeof line === "string") return printOfLine(line);
    next = parents[0];
  }
  return space;
}

const printOf = ({ publicKey }: SshKeyPair): string => fingerprint(publicKey);

/**
 * The key of this machine, after completing a change of keys that was interrupted once its hand-over was announced. Throws
 * INVALID_TRANSITION if another machine of the garden has changed the key: what this one signs would be refused everywhere.
 */
export async function signingKeyPair(garden: KeyDeps): Promise<SshKeyPair | undefined> {
  const last = await lastAnnouncement(garden.repo);
  const [key, waiting] = [await knownGardenKey(garden), await waitingKey(garden)];
  if (!last) return key;
  const signer = await presentSigner(garden.repo, last);
  if (waiting && printOf(waiting) === signer) {
    await placeKey(garden, waiting);
    return waiting;
  }
  if (key && printOf(key) !== signer) throw keyChangedElsewhere(signer);
  return key;
}

async function waitingKey({ folder }: Pick<Garden, "folder">): Promise<SshKeyPair | undefined> {
  const there = await folder.read(machine.nextGardenKey, MAX_KEY_FILE_BYTES);
  return there && privateKeyIn(Buffer.from(there).toString());
}

const keyFile = (pair: SshKeyPair, { world }: Pick<Garden, "world">): Buffer =>
  Buffer.from(privateKeyFile(pair, "garden", Buffer.from(world.random(4)).readUInt32BE()));

async function placeKey(garden: KeyDeps, pair: SshKeyPair): Promise<void> {
  await garden.folder.write(machine.gardenKey, [keyFile(pair, garden)], "private");
  crashPoint("federation.rotate.placed");
  await garden.folder.removeFile(machine.nextGardenKey);
}

export interface RotatedKey {
  readonly before: string;
  readonly fingerprint: string;
  readonly seq: number;
}

/**
 * S-10: a new key. The old one signs an announcement that names it, and the new one confirms it with the next; both hold what was
 * announced before. The new key is on disk before it is announced, and takes the place of the old one afterwards: a crash at any point is
 * completed by the next use of the key, or nothing was announced. Of two machines that change the key at once one wins; the other throws.
 */
export async function rotateKey(garden: Garden, by: Identity): Promise<RotatedKey> {
  const old = await signingKeyPair(garden);
  if (!old) throw noGardenKey();
  const next = await madeKey(garden);
  crashPoint("federation.rotate.made");
  const handedOver = await announceAgain(garden, old, publicKeyLine(next.publicKey)).catch(async (error: unknown) => {
    await forgetUnused(garden, next);
    throw error;
  });
  crashPoint("federation.rotate.announced");
  await placeKey(garden, next);
  crashPoint("federation.rotate.unconfirmed");
  const { seq } = await confirmKey(garden, next, handedOver);
  const [before, print] = [printOf(old), printOf(next)];
  await tellFederation(garden, "key-rotated", by, print, { before, seq });
  return { before, fingerprint: print, seq };
}

/** A key that waits since a change that was interrupted before its announcement is used now. */
async function madeKey(garden: KeyDeps): Promise<SshKeyPair> {
  const pair = keyPairOf(garden.world.random(32));
  const outcome = await garden.folder.create(machine.nextGardenKey, keyFile(pair, garden), "private");
  return outcome === "created" ? pair : (await waitingKey(garden))!;
}

/** Another machine was first: the new key signs nothing. */
async function forgetUnused(garden: KeyDeps, next: SshKeyPair): Promise<void> {
  const last = await lastAnnouncement(garden.repo);
  if (last && (await presentSigner(garden.repo, last)) !== printOf(next))
    await garden.folder.removeFile(machine.nextGardenKey);
}

/** The same refs as before under the next number, signed by the key whose turn it is. Throws INVALID_TRANSITION if it is not. */
async function announceAgain(garden: Garden, key: SshKeyPair, nextLine?: string): Promise<Last> {
  const { repo, world } = garden;
  return untilLanded(garden, [ANNOUNCE_REF], async () => {
    const last = await lastAnnouncement(repo);
    if (!last) throw noGardenKey();
    const signer = await presentSigner(repo, last);
    if (signer !== printOf(key)) throw keyChangedElsewhere(signer);
    const next: Announcement = { space: last.space, seq: last.seq + 1, refs: last.refs, next: nextLine };
    const author = gatewaySignature(world.now());
    const to = await repo.build(
      {
        parents: [last.at],
        edits: [{ path: ANNOUNCED_REFS_FILE, bytes: Buffer.from(announcedLines(last.refs)) }],
        author,
        committer: author,
        ...announcementText(next),
        sign: (content) => sshSignature(content, key),
      },
      { durable: "with-move" },
    );
    const landed = await landRefs(garden, [{ ref: ANNOUNCE_REF, from: last.at, to, reason: "bloom announce" }]);
    if (landed.kind !== "landed") return undefined;
    await releaseAfter(garden, last.at, { seq: next.seq, commit: to });
    return { ...next, at: to };
  });
}

/** Others accept a chain whose newest announcement is signed by the key that they compared. */
async function confirmKey(garden: Garden, key: SshKeyPair, last: Last): Promise<Last> {
  return last.next === publicKeyLine(key.publicKey) ? announceAgain(garden, key) : last;
}

/** Completes what a crash left: the new key confirms its hand-over. Called before anything is announced. */
export async function settleKey(garden: Garden): Promise<SshKeyPair | undefined> {
  const key = await signingKeyPair(garden);
  const last = await lastAnnouncement(garden.repo);
  if (key && last) await confirmKey(garden, key, last);
  return key;
}

/** The file of the key, as `ssh-keygen` reads it. Throws INVALID_TRANSITION without a key. */
export async function keyForBackup(
  garden: KeyDeps,
): Promise<{ readonly bytes: Uint8Array; readonly fingerprint: string }> {
  const key = await signingKeyPair(garden);
  if (!key) throw noGardenKey();
  return { bytes: keyFile(key, garden), fingerprint: printOf(key) };
}

/**
 * Puts a key from a backup, or of another machine, into its place. Throws VALIDATION_FAILED for a file that is no key, and for a key that
 * is not the present one of this garden.
 */
export async function restoreKey(garden: Garden, file: Uint8Array, by: Identity): Promise<string> {
  const pair = privateKeyIn(Buffer.from(file).toString());
  const last = await lastAnnouncement(garden.repo);
  const signer = last && (await presentSigner(garden.repo, last));
  if (signer !== undefined && signer !== printOf(pair)) throw notThisGardensKey(printOf(pair), signer);
  const there = await knownGardenKey(garden);
  if (!last && there && printOf(there) !== printOf(pair)) throw keyFileTaken();
  await garden.folder.makeFolder(machine.keys, "private");
  await placeKey(garden, pair);
  await tellFederation(garden, "key-restored", by, printOf(pair), {});
  return printOf(pair);
}
