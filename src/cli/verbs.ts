import { didYouMean } from "../base/did-you-mean.ts";
import type { Text } from "../base/text.ts";
import type { Garden } from "../garden/core/garden.ts";
import type { Context, Report } from "./command.ts";
import { wrongUse } from "./parse.ts";
import { withGarden } from "./with-garden.ts";

/** One thing that a command can do; its first word says which. */
export interface Verb {
  readonly usage: string;
  readonly words: readonly [min: number, max: number];
  readonly does: Text;
  run(context: Context, garden: Garden, words: readonly string[]): Promise<Report>;
}

export type Verbs = Readonly<Record<string, Verb>>;

export const option = (value: string, en: string, uk: string) =>
  ({ type: "string", value, about: { en, uk } }) as const;

/** The lines of the help page, one per verb. */
export const verbExamples = (command: string, verbs: Verbs) =>
  Object.entries(verbs).map(([name, { usage, does }]) => ({
    line: `bloom ${command} ${name} ${usage}`.trimEnd(),
    does,
  }));

/** Finds the verb that the first word names (`usual` without one) and runs it; `before` is done first, in the open garden. */
export function runVerb(
  command: string,
  verbs: Verbs,
  usual: string,
  context: Context,
  before?: (garden: Garden) => Promise<unknown>,
): Promise<Report> {
  const [word = usual, ...words] = context.words;
  if (!Object.hasOwn(verbs, word)) throw unknownVerb(command, verbs, word);
  const verb = verbs[word]!;
  const [min, max] = verb.words;
  if (words.length < min || words.length > max) throw wrongCount(command, word, verb, words);
  return withGarden(context, async (garden) => {
    await before?.(garden);
    return verb.run(context, garden, words);
  });
}

const wrongCount = (command: string, word: string, { usage, words: [min, max] }: Verb, words: readonly string[]) =>
  wrongUse(
    words.length < min
      ? { en: `${command} ${word}: which one?`, uk: `${command} ${word}: що саме?` }
      : {
          en: `${command} ${word}: one word too many: ${words[max]}`,
          uk: `${command} ${word}: зайве слово: ${words[max]}`,
        },
    { en: `Usage: bloom ${command} ${word} ${usage}`, uk: `Використання: bloom ${command} ${word} ${usage}` },
  );

function unknownVerb(command: string, verbs: Verbs, word: string) {
  const meant = didYouMean(word, Object.keys(verbs));
  return wrongUse(
    { en: `${command} cannot ${JSON.stringify(word)}`, uk: `${command} не вміє ${JSON.stringify(word)}` },
    meant === undefined
      ? { en: `\`bloom help ${command}\` shows what there is.`, uk: `Що є: \`bloom help ${command}\`.` }
      : { en: `Did you mean \`bloom ${command} ${meant}\`?`, uk: `Можливо, \`bloom ${command} ${meant}\`?` },
  );
}
