import { makeDemo } from "../../garden/life/demo.ts";
import { recordKnownGarden } from "../../garden/life/known-gardens.ts";
import type { Command } from "../command.ts";
import { example } from "../options.ts";

export const demoCommand: Command = {
  name: "demo",
  summary: {
    en: "create the demo garden, if it does not exist",
    uk: "створити демонстраційний сад, якщо його ще немає",
  },
  usage: "DIR",
  words: [1, 1],
  options: {},
  examples: [
    example("bloom demo /tmp/demo", "then `bloom up --garden /tmp/demo`", "потім `bloom up --garden /tmp/demo`"),
  ],
  async run(context) {
    const dir = context.path(context.words[0]!);
    const made = await makeDemo(context.ground, context.machine.examples, dir, context.language);
    await recordKnownGarden(context.ground, dir);
    return {
      text:
        made === "made"
          ? { en: `Created the demo garden in ${dir}`, uk: `Створено демонстраційний сад у ${dir}` }
          : { en: `The demo garden is in ${dir}`, uk: `Демонстраційний сад — у ${dir}` },
      json: { kind: made, dir },
    };
  },
};
