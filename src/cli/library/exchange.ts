import { basename, dirname } from "node:path";
import { Failure } from "../../base/failure.ts";
import { joined, type Text, verbatim } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { MAX_BEHAVIOUR_BYTES } from "../../domain/library/travelling-behaviour.ts";
import {
  adoptBehaviour,
  type ReplayedBehaviour,
  replayBehaviour,
} from "../../garden/federation/library/adopt-behaviour.ts";
import { exportBehaviour, importBehaviour } from "../../garden/federation/library/carry-behaviour.ts";
import {
  type BehaviourPreview,
  previewBehaviour,
  publishBehaviour,
  withdrawBehaviour,
} from "../../garden/federation/library/publish-behaviour.ts";
import { PUBLIC_SPACE } from "../../garden/federation/public-space.ts";
import { choosePublishPlace } from "../../garden/life/remotes.ts";
import { usageError } from "../failures.ts";
import { textOption } from "../options.ts";
import type { Subcommands } from "../subcommands.ts";
import { oneLine, quotedLines } from "../text-layout.ts";

/** Verbs of `bloom library` by which behaviours leave and arrive. */
export const libraryExchange: Subcommands = {
  publish: {
    usage: "AGENT",
    words: [1, 1],
    does: {
      en: "show every byte that would leave; with --seen announce it and send it",
      uk: "показати кожен байт, що пішов би назовні; з --seen — оголосити й надіслати",
    },
    async run(context, garden, [agent]) {
      const wish = { agent: agent!, version: textOption(context, "version"), name: textOption(context, "name") };
      const digest = textOption(context, "seen");
      if (digest === undefined) {
        const preview = await previewBehaviour(garden, wish);
        return { text: previewText(preview), json: preview, asked: true };
      }
      const to = choosePublishPlace(garden, textOption(context, "to"));
      const done = await publishBehaviour(garden, { ...wish, to, digest, by: commandLineOwner });
      const place = to === "public-space" ? PUBLIC_SPACE : to.name;
      return {
        text: {
          en: `Published as announcement ${done.seq} to ${place}: ${done.behaviour}.`,
          uk: `Оприлюднено оголошенням ${done.seq} у ${place}: ${done.behaviour}.`,
        },
        json: done,
      };
    },
  },
  withdraw: {
    usage: "BEHAVIOUR",
    words: [1, 1],
    does: {
      en: "no longer announce it; forget one that has only a name or came from a file",
      uk: "більше не оголошувати; забути ту, що має лише назву чи прийшла з файлу",
    },
    async run(context, garden, [wanted]) {
      const to = () => choosePublishPlace(garden, textOption(context, "to"));
      const done = await withdrawBehaviour(garden, { wanted: wanted!, to, by: commandLineOwner });
      return {
        text: {
          en: `${done.id} is withdrawn. Those who have fetched it still have it.`,
          uk: `${done.id} відкликано. Хто її вже отримав, той її має.`,
        },
        json: done,
      };
    },
  },
  replay: {
    usage: "BEHAVIOUR",
    words: [1, 1],
    does: {
      en: "replay its evidence, and recorded runs of --agent on it; executes nothing",
      uk: "відтворити її докази і записані запуски --agent за нею; нічого не виконує",
    },
    async run(context, garden, [wanted]) {
      const done = await replayBehaviour(garden, wanted!, textOption(context, "agent") ?? missingAgent());
      return { text: replayText(done), json: done, asked: true, exit: done.lies.length === 0 ? 0 : 1 };
    },
  },
  adopt: {
    usage: "BEHAVIOUR",
    words: [1, 1],
    does: {
      en: "replay it and propose it as the logic of --agent; a person decides",
      uk: "відтворити її і запропонувати як логіку --agent; вирішує людина",
    },
    async run(context, garden, [wanted]) {
      const agent = textOption(context, "agent") ?? missingAgent();
      const { received, replay } = await adoptBehaviour(garden, { wanted: wanted!, agent, by: commandLineOwner });
      if (received.kind === "refused") throw received.failure;
      const { id, digest } = received.proposal;
      return {
        text: joined(
          [
            replayText({ replay, lies: [] }),
            { en: `It waits for a decision: ${id}`, uk: `Очікує рішення: ${id}` },
            verbatim(`bloom proposals show ${id}`),
          ],
          "\n",
        ),
        json: { proposal: id, digest, replay },
      };
    },
  },
  export: {
    usage: "BEHAVIOUR FILE",
    words: [2, 2],
    does: { en: "write it into one file, signed as it is", uk: "записати її в один файл, як вона підписана" },
    async run(context, garden, [wanted, file]) {
      const { text } = await exportBehaviour(garden, wanted!);
      const path = context.path(file!);
      const made = await context.ground.folders.at(dirname(path)).create(basename(path), Buffer.from(text));
      if (made === "taken") throw fileThere(file!);
      return {
        text: { en: `Written to ${file}.`, uk: `Записано в ${file}.` },
        json: { file: file!, bytes: Buffer.byteLength(text) },
      };
    },
  },
  import: {
    usage: "FILE",
    words: [1, 1],
    does: {
      en: "take a behaviour from such a file, after the same checks as from a followed garden",
      uk: "взяти поведінку з такого файлу після тих самих перевірок, що й із саду, за яким стежать",
    },
    async run(context, garden, [file]) {
      const path = context.path(file!);
      const bytes = await context.ground.folders.at(dirname(path)).read(basename(path), 2 * MAX_BEHAVIOUR_BYTES);
      if (!bytes) throw noFile(file!);
      const taken = await importBehaviour(garden, Buffer.from(bytes).toString(), commandLineOwner);
      return {
        text: {
          en: `Taken as ${taken.id}, signed by ${taken.key}. Replay it before you adopt it: \`bloom library replay ${taken.id} --agent AGENT\`.`,
          uk: `Взято як ${taken.id}, підписано ${taken.key}. Перш ніж переймати, відтворіть: \`bloom library replay ${taken.id} --agent АГЕНТ\`.`,
        },
        json: taken,
      };
    },
  },
};

