import type { Command } from "../command.ts";
import { libraryExchange } from "../library/exchange.ts";
import { libraryShown } from "../library/show-library.ts";
import { librarySuggestions } from "../library/suggestions.ts";
import { example, option } from "../options.ts";
import { gardenCommand } from "../subcommands.ts";

export const libraryCommand: Command = gardenCommand({
  name: "library",
  summary: { en: "behaviours of this garden and of others", uk: "поведінки цього саду й інших" },
  usual: "list",
  options: {
    agent: option("AGENT", "with compare, replay and adopt: our agent", "з compare, replay і adopt: наш агент"),
    version: option("vNNN", "a version instead of the current one", "версія замість поточної"),
    name: option("NAME", "with publish: the name to publish under", "з publish: назва, під якою оприлюднити"),
    to: option(
      "REMOTE",
      "with publish and withdraw: as for bloom peer publish",
      "з publish і withdraw: як у bloom peer publish",
    ),
    seen: option("DIGEST", "with publish: publish what was shown", "з publish: оприлюднити показане"),
    reason: option("TEXT", "with dismiss: why", "з dismiss: чому"),
  },
  subcommands: { ...libraryShown, ...libraryExchange, ...librarySuggestions },
  examples: [
    example("bloom library show alice.3f2a91", "logic, figures and evidence", "логіка, числа й докази"),
    example(
      "bloom library adopt alice.3f2a91 --agent gardener",
      "propose it for an agent",
      "запропонувати її агентові",
    ),
    example('bloom library publish gardener --name "Weekly walk"', "what would leave", "що пішло б назовні"),
    example("bloom library statistics", "figures by behaviour", "числа за поведінками"),
    example("bloom library suggestions", "better behaviours of followed gardens", "кращі поведінки інших садів"),
  ],
});
