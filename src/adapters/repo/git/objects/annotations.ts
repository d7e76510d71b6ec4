import { setTimeout as delay } from "node:timers/promises";
import { blobId } from "../../../../base/canonical.ts";
import type { World } from "../../../../base/world.ts";
import type { Oid, RefName } from "../../../../domain/git/git-names.ts";
import type { CommitAnnotations, CommitDraft, Edit, Signature } from "../../../../ports/repo.ts";
import type { RefReader } from "../refs/ref-reader.ts";
import type { RefSwap } from "../refs/ref-swap.ts";
import { commitAt } from "./build-commit.ts";
import { annotationContended, objectDamaged } from "./failures.ts";
import { isFolder } from "./object-format.ts";
import type { ObjectReader } from "./object-reader.ts";

export interface AnnotationsDeps {
  readonly reader: ObjectReader;
  readonly refs: RefReader;
  readonly swap: RefSwap;
  readonly world: World;
  build(draft: CommitDraft, options?: { readonly durable?: "at-once" | "with-move" }): Promise<Oid>;
}

const MAX_TRIES = 200;
const LONGEST_PAUSE_MS = 60;

/**
 * Git's notes, written by our own plumbing. `git notes add` writes without comparing: of 120 notes by eight writers it kept
 * 25. Here the notes ref moves by compare-and-swap, and the loser retries.
 */
export function gitAnnotations(parts: AnnotationsDeps): CommitAnnotations {
  const { reader, refs, swap, world } = parts;
  const queues = new Map<RefName, Promise<unknown>>();

  /** Every path at which this commit has a note. Git fans notes out into folders, so the depth varies. */
  async function placesOf(tree: Oid, rest: string, prefix: string): Promise<{ path: string; oid: Oid }[]> {
    const object = await reader.get(tree);
    if (object?.type !== "tree") throw objectDamaged(`the tree ${tree}`, tree);
    const whole = object.tree.find(rest);
    const folder = object.tree.find(rest.slice(0, 2));
    return [
      ...(whole && !isFolder(whole) ? [{ path: prefix + rest, oid: whole.oid }] : []),
      ...(folder && isFolder(folder) ? await placesOf(folder.oid, rest.slice(2), `${prefix}${rest.slice(0, 2)}/`) : []),
    ];
  }

  /** The edits that bind bytes to a commit in the notes tree of `head`: every other place of its note is removed. None if it is there. */
  async function editsFor(head: Oid | undefined, commit: Oid, bytes: Uint8Array | undefined): Promise<Edit[]> {
    if (bytes) await commitAt(reader, commit);
    const path = `${commit.slice(0, 2)}/${commit.slice(2)}`;
    const places = head === undefined ? [] : await placesOf((await commitAt(reader, head)).tree, commit, "");
    if (!bytes) return places.map((place) => ({ path: place.path, bytes }));
    if (places.length === 1 && places[0]!.path === path && places[0]!.oid === blobId(bytes)) return [];
    const others = places.filter((place) => place.path !== path);
    return [...others.map((place) => ({ path: place.path, bytes: undefined })), { path, bytes }];
  }

  async function annotateNow(ref: RefName, commit: Oid, bytes: Uint8Array, by: Signature): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const head = await refs.resolve(ref);
      const edits = await editsFor(head, commit, bytes);
      if (edits.length === 0) return;
      const next = await parts.build({
        parents: head === undefined ? [] : [head],
        edits,
        author: by,
        committer: by,
        message: `Annotate ${commit}`,
      });
      if ((await swap([{ ref, from: head, to: next }])).kind === "swapped") return;
      await delay(Math.min(LONGEST_PAUSE_MS, 2 + tries * 2) * (world.random(1)[0]! / 255));
    }
    throw annotationContended(ref);
  }

  return {
    annotate(ref, commit, bytes, by) {
      // Serialized within a process: parallel writers would only make each other retry.
      const result = (queues.get(ref) ?? Promise.resolve()).then(() => annotateNow(ref, commit, bytes, by));
      const quiet = result.catch(() => undefined).finally(() => queues.get(ref) === quiet && queues.delete(ref));
      queues.set(ref, quiet);
      return result;
    },
    async buildAnnotations(at, { notes, beside = [], by, message }) {
      const edits = await Promise.all(notes.map(({ commit, bytes }) => editsFor(at, commit, bytes)));
      if (at !== undefined && edits.every((each) => each.length === 0)) return at;
      return parts.build(
        {
          parents: at === undefined ? [] : [at],
          edits: [...beside, ...edits.flat()],
          author: by,
          committer: by,
          message,
        },
        { durable: "with-move" },
      );
    },
    async annotation(ref, commit) {
      const head = await refs.resolve(ref);
      if (head === undefined) return undefined;
      const places = await placesOf((await commitAt(reader, head)).tree, commit, "");
      const place = places.find(({ path }) => path[2] === "/" && path.length === 41) ?? places[0];
      if (!place) return undefined;
      const object = await reader.get(place.oid);
      if (object?.type !== "blob") throw objectDamaged(`the note of ${commit}`, place.oid);
      return new Uint8Array(object.bytes);
    },
  };
}
