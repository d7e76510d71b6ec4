import type { Text } from "../../base/text.ts";
import { archiveSession, deleteArchived, restoreSession } from "../../garden/sessions/archive-session.ts";
import { textOption } from "../options.ts";
import type { Subcommands } from "../subcommands.ts";

/** Sessions that are put away and brought back. */
export const sessionArchiving: Subcommands = {
  archive: {
    usage: "NAME",
    words: [1, 1],
    does: {
      en: "put a session away: out of the branches, everything else is kept",
      uk: "відкласти сесію: прибрати з гілок, решту зберегти",
    },
    async run(_, garden, [name]) {
      const json = await archiveSession(garden, name!);
      const text: Text = {
        en: `archived; \`bloom session restore ${name}\` brings it back`,
        uk: `відкладено; повертає \`bloom session restore ${name}\``,
      };
      return { text, json };
    },
  },
  restore: {
    usage: "NAME",
    words: [1, 1],
    does: {
      en: "bring an archived session back (--at COMMIT: which one)",
      uk: "повернути сесію з архіву (--at КОМІТ: котру)",
    },
    async run(context, garden, [name]) {
      const json = await restoreSession(garden, name!, textOption(context, "at"));
      const text = `agents/${name}  ${json.head.slice(0, 10)}`;
      return { text: { en: text, uk: text }, json };
    },
  },
  delete: {
    usage: "NAME",
    words: [1, 1],
    does: { en: "delete an archived session for good", uk: "остаточно видалити сесію з архіву" },
    async run(context, garden, [name]) {
      const json = await deleteArchived(garden, name!, textOption(context, "at"));
      return { text: { en: `deleted ${json.head}`, uk: `видалено ${json.head}` }, json };
    },
  },
};
