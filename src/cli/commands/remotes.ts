import { didYouMean } from "../../base/did-you-mean.ts";
import { Failure } from "../../base/failure.ts";
import { joined, type Text } from "../../base/text.ts";
import { MAIN_BRANCH, MAIN_REF, TRACE_REF, tree } from "../../domain/layout.ts";
import { type Garden, personSignature } from "../../garden/core/garden.ts";
import { gitBusy } from "../../garden/core/git-busy.ts";
import type { Conflict, Remote } from "../../ports/repo.ts";
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
  async ({ repo }, remote) => {
    const { refs } = await repo.fetch(remote);
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
    const pulled = await garden.repo.pull(remote, MAIN_BRANCH, await personSignature(garden));
    switch (pulled.kind) {
      case "up-to-date":
        return { text: { en: "Already up to date.", uk: "Нічого нового." }, json: pulled };
      case "pulled":
        return {
          text: {
            en: `main is now at ${pulled.head.slice(0, 10)}${pulled.merged ? " (merged)" : ""}.`,
            uk: `main тепер на ${pulled.head.slice(0, 10)}${pulled.merged ? " (злиття)" : ""}.`,
          },
          json: pulled,
        };
      case "conflict":
        throw new Failure("CONCURRENT_MODIFICATION", {
          ...conflictText(pulled.conflicts),
          hint: {
            en: "Nothing was changed. Merge by hand with git, or agree with the other side.",
            uk: "Нічого не змінено. Злийте вручну через git або домовтеся з іншою стороною.",
          },
          details: { conflicts: pulled.conflicts },
        });
      case "edited":
        throw new Failure("CONCURRENT_MODIFICATION", {
          en: `uncommitted changes: ${pulled.paths.join(", ")}`,
          uk: `тут не закомічено: ${pulled.paths.join(", ")}`,
          hint: {
            en: "Commit these edits first. Nothing was changed.",
            uk: "Спершу закомітьте ці зміни. Нічого не змінено.",
          },
        });
      case "busy":
        throw gitBusy(pulled.why);
    }
  },
);

export const pushCommand = remoteCommand(
  "push",
  { en: "push main and the traces to a remote", uk: "надіслати main і траси у віддалений репозиторій" },
  async ({ repo }, remote) => {
    const refs = [MAIN_REF, ...((await repo.resolve(TRACE_REF)) ? [TRACE_REF] : [])];
    const pushed = await repo.push(remote, refs);
    if (pushed.kind === "pushed") {
      return {
        text: { en: `Pushed to ${remote.name}.`, uk: `Надіслано до ${remote.name}.` },
        json: { kind: "pushed", refs },
      };
    }
    throw new Failure("CONCURRENT_MODIFICATION", {
      en: `${remote.name} has commits that this garden does not have`,
      uk: `у ${remote.name} є те, чого немає в цьому саду`,
      hint: { en: "Run `bloom pull` first.", uk: "Спершу виконайте `bloom pull`." },
      details: { refs: pushed.refs },
    });
  },
);

function chooseRemote({ config }: Garden, asked: string | undefined): Remote {
  const names = Object.keys(config.remotes);
  const name = asked ?? (names.length === 1 ? names[0]! : "origin");
  const found = Object.hasOwn(config.remotes, name) ? config.remotes[name] : undefined;
  if (found) return { name, url: found.url };
  const meant = didYouMean(name, names);
  throw new Failure("NOT_FOUND", {
    en: `no remote ${name} in ${tree.config}`,
    uk: `у ${tree.config} немає віддаленого репозиторію ${name}`,
    hint:
      meant === undefined
        ? { en: `Add it: remotes: { ${name}: { url: … } }`, uk: `Додайте його: remotes: { ${name}: { url: … } }` }
        : { en: `Did you mean ${meant}?`, uk: `Можливо, ${meant}?` },
  });
}

const conflictText = (conflicts: readonly Conflict[]): Text =>
  joined(
    [
      { en: "merge conflicts:", uk: "обидві сторони змінили те саме:" },
      ...conflicts.map(({ path, why, hunks }) => {
        const place = hunks[0] ? `${path}:${hunks[0].line}` : path;
        return { en: `  ${place} ${why.en}`, uk: `  ${place} ${why.uk}` };
      }),
    ],
    "\n",
  );
