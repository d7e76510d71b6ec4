import { verbatim } from "../../base/text.ts";
import type { Command } from "../command.ts";
import { example } from "../options.ts";

/** Handled by `runCommandLine` before a garden is opened; `run` is never called. */
export const helpCommand: Command = {
  name: "help",
  summary: { en: "this page, or help for one command", uk: "ця сторінка або довідка про одну команду" },
  usage: "[COMMAND [SUBCOMMAND]]",
  words: [0, 2],
  options: {},
  examples: [
    example("bloom help init", "help for init", "про init"),
    example("bloom help propose logic", "help for one subcommand", "про одну підкоманду"),
  ],
  run: () => Promise.resolve({ text: verbatim(""), json: undefined }),
};

export const versionCommand: Command = {
  name: "version",
  summary: { en: "print the version of bloom", uk: "версія bloom" },
  usage: "",
  words: [0, 0],
  options: {},
  examples: [example("bloom version", "for a bug report", "для повідомлення про помилку")],
  run: (context) =>
    Promise.resolve({
      text: verbatim(context.machine.version),
      json: { version: context.machine.version },
      asked: true,
    }),
};
