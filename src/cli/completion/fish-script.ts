import type { Language } from "../../base/text.ts";
import type { CompletedOption, Completion, CompletionRow } from "./completion-table.ts";

/** The completion script of fish: one \`complete\` line per word, option and argument. */
export function fishScript(rows: readonly CompletionRow[], language: Language): string {
  const lines = rows.flatMap((row) => {
    const place = row.words.join(" ");
    const [command, sub] = row.words;
    const about = (text: CompletionRow["about"]): string => `-d ${quoted(text[language])}`;
    return [
      sub === undefined ? `complete -c bloom -n '__bloom_at' -a ${command} ${about(row.about)}` : "",
      ...row.subcommands.map(
        ({ word, about: does }) => `complete -c bloom -n '__bloom_at ${place}' -a ${word} ${about(does)}`,
      ),
      ...(row.subcommands.length > 0
        ? []
        : row.options.map((option) => optionLine(place, option, about(option.about)))),
      ...argLines(place, row),
    ].filter((line) => line !== "");
  });
  return `${HEAD}${lines.join("\n")}\n`;
}

const optionLine = (place: string, { name, short, value }: CompletedOption, about: string): string =>
  [
    `complete -c bloom -n '__bloom_in ${place}'`,
    short === undefined ? "" : `-s ${short}`,
    `-l ${name}`,
    value === undefined ? "" : value.kind === "files" ? "-r -F" : `-x ${offered(value)}`,
    about,
  ]
    .filter((part) => part !== "")
    .join(" ");

/** fish has no position of an argument: all kinds of a command are offered at every place. */
const argLines = (place: string, { args }: CompletionRow): string[] => [
  ...new Set(
    args
      .filter(({ kind }) => kind !== "none")
      .map((value) => `complete -c bloom -n '__bloom_in ${place}' ${value.kind === "files" ? "-F" : offered(value)}`),
  ),
];

const offered = (value: Completion): string =>
  value.kind === "names"
    ? `-a '(__bloom_names ${value.names.join("+")})'`
    : value.kind === "words"
      ? `-a ${quoted(value.words.join(" "))}`
      : "";

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

const HEAD = `# Completion of bloom for fish:  bloom completion fish > ~/.config/fish/completions/bloom.fish
function __bloom_words
    string match -v -- '-*' (commandline -opc)[2..]
end
function __bloom_at
    test "$(__bloom_words)" = "$argv"
end
function __bloom_in
    set -l words (__bloom_words)
    test (count $words) -ge (count $argv); and test "$words[1..$(count $argv)]" = "$argv"
end
function __bloom_names
    command bloom complete-names $argv[1] (commandline -ct) 2>/dev/null
end
complete -c bloom -f
`;
