import { Failure } from "../../../base/failure.ts";
import { BACKUP_SUFFIX } from "../../../domain/backup-format.ts";
import { machine } from "../../../domain/layout.ts";
import type { Garden } from "../../core/garden.ts";
import { type BackedUp, backUp } from "./backup.ts";

/** A backup in `.bloom/backups`. */
export interface KeptBackup {
  readonly name: string;
  readonly bytes: number;
  /** When it was made, UTC, as in its name. */
  readonly made_at: string;
}

/** The backups that lie in the garden's own folder, newest first. */
export async function listBackups({ folder }: Pick<Garden, "folder">): Promise<KeptBackup[]> {
  const kept: KeptBackup[] = [];
  for (const name of await folder.names(machine.backups)) {
    const time = BACKUP_STAMP.exec(name)?.[1];
    const sight = time === undefined ? undefined : await folder.stat(`${machine.backups}/${name}`);
    if (sight?.kind === "file") kept.push({ name, bytes: sight.size, made_at: isoTime(time!) });
  }
  return kept.toSorted((a, b) => b.made_at.localeCompare(a.made_at));
}

/** Writes a backup into `.bloom/backups`. */
export const backUpInside = (garden: Garden): Promise<BackedUp> =>
  backUp(garden, garden.config.name, {
    dir: `${garden.folder.dir}/${machine.backups}`,
    write: (name, chunks) => garden.folder.write(`${machine.backups}/${name}`, chunks),
  });

/** The bytes of a kept backup. Throws NOT_FOUND for any name that is not in the list. */
export async function openBackup(
  garden: Pick<Garden, "folder">,
  name: string,
): Promise<{ readonly bytes: number; readonly chunks: AsyncIterable<Uint8Array> }> {
  const found = (await listBackups(garden)).find((each) => each.name === name);
  if (!found) throw noBackup(name);
  return { bytes: found.bytes, chunks: garden.folder.stream(`${machine.backups}/${name}`) };
}

const isoTime = (stamp: string): string =>
  stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z");

/** `rose-20260214T080000Z.…`: the name of the garden may have changed, so only the time counts. */
export const BACKUP_STAMP: RegExp = new RegExp(`-(\\d{8}T\\d{6}Z)${BACKUP_SUFFIX.replaceAll(".", "\\.")}$`);

const noBackup = (name: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `no backup ${name} in ${machine.backups}`,
    uk: `у ${machine.backups} немає копії ${name}`,
    hint: {
      en: "Run `bloom backup --list`, or list them in the settings.",
      uk: "Виконайте `bloom backup --list` або перегляньте їх у налаштуваннях.",
    },
    details: { name },
  });
