import { type Capability, CapabilitySet, readCapability } from "../../domain/federation/capability.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { CAPABILITIES_REF, capabilityFile } from "../../domain/layout.ts";
import type { TypedObject } from "../../domain/session/typed-object.ts";
import type { Repo } from "../../ports/repo.ts";
import { readKinds } from "./kind-library.ts";

/** S-10: the grants that hold now, or held at an earlier commit of the ref. */
export async function readCapabilities(repo: Repo, at?: Oid): Promise<CapabilitySet> {
  const commit = at ?? (await repo.resolve(CAPABILITIES_REF));
  const kinds = await readKinds(repo);
  const cached = known.get(repo);
  if (cached && cached.at === commit && cached.kinds === kinds) return cached.set;
  const objects: TypedObject<Capability>[] = [];
  for (const { path } of commit === undefined ? [] : await repo.list(commit, "")) {
    const found = readCapability((await repo.read(commit!, path))!.bytes, kinds);
    // The name of a file is the id of its object: one that was edited by hand is no grant.
    if (found && path === capabilityFile(found.id)) objects.push(found);
  }
  const set = new CapabilitySet(objects, kinds);
  if (at === undefined) known.set(repo, { at: commit, kinds, set });
  return set;
}

/** The newest set by the commits of both refs that it was made from: a lookup then costs two reads of refs. */
const known = new WeakMap<Repo, { at: Oid | undefined; kinds: unknown; set: CapabilitySet }>();
