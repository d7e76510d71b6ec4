import type { Oid } from "../../../domain/git/git-names.ts";
import { PUBLISHED_BEHAVIOURS } from "../../../domain/layout.ts";
import { kindIds } from "../../../domain/session/kind-id.ts";
import { builtInKinds } from "../../../domain/session/kinds.ts";
import { kindFileOf, kindsAt } from "../../sessions/kind-library.ts";
import { type AcceptGround, type AnnouncedMove, checkFiles, checkGrant, Refusal } from "../refusal.ts";
import { behavioursIn, signedByPeer } from "./read-library.ts";

/** Behaviours that one garden may publish. */
const MOST_BEHAVIOURS = 500;
const PLACES = /^(?:kinds\/[a-z][a-z0-9-]{0,62}\.json|behaviours\/[0-9a-f]{40}\/[a-z.]{1,40})$/;

/**
 * S-9b: takes the library of another garden if a grant allows its behaviours, and each of them is whole, has the id of its logic and is
 * signed by a key of that garden. Evidence that lies is taken and shown as such: the owner sees who lies.
 */
export async function checkLibrary(ground: AcceptGround, { from, to }: AnnouncedMove): Promise<void> {
  const { visit, space, keys } = ground;
  await checkGrant(ground, "behaviour", "head-move");
  await checkFiles(ground, to);
  const files = await visit.list(to, "");
  const stray = files.find(({ path, mode }) => !PLACES.test(path) || mode !== "100644");
  if (stray) throw new Refusal("bad-behaviour", stray.path);
  if (new Set(files.map(({ path }) => path.split("/")[1])).size > MOST_BEHAVIOURS)
    throw new Refusal("too-large", `${files.length} files`);
  await checkKinds(ground, from, to);
  for (const { behaviour, reading } of await behavioursIn(visit, to, PUBLISHED_BEHAVIOURS)) {
    const checked = signedByPeer(reading, { space, keys: [...keys] });
    if (checked.kind === "refused") throw new Refusal("bad-behaviour", `${behaviour}: ${checked.why}`);
  }
}

/** S-10: every kind is written as a garden writes it, its line ends at a built-in kind, and what was accepted before is unchanged. */
async function checkKinds({ visit }: AcceptGround, from: Oid | undefined, to: Oid): Promise<void> {
  const ids = kindIds(await kindsAt(visit, to));
  for (const { path } of await visit.list(to, "kinds")) {
    const kind = kindFileOf(path, (await visit.read(to, path))?.bytes);
    if (kind === undefined || builtInKinds.has(kind.name) || !ids.has(kind.name)) throw new Refusal("bad-kind", path);
  }
  for (const [name, id] of kindIds(await kindsAt(visit, from)))
    if (ids.get(name) !== id) throw new Refusal("bad-kind", name);
}
