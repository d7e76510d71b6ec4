import type { Request } from "../../api/endpoints.gen.ts";

interface Option {
  readonly value: string;
  /** The words that stand for it: the question's line about it, else the option itself. */
  readonly said: string;
  /** The option, where `said` is a line of the question: a path is shown as the note's title. */
  readonly source?: string;
}

/** A question as it is shown: its first line is the title, and lines `option: words` belong to their options. */
export function questionParts({ question, options = [] }: Request["ask"]): {
  readonly title: string;
  readonly text: string;
  readonly options: readonly Option[];
} {
  const [title = "", ...lines] = question.split("\n");
  const about = new Map<string, string>();
  const rest = lines.filter((line) => {
    const option = options.find((each) => line.startsWith(`${each}: `));
    if (option === undefined || about.has(option)) return true;
    about.set(option, line.slice(option.length + 2).trim());
    return false;
  });
  return {
    title,
    text: rest.join("\n").trim(),
    options: options.map((value) => {
      const said = about.get(value);
      return said === undefined ? { value, said: value } : { value, said, source: titleOf(value) };
    }),
  };
}

/** `notes/garden/seed-calendar.md` is "seed-calendar". */
const titleOf = (option: string): string => /([^/]+)\.md$/.exec(option)?.[1] ?? option;

/** Plain text with `**bold**` words. Nothing else of Markdown: the words are an agent's. */
export const Marked = ({ text }: { readonly text: string }) => (
  <>
    {text.split("**").map((part, index) =>
      // oxlint-disable-next-line react/no-array-index-key -- parts of one text
      index % 2 === 1 ? <b key={index}>{part}</b> : part,
    )}
  </>
);
