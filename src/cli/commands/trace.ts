import type { Command } from "../command.ts";
import { example } from "../options.ts";
import { traceSubcommands } from "../session/traces.ts";
import { gardenCommand } from "../subcommands.ts";
import { notes } from "./session.ts";

export const traceCommand: Command = gardenCommand({
  name: "trace",
  summary: { en: "what was recorded with commits of sessions", uk: "що записано з комітами сесій" },
  options: { notes },
  subcommands: traceSubcommands,
  examples: [
    example("bloom trace rebind", "after a rebase by hand", "після rebase вручну"),
    example("bloom trace history 5f1c07", "the traces of a commit, and since when", "сліди коміту, і відколи"),
  ],
});
