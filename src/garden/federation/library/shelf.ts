import { canonicalJson } from "../../../base/canonical.ts";
import { type Identity, identityName } from "../../../domain/identity.ts";
import { behaviourNameFile, SHELF_REF } from "../../../domain/layout.ts";
import { behaviourName } from "../../../domain/library/travelling-behaviour.ts";
import { isLogicVersion } from "../../../domain/logic/logic-version.ts";
import { encodeSystemCommit } from "../../../domain/session/typed-commit.ts";
import type { Edit } from "../../../ports/repo.ts";
import { recordAudit } from "../../core/audit.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { logicOfVersion, readLogicState } from "../../records/logic/logic-state.ts";
import { unknownVersion } from "../../records/logic/operation-logic.ts";
import { logicOfFiles } from "../../records/logic/proposed-logic.ts";
import { landRefs, untilLanded } from "../../sessions/land-refs.ts";
import { gatewaySignature } from "../../sessions/session-garden.ts";
import { malformedName } from "./failures.ts";
import { type NamedBehaviour, namedBehaviour } from "./read-library.ts";

/** Changes the shelf in one commit. Nothing happens if all edits are there already. */
export async function editShelf(
  garden: Pick<Garden, "repo" | "world">,
  subject: string,
  edits: readonly Edit[],
): Promise<void> {
  const { repo, world } = garden;
  await untilLanded(garden, [SHELF_REF], async () => {
    const from = await repo.resolve(SHELF_REF);
    const there = from === undefined ? [] : await Promise.all(edits.map(({ path }) => repo.read(from, path)));
    if (edits.every(({ bytes }, index) => sameBytes(there[index]?.bytes, bytes))) return true;
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
    return (await landRefs(garden, [{ ref: SHELF_REF, from, to, reason: "bloom library" }])).kind === "landed"
      ? true
      : undefined;
  });
}

export const sameBytes = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one === undefined || other === undefined ? one === other : Buffer.from(one).equals(other);

/** S-9b: names the behaviour of an agent's version (default: the current one). Another name for the same behaviour replaces the first. */
export async function nameBehaviour(
  garden: Garden,
  wish: { readonly agent: string; readonly version?: string | undefined; readonly name: string },
  by: Identity,
): Promise<NamedBehaviour & { readonly behaviour: string }> {
  const name = wish.name.trim().normalize("NFC");
  if (!behaviourName.safeParse(name).success) throw malformedName();
  const at = await headOf(garden.repo);
  const state = await readLogicState(garden.repo, at, wish.agent);
  const version = wish.version ?? state.meta.logicVersion;
  const logic = isLogicVersion(version) ? await logicOfVersion(garden.repo, at, state, version) : undefined;
  if (!logic) throw unknownVersion(version, state);
  const { behaviour } = logicOfFiles(logic);
  const named = namedBehaviour.parse({ name, agent: wish.agent, version });
  const bytes = Buffer.from(canonicalJson(named));
  await editShelf(garden, `name: ${behaviour.slice(0, 12)}`, [{ path: behaviourNameFile(behaviour), bytes }]);
  await libraryAudit(garden, "behaviour-named", by, behaviour, { ...named });
  return { ...named, behaviour };
}

type LibraryAudit =
  | "behaviour-named"
  | "behaviour-published"
  | "behaviour-withdrawn"
  | "behaviour-imported"
  | "behaviour-adopted";

/** The audit record of a verb of the library. */
export async function libraryAudit(
  garden: Pick<Garden, "store" | "signals" | "world">,
  kind: LibraryAudit,
  by: Identity,
  subject: string,
  details: { readonly [name: string]: string | number },
): Promise<void> {
  const mark = Buffer.from(garden.world.random(4)).toString("hex");
  const at = new Date(garden.world.now()).toISOString();
  await recordAudit(garden, `${kind}-${mark}`, { kind, at, by: identityName(by), subject, details });
}
