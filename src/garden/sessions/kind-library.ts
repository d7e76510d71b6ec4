import { canonicalJson } from "../../base/canonical.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { kindFile, LIBRARY_REF } from "../../domain/layout.ts";
import { builtInKinds, type KindRegistry, kindProblem, type NewKind, withKind } from "../../domain/session/kinds.ts";
import { encodeSystemCommit } from "../../domain/session/typed-commit.ts";
import type { Repo } from "../../ports/repo.ts";
import { kindRefused } from "./failures.ts";
import { landRefs, untilLanded } from "./land-refs.ts";
import { gatewaySignature, type SessionGarden } from "./session-garden.ts";

/** S-1: the built-in kinds and those registered in this garden. */
export async function readKinds(repo: Repo): Promise<KindRegistry> {
  return kindsAt(repo, await repo.resolve(LIBRARY_REF));
}

/** Registries by the commit of the library: a commit never changes. */
const known = new WeakMap<Repo, { readonly at: Oid; readonly kinds: KindRegistry }>();

async function kindsAt(repo: Repo, at: Oid | undefined): Promise<KindRegistry> {
  if (at === undefined) return builtInKinds;
  const cached = known.get(repo);
  if (cached?.at === at) return cached.kinds;
  const kinds = new Map(builtInKinds);
  for (const { path } of await repo.list(at, "kinds")) {
    const name = /^kinds\/([a-z][a-z0-9-]*)\.json$/.exec(path)?.[1];
    const parent = name === undefined ? undefined : parentIn((await repo.read(at, path))?.bytes);
    // A file made by hand cannot redefine a built-in kind, and a parent that is missing makes the kind a kind of nothing.
    if (name !== undefined && !builtInKinds.has(name)) kinds.set(name, parent);
  }
  known.set(repo, { at, kinds });
  return kinds;
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
export async function registerKind(garden: SessionGarden, kind: NewKind): Promise<KindRegistry> {
  const { repo, world } = garden;
  return untilLanded(garden, [LIBRARY_REF], async () => {
    const at = await repo.resolve(LIBRARY_REF);
    const kinds = await kindsAt(repo, at);
    const problem = kindProblem(kinds, kind);
    if (problem) throw kindRefused(problem);
    const by = gatewaySignature(world.now());
    const to = await repo.build({
      parents: at === undefined ? [] : [at],
      edits: [{ path: kindFile(kind.name), bytes: Buffer.from(canonicalJson({ ...kind })) }],
      author: by,
      committer: by,
      ...encodeSystemCommit("library", `kind: ${kind.name} is a ${kind.parent}`),
    });
    const landed = await landRefs(garden, [{ ref: LIBRARY_REF, from: at, to, reason: "bloom kind" }]);
    return landed.kind === "landed" ? withKind(kinds, kind) : undefined;
  });
}
