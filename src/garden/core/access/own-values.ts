import { isOwnValuesRule, ownValuesRule } from "../../../domain/config/auto-approve.ts";
import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { Identity } from "../../../domain/identity.ts";
import type { Garden } from "../garden.ts";
import { changeSettingList, readSettingList } from "./edit-settings.ts";

/** True if a rule of the owner approves the bookkeeping values of this agent. */
export const approvesOwnValues = ({ auto_approve: rules }: Pick<GardenConfig, "auto_approve">, slug: string): boolean =>
  rules.some((rule) => isOwnValuesRule(rule, slug));

/**
 * Makes or removes the owner's rule for an agent's own values, as an edit of `garden.yaml` (P-9). Returns the commit, or undefined if
 * nothing had to change.
 */
export async function setOwnValuesRule(
  garden: Garden,
  { slug, approve, by }: { readonly slug: string; readonly approve: boolean; readonly by: Identity },
): Promise<Oid | undefined> {
  const { base, items } = await readSettingList(garden, "rules");
  if (approvesOwnValues({ auto_approve: items }, slug) === approve) return undefined;
  const next = approve ? [...items, ownValuesRule(slug)] : items.filter((rule) => !isOwnValuesRule(rule, slug));
  return (await changeSettingList(garden, { list: "rules", items: next, base, by })).commit;
}
