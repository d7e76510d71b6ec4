import { joined, type Text, verbatim } from "../../base/text.ts";
import { commandLineOwner, identityName } from "../../domain/identity.ts";
import { PUBLIC_SPACE } from "../../garden/federation/public-space.ts";
import {
  gardenIdentity,
  makeIdentity,
  type PublishPreview,
  previewPublish,
  publishSessions,
} from "../../garden/federation/publish.ts";
import { choosePublishPlace } from "../../garden/life/remotes.ts";
import { textOption, textsOption } from "../options.ts";
import type { Subcommands } from "../subcommands.ts";
import { alignColumns, labelledRows, oneLine } from "../text-layout.ts";

const NO_KEY: Text = {
  en: "this garden has no key yet, so others cannot follow it: `bloom peer identity --make`",
  uk: "цей сад ще не має ключа, тож за ним не можна стежити: `bloom peer identity --make`",
};
const KEEP_COPY: Text = {
  en: "The key is in no backup of the garden. Keep a copy of it: `bloom peer backup-key FILE`.",
  uk: "Ключа немає в резервних копіях саду. Збережіть його копію: `bloom peer backup-key ФАЙЛ`.",
};
const SHOWN_COMMITS = 20;

export const peerPublishing: Subcommands = {
  identity: {
    usage: "",
    words: [0, 0],
    does: { en: "the key of this garden, to give to others", uk: "ключ цього саду, щоб дати іншим" },
    async run(context, garden) {
      const isMade = context.options["make"] === true;
      const identity = isMade ? await makeIdentity(garden) : await gardenIdentity(garden);
      if (!identity) return { text: NO_KEY, json: { identity: null }, asked: true };
      const text = labelledRows([
        [{ en: "fingerprint", uk: "відбиток" }, identity.fingerprint],
        [{ en: "in words", uk: "словами" }, identity.words],
        [{ en: "key", uk: "ключ" }, identity.key],
        [{ en: "announcements", uk: "оголошень" }, String(identity.seq)],
        [{ en: "published", uk: "оприлюднено" }, identity.sessions.join(", ") || "-"],
      ]);
      return { text: isMade ? joined([text, KEEP_COPY], "\n") : text, json: { identity }, asked: true };
    },
  },
  publish: {
    usage: "[SESSION…]",
    words: [0, 100],
    does: {
      en: "show what would leave this garden; with --seen announce it and push it",
      uk: "показати, що пішло б із саду; з --seen — оголосити й надіслати це",
    },
    async run(context, garden, sessions) {
      const traces = context.options["traces"] === true || (context.options["no-traces"] === true ? false : undefined);
      const wish = { sessions, withdraw: textsOption(context, "withdraw"), traces };
      const digest = textOption(context, "seen");
      if (digest === undefined) {
        const preview = await previewPublish(garden, wish);
        return { text: previewText(preview), json: preview, asked: true };
      }
      const to = choosePublishPlace(garden, textOption(context, "to"));
      const done = await publishSessions(garden, { ...wish, to, digest, by: identityName(commandLineOwner) });
      const place = to === "public-space" ? PUBLIC_SPACE : to.name;
      return {
        text: {
          en: `Published as announcement ${done.seq} to ${place}.`,
          uk: `Оприлюднено оголошенням ${done.seq} у ${place}.`,
        },
        json: done,
      };
    },
  },
};

function previewText({ sessions, commits, traces, digest }: PublishPreview): Text {
  const rows = alignColumns(sessions.map(({ name, head, files }) => [name, head.slice(0, 10), `${files}`]));
  const shown = commits.slice(0, SHOWN_COMMITS);
  const lines = alignColumns(
    shown.map(({ commit, by, subject }) => [commit.slice(0, 10), oneLine(by), oneLine(subject)]),
  );
  const more = commits.length - shown.length;
  return joined(
    [
      {
        en: `Sessions that others would see: ${sessions.length} (name, newest commit, files)`,
        uk: `Сесій, які побачать інші: ${sessions.length} (назва, найновіший коміт, файлів)`,
      },
      ...rows.map(verbatim),
      {
        en: `Commits that would leave for the first time, with all their files: ${commits.length}`,
        uk: `Комітів, які вперше підуть назовні, з усіма файлами: ${commits.length}`,
      },
      ...lines.map(verbatim),
      ...(more > 0 ? [{ en: `… and ${more} more (--json lists all)`, uk: `… і ще ${more} (усі дає --json)` }] : []),
      ...tracesText(traces),
      {
        en: `Nothing was sent. To send exactly this: the same command with --seen ${digest}`,
        uk: `Нічого не надіслано. Щоб надіслати саме це: та сама команда з --seen ${digest}`,
      },
    ],
    "\n",
  );
}

/** The traces of all sessions that others would see, also those that they have already. */
function tracesText(traces: PublishPreview["traces"]): readonly Text[] {
  const shown = traces.slice(0, SHOWN_COMMITS);
  const lines = alignColumns(
    shown.map(({ session, commit, entries, bytes }) => [session, commit.slice(0, 10), `${entries}`, `${bytes}`]),
  );
  const more = traces.length - shown.length;
  return [
    {
      en: `Traces that others would see, without secrets: ${traces.length}${traces.length > 0 ? " (session, commit, entries, bytes; `bloom session history COMMIT` has the words)" : " (--traces adds them)"}`,
      uk: `Слідів, які побачать інші, без секретів: ${traces.length}${traces.length > 0 ? " (сесія, коміт, записів, байтів; слова дає `bloom session history КОМІТ`)" : " (їх додає --traces)"}`,
    },
    ...lines.map(verbatim),
    ...(more > 0 ? [{ en: `… and ${more} more (--json lists all)`, uk: `… і ще ${more} (усі дає --json)` }] : []),
  ];
}
