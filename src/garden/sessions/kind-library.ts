import { canonicalJson } from "../../base/canonical.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { kindFile, LIBRARY_REF, peerRefs } from "../../domain/layout.ts";
import {
  builtInKinds,
  isKindName,
  type KindRegistry,
  kindProblem,
  type NewKind,
  withKind,
} from "../../domain/session/kinds.ts";
import { encodeSystemCommit } from "../../domain/session/typed-commit.ts";
import type { Repo, RepoReader } from "../../ports/repo.ts";
import { kindRefused } from "./failures.ts";
import { landRefs, untilLanded } from "./land-refs.ts";
import { gatewaySignature, type SessionGarden } from "./session-garden.ts";

/** S-1: the built-in kinds and those registered in this garden. */
export async function readKinds(repo: Repo): Promise<KindRegistry> {
  return kindsAt(repo, await repo.resolve(LIBRARY_REF));
}

/** S-10: the built-in kinds and those that another garden registered, as its accepted library has them. */
export async function readPeerKinds(repo: Repo, peer: string): Promise<KindRegistry> {
  return kindsAt(repo, await repo.resolve(peerRefs(peer).library));
}

/** Registries by the commit of the library: a commit never changes. Libraries of followed gardens come and go, so the oldest leave. */
const known = new WeakMap<object, Map<Oid, KindRegistry>>();
const MOST_KNOWN = 200;

/** The kinds at a commit of a library, of this garden or another one. */
export async function kindsAt(repo: Pick<RepoReader, "list" | "read">, at: Oid | undefined): Promise<KindRegistry> {
  if (at === undefined) return builtInKinds;
  const cached = known.get(repo) ?? new Map<Oid, KindRegistry>();
  known.set(repo, cached);
  const found = cached.get(at);
  if (found) return found;
  const kinds = new Map(builtInKinds);
  for (const { path } of await repo.list(at, "kinds")) {
    const name = kindInPath(path);
    const parent = name === undefined ? undefined : parentIn((await repo.read(at, path))?.bytes);
    // A file made by hand cannot redefine a built-in kind, and has no effect without a parent.
    if (name !== undefined && parent !== undefined && !builtInKinds.has(name)) kinds.set(name, parent);
  }
  cached.set(at, kinds);
  if (cached.size > MOST_KNOWN) cached.delete(cached.keys().next().value!);
  return kinds;
}

const kindInPath = (path: string): string | undefined => {
  const name = /^kinds\/(.*)\.json$/.exec(path)?.[1];
  return name !== undefined && isKindName(name) ? name : undefined;
};

/** The file of a registered kind. */
const kindBytes = ({ name, parent }: NewKind): Buffer => Buffer.from(canonicalJson({ name, parent }));

/** The kind that a file defines; undefined unless every byte is as `registerKind` writes it. */
export function kindFileOf(path: string, bytes: Uint8Array | undefined): NewKind | undefined {
  const [name, parent] = [kindInPath(path), parentIn(bytes)];
  if (name === undefined || parent === undefined) return undefined;
  return kindBytes({ name, parent }).equals(bytes ?? new Uint8Array()) ? { name, parent } : undefined;
}

function parentIn(bytes: Uint8Array | undefined): string | undefined {
  try {
    const { parent } = JSON.parse(Buffer.from(bytes ?? []).toString()) as { parent?: unknown };
    return typeof parent === "string" ? parent : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Registers a kind, for all processes and for ever. Throws VALIDATION_FAILED if the name is taken or the parent unknown; of two
 * processes that register the same name, one gets that failure.
 */
export const registerKind = (garden: SessionGarden, kind: NewKind): Promise<KindRegistry> =>
  landKinds(garden, (kinds) => {
    const problem = kindProblem(kinds, kind);
    if (problem) throw kindRefused(problem);
    return [kind];
  });

/** Registers kinds, those above first, in one commit. Those that are here in the same definition stay. Throws VALIDATION_FAILED. */
export const registerKinds = (garden: SessionGarden, wanted: readonly NewKind[]): Promise<KindRegistry> =>
  landKinds(garden, (kinds) => {
    const fresh = wanted.filter(({ name, parent }) => kinds.get(name) !== parent);
    let after = kinds;
    for (const kind of fresh) {
      const problem = kindProblem(after, kind);
      if (problem) throw kindRefused(problem);
      after = withKind(after, kind);
    }
    return fresh;
  });

async function landKinds(
  garden: SessionGarden,
  choose: (kinds: KindRegistry) => readonly NewKind[],
): Promise<KindRegistry> {
  const { repo, world } = garden;
  return untilLanded(garden, [LIBRARY_REF], async () => {
    const at = await repo.resolve(LIBRARY_REF);
    const kinds = await kindsAt(repo, at);
    const fresh = choose(kinds);
    if (fresh.length === 0) return kinds;
    const by = gatewaySignature(world.now());
    const subject = fresh.map(({ name, parent }) => `${name} is a ${parent}`).join(", ");
    const to = await repo.build({
      parents: at === undefined ? [] : [at],
      edits: fresh.map((kind) => ({ path: kindFile(kind.name), bytes: kindBytes(kind) })),
      author: by,
      committer: by,
      ...encodeSystemCommit("library", `kind: ${subject}`),
    });
    const landed = await landRefs(garden, [{ ref: LIBRARY_REF, from: at, to, reason: "bloom kind" }]);
    return landed.kind === "landed" ? fresh.reduce(withKind, kinds) : undefined;
  });
}
