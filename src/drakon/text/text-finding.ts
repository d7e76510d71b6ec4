import type { Text } from "../../base/text.ts";

/** What is wrong, or odd, with a text that should be pseudocode: where, and a sentence in both languages. */
export interface TextFinding {
  readonly code: TextFindingCode;
  readonly severity: "error" | "warning";
  /** Both from 1, in the text that was given. */
  readonly line: number;
  readonly column: number;
  readonly message: Text;
}

/** One row per code: how bad it is, and what it says. `{}` stands for the detail that the finding gives. */
const table = {
  "E-TEXT-TOO-LARGE": ["error", "the text is too large: {} characters", "текст завеликий: {} символів"],
  "E-TEXT-NO-BEGIN": [
    "error",
    "there is no line that begins a procedure (BEGIN)",
    "немає рядка, з якого починається процедура (ПОЧАТОК)",
  ],
  "E-TEXT-NO-END": [
    "error",
    "the procedure that begins at line {} does not end",
    "процедура, що починається в рядку {}, не має кінця",
  ],
  "E-TEXT-CONDITION": ["error", "something is missing in the condition", "в умові чогось бракує"],
  "E-TEXT-EMPTY": ["error", "it is not said what {} is about", "не сказано, чого стосується {}"],
  "E-TEXT-REST": ["error", "nothing can stand behind this word: {}", "після цього слова нічого не може стояти: {}"],
  "E-TEXT-STRAY": ["error", "{} does not belong here", "{} тут зайве"],
  "E-TEXT-UNNAMED": [
    "error",
    "this line stands in no case, process or branch",
    "цей рядок не належить жодному варіанту, процесу чи гілці",
  ],
  "E-TEXT-NO-CASE": ["error", "the select has no case", "вибір не має варіантів"],
  "E-TEXT-EXIT": ["error", "it is unclear where the arrow leads: {}", "незрозуміло, куди веде стрілка: {}"],
  "E-TEXT-NO-LOOP": ["error", "there is no loop around this line", "навколо цього рядка немає циклу"],
  "E-TEXT-LABEL": ["error", "nothing around this line has the number {}", "ніщо навколо цього рядка не має номера {}"],
  "E-TEXT-BRANCH": ["error", "there is no branch {}", "немає гілки {}"],
  "W-TEXT-INDENT": [
    "warning",
    "the indentation fits no line above; the line is taken for the next one of the block",
    "відступ не відповідає жодному рядку вище; рядок вважається наступним у блоці",
  ],
  "W-TEXT-UNREACHABLE": ["warning", "no way leads to this line", "до цього рядка немає шляху"],
  "W-TEXT-BRACKET": ["warning", "a bracket stays open on this line", "дужка в цьому рядку не закрита"],
  "W-TEXT-BRANCH-TWICE": ["warning", "two branches are called {}", "дві гілки мають назву {}"],
} as const satisfies Record<string, readonly ["error" | "warning", string, string]>;

export type TextFindingCode = keyof typeof table;

/** A detail that gets long is cut: it is a reminder, and the position says the rest. */
const LONGEST_DETAIL = 80;

export function textFinding(
  code: TextFindingCode,
  at: { readonly line: number; readonly column: number },
  detail = "",
): TextFinding {
  const [severity, en, uk] = table[code];
  const short = detail.length > LONGEST_DETAIL ? `${detail.slice(0, LONGEST_DETAIL)}…` : detail;
  const fill = (sentence: string): string => sentence.replace("{}", () => short);
  return { code, severity, line: at.line, column: at.column, message: { en: fill(en), uk: fill(uk) } };
}
