import { type Capability, type CapabilityGrant, capabilityObject } from "../../domain/federation/capability.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { CAPABILITIES_REF, capabilityFile } from "../../domain/layout.ts";
import { encodeSystemCommit } from "../../domain/session/typed-commit.ts";
import type { TypedObject } from "../../domain/session/typed-object.ts";
import type { Edit } from "../../ports/repo.ts";
import { readKinds } from "../sessions/kind-library.ts";
import { landRefs, untilLanded } from "../sessions/land-refs.ts";
import { gatewaySignature, type SessionGarden } from "../sessions/session-garden.ts";

/** A grant with the id of its object, as lists show it. */
export function grantOf({ id, value }: TypedObject<Capability>): CapabilityGrant & { readonly id: string } {
  const { peer, agenticType, trigger, notAfter } = value;
  return {
    id,
    peer,
    agenticType,
    trigger,
    ...(notAfter !== undefined && { notAfter }),
  };
}

/** The id of the object, and the commit that records it; without `commit` the grant was there already. */
export interface CapabilityChange {
  readonly id: string;
  readonly commit?: Oid;
}

export async function grantCapability(garden: SessionGarden, grant: CapabilityGrant): Promise<CapabilityChange> {
  const { id, bytes, value } = capabilityObject(grant, await readKinds(garden.repo));
  const subject = `grant: ${value.peer} ${value.trigger} ${value.agenticType}`;
  const commit = await record(garden, subject, { path: capabilityFile(id), bytes });
  return { id, ...(commit !== undefined && { commit }) };
}

/** Takes a grant back, by the id of its object. Without `commit` there was no such grant. What it allowed before stays in history. */
export async function revokeCapability(garden: SessionGarden, id: string): Promise<CapabilityChange> {
  const commit = await record(garden, `revoke: ${id}`, { path: capabilityFile(id), bytes: undefined });
  return { id, ...(commit !== undefined && { commit }) };
}

/** Undefined if the tree has the edit already: no commit says nothing. */
function record(garden: SessionGarden, subject: string, edit: Edit): Promise<Oid | undefined> {
  const { repo, world } = garden;
  return untilLanded(garden, [CAPABILITIES_REF], async () => {
    const from = await repo.resolve(CAPABILITIES_REF);
    const isThere = from !== undefined && (await repo.read(from, edit.path)) !== undefined;
    if (isThere === (edit.bytes !== undefined)) return { commit: undefined };
    const by = gatewaySignature(world.now());
    const to = await repo.build(
      {
        parents: from === undefined ? [] : [from],
        edits: [edit],
        author: by,
        committer: by,
        ...encodeSystemCommit("capabilities", subject),
      },
      { durable: "with-move" },
    );
    const landed = await landRefs(garden, [{ ref: CAPABILITIES_REF, from, to, reason: "bloom capability" }]);
    return landed.kind === "landed" ? { commit: to } : undefined;
  }).then(({ commit }) => commit);
}
