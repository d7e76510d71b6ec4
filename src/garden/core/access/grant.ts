import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { Identity } from "../../../domain/identity.ts";
import type { Action } from "../../../domain/proposal/action.ts";
import type { Garden } from "../garden.ts";
import { changeSettings, readSettings } from "./edit-settings.ts";

type Grant = GardenConfig["grants"][number];

export const grants = (
  { grants: all }: Pick<GardenConfig, "grants">,
  agent: string,
  action: Action,
  on: string,
): boolean => all.some((one) => one.agent === agent && one.actions.includes(action) && one.on.includes(on));

/**
 * Names further agents whose logic or folders an agent may read and ask to change, as an edit of `garden.yaml` (P-4a). Those that are
 * granted already are not written twice. Undefined: there was nothing to write.
 */
export async function grantOn(
  garden: Garden,
  wish: { readonly agent: string; readonly action: Action; readonly on: readonly string[]; readonly by: Identity },
): Promise<Oid | undefined> {
  const { agent, action, by } = wish;
  const { base, items } = await readSettings(garden, "grants");
  const missing = [...new Set(wish.on)].filter((on) => !grants({ grants: items }, agent, action, on));
  if (missing.length === 0) return undefined;
  const same = items.findIndex((one) => one.agent === agent && one.actions.join() === action);
  const next: Grant[] =
    same < 0
      ? [...items, { agent, actions: [action], on: missing }]
      : items.map((one, index) => (index === same ? { ...one, on: [...one.on, ...missing] } : one));
  return (await changeSettings(garden, { list: "grants", items: next, base, by })).commit;
}
