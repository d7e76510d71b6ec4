import { machine } from "../../../domain/layout.ts";
import { currentSettings } from "../../core/access/current-settings.ts";
import { recordAudit } from "../../core/audit.ts";
import type { Garden } from "../../core/garden.ts";
import { BACKUP_STAMP } from "./backups.ts";

/**
 * Removes the oldest backups in `.bloom/backups` beyond `retention.backups`, with an audit record; without the setting, none.
 * Backups elsewhere, and other files in the folder, are never touched. Idempotent.
 */
export async function forgetBackups(garden: Garden): Promise<readonly string[]> {
  const most = (await currentSettings(garden)).retention.backups;
  if (most === undefined) return [];
  const stamped = (await garden.folder.names(machine.backups)).flatMap((name) => {
    const stamp = BACKUP_STAMP.exec(name)?.[1];
    return stamp === undefined ? [] : [{ name, stamp }];
  });
  const old = stamped.toSorted((a, b) => b.stamp.localeCompare(a.stamp)).slice(most);
  const names = old.map(({ name }) => name).toSorted();
  if (names.length === 0) return [];
  const at = new Date(garden.world.now()).toISOString();
  await recordAudit(garden, `backups-removed-${old[0]!.stamp.toLowerCase()}`, {
    kind: "backups-removed",
    at,
    by: "gateway",
    subject: machine.backups,
    why: `retention.backups: ${most}`,
    details: { names },
  });
  for (const name of names) await garden.folder.removeFile(`${machine.backups}/${name}`);
  return names;
}
