import type { Command } from "../command.ts";
import { example, flag, option } from "../options.ts";
import { sessionChanging } from "../session/change-sessions.ts";
import { sessionReading } from "../session/show-sessions.ts";
import { gardenCommand } from "../subcommands.ts";

export const sessionCommand: Command = gardenCommand({
  name: "session",
  summary: { en: "agents at work on branches of their own", uk: "агенти за роботою на власних гілках" },
  usual: "list",
  options: {
    goal: option("TEXT", "with spawn: what the session is to achieve", "зі spawn: чого має досягти сесія"),
    from: option(
      "NAME",
      "with spawn: begin where this session is, as its sub-agent",
      "зі spawn: почати там, де ця сесія, її підагентом",
    ),
    at: option("COMMIT", "with spawn: begin at this commit", "зі spawn: почати від цього коміту"),
    empty: flag("with spawn: begin without files", "зі spawn: почати без файлів"),
  },
  subcommands: { ...sessionReading, ...sessionChanging },
  examples: [
    example(
      'bloom session spawn tidy-up --goal "Sort the inbox"',
      "a branch agents/tidy-up, at main",
      "гілка agents/tidy-up, від main",
    ),
    example("bloom session merge helper tidy-up", "the work of helper into tidy-up", "робота helper у tidy-up"),
    example("git log --graph --notes=trace agents/tidy-up", "the same in plain git", "те саме у звичайному git"),
  ],
});
