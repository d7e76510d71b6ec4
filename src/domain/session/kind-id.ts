import { blobId, canonicalJson } from "../../base/canonical.ts";
import type { KindRegistry } from "./kinds.ts";

/**
 * S-10: the federated id of each kind: its name, and the id of its definition, which is the name with the federated id of the kind above. So
 * an id names a whole line up to a built-in kind: gardens that define a kind alike have the same one, and no other definition has it. A kind
 * whose line does not end at a kind without a parent has no id.
 */
export function kindIds(kinds: KindRegistry): ReadonlyMap<string, string> {
  const found = known.get(kinds);
  if (found) return found;
  const ids = new Map<string, string>();
  for (const name of kinds.keys()) {
    const open: string[] = [];
    let at: string | undefined = name;
    while (at !== undefined && kinds.has(at) && !ids.has(at) && open.length <= kinds.size) {
      open.push(at);
      at = kinds.get(at);
    }
    if (at !== undefined && !ids.has(at)) continue; // a cycle, or a parent that is not registered
    for (const each of open.toReversed()) ids.set(each, definitionId(each, ids.get(kinds.get(each) ?? "")));
  }
  known.set(kinds, ids);
  return ids;
}

const definitionId = (name: string, parent: string | undefined): string =>
  `${name}@${blobId(Buffer.from(canonicalJson({ name, parent: parent ?? null })))}`;

/** Registries are never changed in place. */
const known = new WeakMap<KindRegistry, ReadonlyMap<string, string>>();
