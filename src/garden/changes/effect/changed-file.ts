import { Failure } from "../../../base/failure.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Garden } from "../../core/garden.ts";
import type { ReadyEffect } from "./effect.ts";
import { prepareShown } from "./review.ts";

/** Larger files are shown by their patch only. */
const MAX_BYTES = 1024 * 1024;

/** One side of a changed file: its text, or its bytes if it is not text. */
export type FileSide =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "bytes"; readonly base64: string };

export interface ChangedFile {
  /** Undefined: there is no file on this side. */
  readonly before: FileSide | undefined;
  readonly after: FileSide | undefined;
}

/**
 * A file of a review, whole, before and after the change. `path` is as in the review: a path of the repository, or `store:<key>`.
 * Throws NOT_FOUND if the change does not touch it, and VALIDATION_FAILED if it is too large.
 */
export async function changedFile(
  garden: Pick<Garden, "repo" | "store" | "config">,
  read: Proposal,
  path: string,
): Promise<ChangedFile> {
  const { proposal, head, prepared } = await prepareShown(garden, read);
  if (prepared.kind === "conflict" && prepared.wanted) return bothSides(garden, proposal, head, prepared.wanted, path);
  if (prepared.kind !== "ready") throw notChanged(proposal.id, path);
  const key = path.startsWith("store:") ? path.slice("store:".length) : undefined;
  const written =
    key === undefined
      ? prepared.edits.find((edit) => edit.path === path)
      : prepared.objects.find((object) => object.key === key);
  if (!written) throw notChanged(proposal.id, path);
  const before = await bytesBefore(garden, head, path, key);
  return { before: sideOf(path, before), after: sideOf(path, written.bytes) };
}

/** A merge with conflicts: the file on main and in the session, neither of them merged. */
async function bothSides(
  { repo }: Pick<Garden, "repo">,
  { id, operation }: Proposal,
  head: Oid,
  { review }: ReadyEffect,
  path: string,
): Promise<ChangedFile> {
  if (operation.action !== "propose-merge" || !review.some((file) => file.path === path)) throw notChanged(id, path);
  const [ours, theirs] = await Promise.all([repo.read(head, path), repo.read(operation.payload.head, path)]);
  return { before: sideOf(path, ours?.bytes), after: sideOf(path, theirs?.bytes) };
}

const bytesBefore = async (
  { repo, store }: Pick<Garden, "repo" | "store">,
  head: Oid,
  path: string,
  key: string | undefined,
): Promise<Uint8Array | undefined> =>
  key === undefined ? (await repo.read(head, path))?.bytes : (await store.get(key))?.bytes;

function sideOf(path: string, bytes: Uint8Array | undefined): FileSide | undefined {
  if (bytes === undefined) return undefined;
  if (bytes.length > MAX_BYTES) throw tooLargeToShow(path);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return { kind: "text", text };
  } catch {
    // not UTF-8
  }
  return { kind: "bytes", base64: Buffer.from(bytes).toString("base64") };
}

const notChanged = (proposal: string, path: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `${proposal} does not change ${path}`,
    uk: `${proposal} не змінює ${path}`,
    hint: {
      en: `\`GET /proposals/${proposal}\` lists the files of its review.`,
      uk: `Файли переглянутої зміни показує \`GET /proposals/${proposal}\`.`,
    },
    details: { proposal, path },
  });

const tooLargeToShow = (path: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${path} is larger than ${MAX_BYTES} bytes and is not shown whole`,
    uk: `${path} більший за ${MAX_BYTES} байтів, тому повністю не показується`,
    hint: { en: "The review has the changed lines.", uk: "Змінені рядки є в самій зміні." },
    details: { path, max: MAX_BYTES },
  });
