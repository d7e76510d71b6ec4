import type { Command } from "../command.ts";
import { librarySuggestions } from "../library/suggestions.ts";
import { example, option } from "../options.ts";
import { gardenCommand } from "../subcommands.ts";

export const libraryCommand: Command = gardenCommand({
  name: "library",
  summary: { en: "behaviours of this garden and of others", uk: "поведінки цього саду й інших" },
  options: {
    reason: option("TEXT", "with dismiss: why", "з dismiss: чому"),
  },
  subcommands: { ...librarySuggestions },
  examples: [
    example("bloom library statistics", "figures by behaviour", "числа за поведінками"),
    example("bloom library suggestions", "better behaviours of followed gardens", "кращі поведінки інших садів"),
  ],
});
