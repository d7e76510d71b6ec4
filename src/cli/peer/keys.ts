import { basename, dirname } from "node:path";
import { commandLineOwner } from "../../domain/identity.ts";
import { backupFileTaken, noKeyFile } from "../../garden/federation/failures.ts";
import { MAX_KEY_FILE_BYTES } from "../../garden/federation/garden-key.ts";
import { keyForBackup, restoreKey, rotateKey } from "../../garden/federation/rotate-key.ts";
import type { Subcommands } from "../subcommands.ts";

export const peerKeys: Subcommands = {
  rotate: {
    usage: "",
    words: [0, 0],
    does: {
      en: "change the key of this garden: the old one signs the hand-over to a new one",
      uk: "змінити ключ цього саду: старий підписує передачу новому",
    },
    async run(_, garden) {
      const rotated = await rotateKey(garden, commandLineOwner);
      return {
        text: {
          en: `The key of this garden is now ${rotated.fingerprint}. Keep a copy (\`bloom peer backup-key FILE\`) and publish, so that others learn of it: \`bloom peer publish\`.`,
          uk: `Ключ цього саду тепер ${rotated.fingerprint}. Збережіть копію (\`bloom peer backup-key ФАЙЛ\`) й оприлюдніть, щоб інші дізналися: \`bloom peer publish\`.`,
        },
        json: rotated,
      };
    },
  },
  "backup-key": {
    usage: "FILE",
    words: [1, 1],
    does: { en: "write the key of this garden to a new file", uk: "записати ключ цього саду в новий файл" },
    async run(context, garden, [file]) {
      const path = context.path(file!);
      const { bytes, fingerprint } = await keyForBackup(garden);
      const outcome = await context.ground.folders.at(dirname(path)).create(basename(path), bytes, "private");
      if (outcome === "taken") throw backupFileTaken(path);
      return {
        text: {
          en: `The key ${fingerprint} is in ${path}. Whoever has this file can speak for this garden: keep it where nobody else reads.`,
          uk: `Ключ ${fingerprint} — у ${path}. Хто має цей файл, може говорити від імені саду: тримайте його там, де його ніхто не прочитає.`,
        },
        json: { file: path, fingerprint },
      };
    },
  },
  "restore-key": {
    usage: "FILE",
    words: [1, 1],
    does: { en: "put the key of this garden back from a backup", uk: "повернути ключ цього саду з копії" },
    async run(context, garden, [file]) {
      const path = context.path(file!);
      const bytes = await context.ground.folders.at(dirname(path)).read(basename(path), MAX_KEY_FILE_BYTES);
      if (!bytes) throw noKeyFile(path);
      const fingerprint = await restoreKey(garden, bytes, commandLineOwner);
      return {
        text: { en: `The key ${fingerprint} is in its place.`, uk: `Ключ ${fingerprint} на своєму місці.` },
        json: { fingerprint },
      };
    },
  },
};
