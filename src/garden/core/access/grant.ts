import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { Identity } from "../../../domain/identity.ts";
import type { Action } from "../../../domain/proposal/action.ts";
import type { Garden } from "../garden.ts";
import { changeSettingList, readSettingList } from "./edit-settings.ts";

type Grant = GardenConfig["grants"][number];

export const hasGrant = (
  { grants: all }: Pick<GardenConfig, "grants">,
  agent: string,
  action: Action,
  on: string,
): boolean => all.some((one) => one.agent === agent && one.actions.includes(action) && one.on.includes(on));

/**
 * Grants an agent to read and change the logic or folders of further agents, as an edit of `garden.yaml` (P-4a). Returns
 * the commit, or undefined if all of it was granted already.
 */
export async function addGrants(
  garden: Garden,
  wish: { readonly agent: string; readonly action: Action; readonly on: readonly string[]; readonly by: Identity },
): Promise<Oid | undefined> {
  const { agent, action, by } = wish;
  const { base, items } = await readSettingList(garden, "grants");
  const missing = [...new Set(wish.on)].filter((on) => !hasGrant({ grants: items }, agent, action, on));
  if (missing.length === 0) return undefined;
  const same = items.findIndex((one) => one.agent === agent && one.actions.join() === action);
  const next: Grant[] =
    same < 0
      ? [...items, { agent, actions: [action], on: missing }]
      : items.map((one, index) => (index === same ? { ...one, on: [...one.on, ...missing] } : one));
  return (await changeSettingList(garden, { list: "grants", items: next, base, by })).commit;
}
