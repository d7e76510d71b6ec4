import { relative, sep } from "node:path";
import { joined, type Text } from "../../base/text.ts";
import { machine } from "../../domain/layout.ts";
import { type BackedUp, backUp } from "../../garden/life/backup/backup.ts";
import { type KeptBackup, listBackups } from "../../garden/life/backup/backups.ts";
import type { Command } from "../command.ts";
import { example, flag } from "../options.ts";
import { withGarden } from "../with-garden.ts";

export const backupCommand: Command = {
  name: "backup",
  summary: { en: "write the whole garden to one file", uk: "записати весь сад в один файл" },
  usage: "[DIR]",
  words: [0, 1],
  options: {
    list: flag("list the backups in the garden's own folder", "перелічити копії у власній теці саду"),
  },
  examples: [
    example(
      "bloom backup /mnt/usb",
      "git, store and uncommitted files; no keys and no secrets",
      "git, сховище й незакомічені файли; без ключів і секретів",
    ),
    example("bloom backup --list", "those in .bloom/backups", "ті, що в .bloom/backups"),
    example("tar -xzf F && sha256sum -c SHA256SUMS", "verify it on any machine", "перевірить будь-яка машина"),
  ],
  run: (context) =>
    withGarden(context, async (garden) => {
      if (context.options["list"] === true) {
        const backups = await listBackups(garden);
        return { text: listText(backups), json: { backups }, asked: true };
      }
      const wished = context.path(context.words[0] ?? ".");
      // A backup among the notes would become part of the garden and of the next backup.
      const inside = !relative(garden.dir, wished).split(sep).includes("..") && context.words[0] === undefined;
      const into = context.ground.folders.at(inside ? `${garden.dir}/${machine.backups}` : wished);
      const made = await backUp(garden, garden.config.name, into, (objects) =>
        context.progress.at({ en: `objects copied: ${objects}`, uk: `скопійовано об'єктів: ${objects}` }),
      );
      return { text: backupText(made, inside), json: made };
    }),
};

function listText(backups: readonly KeptBackup[]): Text {
  if (backups.length === 0) return { en: `No backups in ${machine.backups}.`, uk: `У ${machine.backups} копій немає.` };
  const lines = backups.map(({ name, bytes, made_at }) => `${made_at}  ${bytes} B  ${machine.backups}/${name}`);
  return { en: lines.join("\n"), uk: lines.join("\n") };
}

function backupText({ file, manifest }: BackedUp, inside: boolean): Text {
  const { counts, refs, left } = manifest;
  const lines: Text[] = [
    { en: `Wrote ${file}`, uk: `Записано ${file}` },
    {
      en: `Refs: ${Object.keys(refs).length}, objects of the store: ${counts.objects}, uncommitted files: ${counts.files}. Keys and secrets are not included.`,
      uk: `Посилань git: ${Object.keys(refs).length}, об'єктів сховища: ${counts.objects}, незакомічених файлів: ${counts.files}. Ключів і секретів у ній немає.`,
    },
    ...left.map((path) => ({ en: `Skipped: ${path}`, uk: `Не взято: ${path}` })),
  ];
  if (inside) {
    lines.push({
      en: "The file is inside the garden: keep a copy on another disk.",
      uk: "Копія лежить усередині саду: збережіть примірник на іншому диску.",
    });
  }
  return joined(lines, "\n");
}
