import { ANNOUNCE_REF } from "../../domain/layout.ts";
import type { Remote } from "../../ports/repo.ts";
import type { Garden } from "../core/garden.ts";
import { landRefs } from "../sessions/land-refs.ts";
import { acceptLimits } from "./accept.ts";
import { checkedChain } from "./chain-check.ts";
import { foreignChain, publishRejected } from "./failures.ts";
import { releasedCommit } from "./public-space.ts";

/**
 * S-10: takes over announcements that another machine of this garden has sent to this repository, with what they name. Returns true if there
 * were any. An announcement of this machine that never left it gives way: it is made again on top. Throws CONCURRENT_MODIFICATION if
 * others may have seen it already, and VALIDATION_FAILED if the chain there is not this garden's.
 */
export async function catchUp(garden: Garden, to: Remote): Promise<boolean> {
  const { repo } = garden;
  const [tip, own] = [(await repo.tips(to, [ANNOUNCE_REF]))[0]?.oid, await repo.resolve(ANNOUNCE_REF)];
  if (tip === undefined || own === undefined || tip === own) return false;
  if (await repo.isAncestor(tip, own).catch(() => false)) return false;
  const visit = await repo.visit(to);
  try {
    if ((await visit.fetch([tip], acceptLimits)) !== "fetched") throw foreignChain(to.name);
    const [there, here] = [await checkedChain(visit, tip), await checkedChain(repo, own)];
    if ("broken" in there || "broken" in here || there.chain.space !== here.chain.space) throw foreignChain(to.name);
    const released = await releasedCommit(garden);
    if (released !== undefined && !(await visit.isAncestor(released, tip)))
      throw publishRejected(to.name, [ANNOUNCE_REF]);
    const named = [...there.announcement.refs.values()];
    if (named.length > 0 && (await visit.fetch(named, acceptLimits)) !== "fetched") throw foreignChain(to.name);
    await visit.take([tip, ...named]);
  } finally {
    await visit.close();
  }
  await landRefs(garden, [{ ref: ANNOUNCE_REF, from: own, to: tip, reason: "bloom announce" }]);
  return true;
}
