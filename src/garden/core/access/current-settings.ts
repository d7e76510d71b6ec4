import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import type { Garden } from "../garden.ts";

/**
 * The present `garden.yaml`, read again: a permission that the owner withdraws is gone with the next request. While the file is
 * invalid, the settings from before stay in force (`garden.settings.trouble` says why).
 */
export async function currentSettings({ settings }: Pick<Garden, "settings">): Promise<GardenConfig> {
  await settings.reload();
  return settings.current;
}
