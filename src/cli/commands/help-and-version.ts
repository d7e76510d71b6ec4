import { verbatim } from "../../base/text.ts";
import type { Command } from "../command.ts";

/** Handled by `runCommandLine` before a garden is opened; `run` is never called. */
export const helpCommand: Command = {
  name: "help",
  summary: { en: "this page, or help for one command", uk: "ця сторінка або довідка про одну команду" },
  usage: "[COMMAND]",
  words: [0, 1],
  options: {},
  examples: [{ line: "bloom help init", does: { en: "help for init", uk: "про init" } }],
  run: () => Promise.resolve({ text: verbatim(""), json: undefined }),
};

export const versionCommand: Command = {
  name: "version",
  summary: { en: "print the version of bloom", uk: "версія bloom" },
  usage: "",
  words: [0, 0],
  options: {},
  examples: [{ line: "bloom version", does: { en: "for a bug report", uk: "для повідомлення про помилку" } }],
  run: (context) =>
    Promise.resolve({
      text: verbatim(context.machine.version),
      json: { version: context.machine.version },
      asked: true,
    }),
};
