import { asFailure, Failure } from "../../../base/failure.ts";
import { expectConfig } from "../../../domain/config/failures.ts";
import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import { tree } from "../../../domain/layout.ts";
import { type Garden, readConfig } from "../garden.ts";

/**
 * The present `garden.yaml`, not the one from when the garden was opened: a permission that the owner withdraws is gone
 * with the next request. Throws if the file cannot be read, so that no permission is assumed.
 */
export async function currentSettings({ folder }: Pick<Garden, "folder">): Promise<GardenConfig> {
  try {
    return expectConfig(await readConfig(folder));
  } catch (error) {
    throw new Failure("UPSTREAM_UNAVAILABLE", {
      en: `${tree.config} cannot be read`,
      uk: `${tree.config} у теперішньому вигляді не читається`,
      hint: { en: "`bloom verify` says what is wrong with it.", uk: "`bloom verify` скаже, що в ньому не так." },
      details: { part: tree.config },
      cause: asFailure(error),
    });
  }
}
