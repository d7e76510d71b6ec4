import { basename } from "node:path";
import { BACKUP_SUFFIX } from "../../domain/backup-format.ts";
import { restoreBackup as restoreGarden } from "../../garden/life/backup/restore.ts";
import type { Command } from "../command.ts";
import { example, textOption } from "../options.ts";
import { formatTime } from "../text-layout.ts";

export const restoreCommand: Command = {
  name: "restore",
  summary: { en: "restore a garden from a backup", uk: "відновити сад із резервної копії" },
  usage: "FILE [DIR]",
  words: [1, 2],
  options: {},
  examples: [
    example(
      `bloom restore rose-20260214T080000Z${BACKUP_SUFFIX} rose`,
      "into a new or empty folder",
      "у теку, якої немає або яка порожня",
    ),
  ],
  async run(context) {
    const file = context.path(context.words[0]!);
    const name = basename(file).replace(/-\d{8}T\d{6}Z\.bloom\.tar\.gz$|\..*$/, "") || "garden";
    const dir = context.path(context.words[1] ?? textOption(context, "garden") ?? name);
    context.progress.at({ en: "verifying hashes and restoring", uk: "перевірка кожного хешу та відновлення" });
    const { manifest } = await restoreGarden(context.ground, file, dir);
    const made = formatTime(manifest.made_at);
    return {
      text: {
        en: `Restored “${manifest.name}” of ${made} in ${dir}`,
        uk: `Відновлено «${manifest.name}» станом на ${made} у ${dir}`,
      },
      json: { dir, manifest },
    };
  },
};
