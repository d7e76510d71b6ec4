import { joined, type Text } from "../../base/text.ts";
import { type CalledOffMove, type MovedStore, moveStore } from "../../garden/life/move-store.ts";
import type { Command } from "../command.ts";
import { usageError } from "../failures.ts";
import { example, option } from "../options.ts";
import { STORE_HINT, storeOption } from "../store-option.ts";

export const moveCommand: Command = {
  name: "move",
  summary: {
    en: "move the objects of the garden to a bucket, or back to its folder",
    uk: "перенести об'єкти саду в кошик або назад у його теку",
  },
  usage: "",
  words: [0, 0],
  options: {
    to: option(
      "STORE",
      "`dir`, or s3://BUCKET/PREFIX?endpoint=URL (with region, key_env and secret_env if needed)",
      "`dir` або s3://BUCKET/PREFIX?endpoint=URL (за потреби з region, key_env і secret_env)",
    ),
  },
  examples: [
    example(
      "bloom move --to 's3://garden/home?endpoint=https://s3.example.com'",
      "stop bloom on all machines first; after an interruption the same command continues",
      "спершу зупиніть bloom на всіх машинах; після переривання та сама команда продовжить",
    ),
    example("bloom move --to dir", "back into .bloom/store", "назад у .bloom/store"),
  ],
  async run(context) {
    const to = storeOption(context, "to");
    if (!to) throw usageError({ en: "--to is missing", uk: "бракує --to" }, STORE_HINT);
    const moved = await moveStore(context.ground, await context.gardenDir(), to, (what, done, total) =>
      context.progress.at(
        what === "copied"
          ? { en: `objects copied: ${done} of ${total}`, uk: `скопійовано об'єктів: ${done} з ${total}` }
          : { en: `objects verified: ${done} of ${total}`, uk: `перевірено об'єктів: ${done} з ${total}` },
      ),
    );
    return { text: "calledOff" in moved ? calledOffText(moved) : moveText(moved), json: moved };
  },
};

const calledOffText = ({ stays, calledOff }: CalledOffMove): Text => ({
  en: `The interrupted move to ${calledOff} was called off. The garden is in ${stays}, unchanged.\nWhat was copied so far is still in ${calledOff}, if that exists; delete it before you move there again.`,
  uk: `Перерване перенесення до ${calledOff} скасовано. Сад — у ${stays}, без змін.\nСкопійоване досі лишилося в ${calledOff}, якщо воно існує; видаліть його, перш ніж переносити туди знову.`,
});

const moveText = ({ from, to, objects, digest, resumed, kept, unmarked }: MovedStore): Text =>
  joined(
    [
      ...(resumed ? [{ en: "Completed an interrupted move.", uk: "Завершено перерване перенесення." }] : []),
      {
        en: `Moved ${objects} objects from ${from} to ${to}, each read back and compared.`,
        uk: `Перенесено об'єктів: ${objects}, з ${from} до ${to}; кожен прочитано назад і порівняно.`,
      },
      { en: `Digest of all objects: ${digest}`, uk: `Відбиток усіх об'єктів: ${digest}` },
      kept === undefined
        ? {
            en: `The old objects are still in ${from}; delete them when every machine has the new garden.yaml.`,
            uk: `Старі об'єкти досі в ${from}; видаліть їх, коли кожна машина матиме новий garden.yaml.`,
          }
        : {
            en: `The old objects are in ${kept}; delete them when you like.`,
            uk: `Старі об'єкти — у ${kept}; видаліть, коли схочете.`,
          },
      to === "dir" ? HERE_ONLY : OTHERS_FOLLOW,
      ...(unmarked ? [joined([notMarked(from), unmarked])] : []),
    ],
    "\n",
  );

const OTHERS_FOLLOW: Text = {
  en: "garden.yaml has changed: commit it, so that other machines follow.",
  uk: "garden.yaml змінено: закомітьте його, щоб інші машини перейшли теж.",
};

const HERE_ONLY: Text = {
  en: "garden.yaml has changed: commit it. From now on the garden is on this machine only: other machines cannot work in it.",
  uk: "garden.yaml змінено: закомітьте його. Відтепер сад є лише на цій машині: інші машини не можуть у ньому працювати.",
};

const notMarked = (from: string): Text => ({
  en: `! ${from} could not be marked as left. A machine with the older garden.yaml would go on working there: give it the new one before it starts bloom. The reason:`,
  uk: `! ${from} не вдалося позначити як залишене. Машина зі старим garden.yaml працювала б там далі: дайте їй новий, перш ніж запустити bloom. Причина:`,
});
