import type { Text } from "../../base/text.ts";
import { severityOf } from "../finding.ts";

/** An error or warning about pseudocode: the position and a message in both languages. */
export interface TextFinding {
  readonly code: TextFindingCode;
  readonly severity: "error" | "warning";
  /** Line and column in the given text, both from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: Text;
}

/** The message per code; `E-` is an error, `W-` a warning. `{}` is replaced by the detail of the finding. */
const table = {
  "E-TEXT-TOO-LARGE": ["the text is too large: {} characters", "текст завеликий: {} символів"],
  "E-TEXT-NO-BEGIN": ["no line begins a procedure (BEGIN)", "немає рядка, з якого починається процедура (ПОЧАТОК)"],
  "E-TEXT-NO-END": [
    "the procedure that begins at line {} does not end",
    "процедура, що починається в рядку {}, не має кінця",
  ],
  "E-TEXT-CONDITION": ["the condition is incomplete", "в умові чогось бракує"],
  "E-TEXT-EMPTY": ["text is missing after {}", "не сказано, чого стосується {}"],
  "E-TEXT-REST": ["unexpected text after this word: {}", "після цього слова нічого не може стояти: {}"],
  "E-TEXT-STRAY": ["{} does not belong here", "{} тут зайве"],
  "E-TEXT-UNNAMED": [
    "this line is outside of any case, process or branch",
    "цей рядок не належить жодному варіанту, процесу чи гілці",
  ],
  "E-TEXT-NO-CASE": ["the select has no case", "вибір не має варіантів"],
  "E-TEXT-EXIT": ["it is unclear where the arrow leads: {}", "незрозуміло, куди веде стрілка: {}"],
  "E-TEXT-NO-LOOP": ["there is no loop around this line", "навколо цього рядка немає циклу"],
  "E-TEXT-LABEL": ["nothing around this line has the number {}", "ніщо навколо цього рядка не має номера {}"],
  "E-TEXT-BRANCH": ["there is no branch {}", "немає гілки {}"],
  "W-TEXT-INDENT": [
    "the indentation matches no line above: the line is treated as the next one of the block",
    "відступ не відповідає жодному рядку вище; рядок вважається наступним у блоці",
  ],
  "W-TEXT-UNREACHABLE": ["this line is unreachable", "до цього рядка немає шляху"],
  "W-TEXT-BRACKET": ["a bracket on this line is not closed", "дужка в цьому рядку не закрита"],
  "W-TEXT-BRANCH-TWICE": ["two branches have the name {}", "дві гілки мають назву {}"],
} as const satisfies Record<`${"E" | "W"}-${string}`, readonly [en: string, uk: string]>;

export type TextFindingCode = keyof typeof table;

/** A longer detail is cut: the position identifies the text. */
const LONGEST_DETAIL = 80;

export function textFinding(
  code: TextFindingCode,
  at: { readonly line: number; readonly column: number },
  detail = "",
): TextFinding {
  const [en, uk] = table[code];
  const short = detail.length > LONGEST_DETAIL ? `${detail.slice(0, LONGEST_DETAIL)}…` : detail;
  const fill = (sentence: string): string => sentence.replace("{}", () => short);
  return {
    code,
    severity: severityOf(code),
    line: at.line,
    column: at.column,
    message: { en: fill(en), uk: fill(uk) },
  };
}