function previewText({ name, behaviour, files, besides, runs, warnings, digest }: BehaviourPreview): Text {
  const shown = [...files, ...besides].flatMap(({ path, text }) => [`--- ${path}`, ...quotedLines(text)]);
  return joined(
    [
      {
        en: `“${oneLine(name)}”, ${behaviour}. This would leave:`,
        uk: `«${oneLine(name)}», ${behaviour}. Пішло б назовні:`,
      },
      verbatim(shown.join("\n")),
      {
        en: `Runs with their decisions: ${runs.replayable}; with a verdict only: ${runs.verdict_only}.`,
        uk: `Запусків із рішеннями: ${runs.replayable}; лише з вердиктом: ${runs.verdict_only}.`,
      },
      ...warnings.map(({ en, uk }) => ({ en: `! ${oneLine(en)}`, uk: `! ${oneLine(uk)}` })),
      {
        en: `Nothing was sent. To send exactly this: --to REMOTE --seen ${digest}`,
        uk: `Нічого не надіслано. Щоб надіслати саме це: --to ВІДДАЛЕНИЙ --seen ${digest}`,
      },
    ],
    "\n",
  );
}

function replayText({ replay, lies }: Pick<ReplayedBehaviour, "replay" | "lies">): Text {
  const { evidence, runs, agent, good, judged } = replay;
  return joined(
    [
      {
        en: `Evidence: ${evidence.agrees} agree, ${evidence.differs} differ, ${evidence.verdict_only} with a verdict only.`,
        uk: `Докази: збігаються ${evidence.agrees}, відрізняються ${evidence.differs}, лише з вердиктом ${evidence.verdict_only}.`,
      },
      {
        en: `On recorded runs of ${agent}: ${runs.same} same, ${runs.better} better, ${runs.worse} worse, ${runs.unknown} unknown; good ${good} of ${judged} judged.`,
        uk: `На записаних запусках ${agent}: так само ${runs.same}, краще ${runs.better}, гірше ${runs.worse}, невідомо ${runs.unknown}; добрих ${good} з ${judged} оцінених.`,
      },
      ...lies.map(({ en, uk }) => ({ en: `! ${oneLine(en)}`, uk: `! ${oneLine(uk)}` })),
    ],
    "\n",
  );
}

const missingAgent = (): never => {
  throw usageError(
    { en: "the agent is missing", uk: "бракує агента" },
    { en: "--agent names the agent that it is for", uk: "--agent називає агента, для якого вона" },
  );
};

const fileThere = (file: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `${file} is already there`,
    uk: `${file} там уже є`,
    hint: { en: "Name another file, or remove it first.", uk: "Назвіть інший файл або спершу приберіть цей." },
  });

const noFile = (file: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no file ${file}`,
    uk: `файлу ${file} немає`,
    hint: { en: "`bloom library export` writes one", uk: "його пише `bloom library export`" },
  });
