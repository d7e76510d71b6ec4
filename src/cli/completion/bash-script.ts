import type { Completion, CompletionRow } from "./completion-table.ts";

/** The completion script of bash. zsh reads the same one through its `bashcompinit`. */
export function bashScript(rows: readonly CompletionRow[], shell: "bash" | "zsh"): string {
  const commands = rows.filter(({ words }) => words.length === 1);
  const global = commands[0]?.options.filter(({ name }) => commands.every((row) => has(row, name))) ?? [];
  const top = `'') words=${quoted(commands.map(({ words }) => words[0]!))} options=${quoted(global.map(({ name }) => `--${name}`))} ;;`;
  const table = rows.map((row) => {
    const parts = [
      row.subcommands.length > 0 && `words=${quoted(row.subcommands.map(({ word }) => word))}`,
      `options=${quoted(row.options.map(({ name }) => `--${name}`))}`,
      row.args.length > 0 && `args=${quoted(row.args.map(kindText))}`,
      row.repeats && "repeats=1",
    ];
    return `${quoted(row.words)}) ${parts.filter((part) => part !== false).join(" ")} ;;`;
  });
  const values = new Map<string, string[]>();
  for (const { words, options } of [{ words: [""], options: global }, ...commands])
    for (const { name, short, value } of options)
      if (value)
        for (const written of [`--${name}`, ...(short === undefined ? [] : [`-${short}`])])
          values.set(kindText(value), [...(values.get(kindText(value)) ?? []), `${words[0]} ${written}`]);
  const cases = [...values].map(
    ([kind, keys]) => `${keys.map((key) => quoted([key])).join("|")}) kind=${quoted([kind])} ;;`,
  );
  return `${HEAD[shell]}
_bloom_table() {
  words= options= args= repeats=
  case "$1" in
  ${[top, ...table].join("\n  ")}
  esac
}

_bloom_value() {
  kind=
  case "$1" in
  ${cases.join("\n  ")}
  esac
}
${FUNCTIONS}`;
}

const has = ({ options }: CompletionRow, name: string): boolean => options.some((option) => option.name === name);

const quoted = (parts: readonly string[]): string => `'${parts.join(" ").replaceAll("'", "")}'`;

/** One word without spaces: `agents`, `notes+runs`, `files`, `-`; fixed words have colons between and after them. */
const kindText = (value: Completion): string =>
  value.kind === "names"
    ? value.names.join("+")
    : value.kind === "words"
      ? `${value.words.join(":")}:`
      : value.kind === "files"
        ? "files"
        : "-";

const HEAD = {
  bash: `# Completion of bloom for bash. In ~/.bashrc:  eval "$(bloom completion bash)"`,
  zsh: `# Completion of bloom for zsh. In ~/.zshrc:  eval "$(bloom completion zsh)"
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
autoload -Uz +X bashcompinit && bashcompinit`,
} as const;

const FUNCTIONS = `
_bloom_offer() {
  local name garden=()
  case "$1" in
  -) return ;;
  files) while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -f -- "$cur") ;;
  *:) while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -W "\${1//:/ }" -- "$cur"); return ;;
  *)
    [[ -n "$folder" ]] && garden=(--garden "$folder")
    while IFS= read -r name; do [[ "$name" == "$cur"* ]] && COMPREPLY+=("$name"); done \\
      < <("\${COMP_WORDS[0]}" complete-names "$1" "$cur" "\${garden[@]}" 2>/dev/null)
    ;;
  esac
  compopt -o filenames 2>/dev/null
  [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[*]}" == */ ]] && compopt -o nospace 2>/dev/null
  return 0
}

_bloom() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" command= key= folder= place=0 index word words options args repeats kind kinds
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$word" in
    -*)
      _bloom_value "$command $word"
      [[ -n "$kind" ]] || continue
      index=$((index + 1))
      [[ $index -eq $COMP_CWORD ]] && { _bloom_offer "$kind"; return; }
      [[ "$word" == --garden ]] && folder="\${COMP_WORDS[index]}"
      ;;
    *)
      _bloom_table "$key"
      if [[ -z "$command" ]]; then command="$word" key="$word"
      elif [[ " $words " == *" $word "* ]]; then key="$key $word"
      else place=$((place + 1)); fi
      ;;
    esac
  done
  _bloom_table "$key"
  if [[ "$cur" == -* ]]; then
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$options" -- "$cur")
    return
  fi
  if [[ -n "$words" && $place -eq 0 ]]; then
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$cur")
    return
  fi
  while [[ $place -gt 0 && ( -z "$repeats" || "$args" == *' '* ) ]]; do
    [[ "$args" == *' '* ]] && args="\${args#* }" || args=
    place=$((place - 1))
  done
  kind="\${args%% *}"
  [[ -n "$kind" ]] && _bloom_offer "$kind"
  return 0
}
complete -F _bloom bloom
`;
