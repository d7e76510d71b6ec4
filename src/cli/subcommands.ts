import type { Text } from "../base/text.ts";
import type { Garden } from "../garden/core/garden.ts";
import type { Command, CommandContext, CommandReport } from "./command.ts";
import { checkCount, unknownSubcommand } from "./failures.ts";
import { withGarden } from "./with-garden.ts";

/** One subcommand: `bloom agent list`. `words` counts the arguments after its name. */
export interface Subcommand<Target = Garden> {
  readonly usage: string;
  readonly words: readonly [min: number, max: number];
  readonly does: Text;
  run(context: CommandContext, target: Target, words: readonly string[]): Promise<CommandReport>;
}

export type Subcommands<Target = Garden> = Readonly<Record<string, Subcommand<Target>>>;

interface SubcommandSet<Target> extends Pick<Command, "name" | "summary" | "options"> {
  readonly subcommands: Subcommands<Target>;
  /** The subcommand that runs if none is named. */
  readonly usual?: string;
  readonly examples?: Command["examples"];
}

/** A command whose first argument selects a subcommand, run in the open garden. `before` runs first, for every subcommand. */
export const gardenCommand = (
  set: SubcommandSet<Garden> & { readonly before?: (garden: Garden) => Promise<unknown> },
): Command =>
  commandOf(set, (context, use) =>
    withGarden(context, async (garden) => {
      await set.before?.(garden);
      return use(garden);
    }),
  );

/** A command with subcommands that need no garden. */
export const plainCommand = (set: SubcommandSet<undefined>): Command => commandOf(set, (_, use) => use(undefined));

function commandOf<Target>(
  { name, summary, options, subcommands, usual, examples = [] }: SubcommandSet<Target>,
  open: (context: CommandContext, use: (target: Target) => Promise<CommandReport>) => Promise<CommandReport>,
): Command {
  return {
    name,
    summary,
    usage: usual === undefined ? "SUBCOMMAND …" : "[SUBCOMMAND] …",
    words: [0, Infinity],
    options,
    subcommands: Object.entries(subcommands).map(([word, { usage, words, does }]) => ({ word, usage, words, does })),
    examples,
    run(context) {
      const [word = usual, ...words] = context.words;
      if (word === undefined || !Object.hasOwn(subcommands, word))
        throw unknownSubcommand(name, Object.keys(subcommands), word);
      const subcommand = subcommands[word]!;
      checkCount(`${name} ${word}`, subcommand, words);
      return open(context, (target) => subcommand.run(context, target, words));
    },
  };
}
