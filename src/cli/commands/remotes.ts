import type { Text } from "../../base/text.ts";
import { tree } from "../../domain/layout.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { chooseRemote, fetchRemote, pullRemote, pushRemote } from "../../garden/life/remotes.ts";
import type { Remote } from "../../ports/repo.ts";
import type { Command, CommandReport } from "../command.ts";
import { example } from "../options.ts";
import { withGarden } from "../with-garden.ts";

/** fetch, pull and push share their arguments and the choice of the remote. */
const remoteCommand = (
  name: string,
  summary: Text,
  act: (garden: Garden, remote: Remote) => Promise<CommandReport>,
): Command => ({
  name,
  summary,
  usage: "[REMOTE]",
  words: [0, 1],
  options: {},
  examples: [
    example(
      `bloom ${name}`,
      `the remote \`origin\` of ${tree.config}, or the only one`,
      `віддалений репозиторій \`origin\` із ${tree.config} або єдиний`,
    ),
  ],
  run: (context) =>
    withGarden(context, (garden) => {
      const remote = chooseRemote(garden, context.words[0]);
      context.progress.at({ en: `connecting to ${remote.name}`, uk: `зв'язок із ${remote.name}` });
      return act(garden, remote);
    }),
});

export const fetchCommand = remoteCommand(
  "fetch",
  {
    en: "fetch from a remote without changing this garden",
    uk: "отримати, що є у віддаленому репозиторії, нічого тут не змінюючи",
  },
  async (garden, remote) => {
    const { refs } = await fetchRemote(garden, remote);
    return {
      text: {
        en: `Fetched from ${remote.name}: ${refs.length} ref(s)`,
        uk: `Отримано з ${remote.name}, посилань: ${refs.length}`,
      },
      json: { refs },
    };
  },
);

export const pullCommand = remoteCommand(
  "pull",
  { en: "merge the main branch of a remote into this garden", uk: "влити main віддаленого репозиторію в цей сад" },
  async (garden, remote) => {
    const pulled = await pullRemote(garden, remote);
    if (pulled.kind === "up-to-date")
      return { text: { en: "Already up to date.", uk: "Нічого нового." }, json: pulled };
    return {
      text: {
        en: `main is now at ${pulled.head.slice(0, 10)}${pulled.merged ? " (merged)" : ""}.`,
        uk: `main тепер на ${pulled.head.slice(0, 10)}${pulled.merged ? " (злиття)" : ""}.`,
      },
      json: pulled,
    };
  },
);

export const pushCommand = remoteCommand(
  "push",
  { en: "push main and the traces to a remote", uk: "надіслати main і траси у віддалений репозиторій" },
  async (garden, remote) => ({
    text: { en: `Pushed to ${remote.name}.`, uk: `Надіслано до ${remote.name}.` },
    json: { kind: "pushed", refs: await pushRemote(garden, remote) },
  }),
);
