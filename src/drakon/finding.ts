import type { Language, Text } from "../base/text.ts";
import type { IconId } from "./icon-id.ts";

/** An error or warning about a diagram: the icon, its text, and a message in both languages (D-2). */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: "error" | "warning";
  /** Absent if the finding is about the whole file. */
  readonly icon?: IconId;
  readonly iconText?: string;
  readonly field?: string;
  readonly message: Text;
}

/**
 * The message per code; `E-` is an error, `W-` a warning. `{}` is replaced by the detail of the finding. A fault that two icons
 * share has a second message, for the icon whose line it is.
 */
const findingTable = {
  "E-JSON": ["the file is not a DRAKON diagram: {}", "файл не є діаграмою ДРАКОН: {}"],
  "E-TOO-LARGE": ["the diagram is too large: {}", "діаграма завелика: {}"],
  "E-ITEM": ["this icon is not an object", "ця ікона не є об'єктом"],
  "E-FIELD": ["the field {} has a wrong type", "поле {} має хибний тип"],
  "E-NO-BRANCH": ["the diagram has no branch to start at", "немає гілки, з якої починати"],
  "E-BRANCHID": [
    "the branch id is missing, not a number or used twice: {}",
    "номер гілки відсутній, не число або повторюється: {}",
  ],
  "E-DANGLING": ["the exit {} leads to an icon that does not exist", "вихід {} веде до ікони, якої немає"],
  "E-WRONG-TARGET": [
    "the exit {} leads to an icon that cannot be entered",
    "вихід {} веде до ікони, у яку не можна увійти",
  ],
  "E-MISSING-EXIT": ["the exit {} is missing", "немає виходу {}"],
  "E-CYCLE-NO-ARROW": [
    "a line leads back to this icon without a loop arrow (from {})",
    "шлях повертається до цієї ікони без стрілки циклу (від {})",
    "its line leads back to icon {} without a loop arrow",
    "її лінія веде назад до ікони {} без стрілки циклу",
  ],
  "E-LOOP-UNPAIRED": ["this end of a loop has no counterpart", "цей кінець циклу не має пари"],
  "E-LOOP-ENTRY": [
    "a line leads into the middle of this loop (from {})",
    "шлях веде всередину цього циклу (від {})",
    "its line leads into the middle of a loop, to icon {}",
    "її лінія веде всередину циклу, до ікони {}",
  ],
  "E-LOOP-RESTART": [
    "a line from inside the loop leads back to its head (from {}); the next item is at its lower end",
    "лінія зсередини циклу веде назад до його початку (від {}); наступний елемент — через нижній кінець",
    "its line leads back to the head {} of the loop; lead it to the lower end for the next item",
    "її лінія веде назад до початку циклу {}; для наступного елемента ведіть її до нижнього кінця",
  ],
  "E-SELECT-NO-CASE": ["the select has no case", "вибір не має варіантів"],
  "E-CASE-STRAY": ["this case belongs to no select", "цей варіант не належить жодному вибору"],
  "E-CASE-EMPTY-MIDDLE": ["only the last case may be empty", "порожнім може бути лише останній варіант"],
  "E-PAR-UNPAIRED": ["this end of a parallel block has no counterpart", "цей кінець паралельного блоку не має пари"],
  "E-PAR-ESCAPE": [
    "a line leads out of, or into, a parallel process (from {})",
    "шлях веде з паралельного процесу назовні або всередину (від {})",
    "its line to icon {} leads out of, or into, a parallel process",
    "її лінія до ікони {} веде з паралельного процесу назовні або всередину",
  ],
  "E-PAR-NO-END": [
    "no process of this parallel block leads to its end",
    "жоден процес цього паралельного блоку не веде до його кінця",
  ],
  "E-PROCESS-ENTRY": [
    "a line leads to a process that is not the first of its parallel block (from {})",
    "лінія веде до процесу, який не є першим у паралельному блоці (від {})",
    "its line leads to {}, which is not the first process of its parallel block",
    "її лінія веде до {}, а це не перший процес паралельного блоку",
  ],
  "E-CROSS-BRANCH": [
    "two branches share this icon without an address",
    "дві гілки спільно використовують цю ікону без адреси",
    "its line leads to icon {}, which another branch leads to as well; use an address",
    "її лінія веде до ікони {}, до якої веде й інша гілка; потрібна адреса",
  ],
  "E-EMPTY-QUESTION": ["the question is empty", "питання порожнє"],
  "E-EMPTY-SELECT": ["the select is empty", "вибір порожній"],
  "E-EMPTY-LOOP": ["the loop does not say what to iterate over", "цикл не каже, що він перебирає"],
  "E-INSERTION": [
    "the insertion calls a missing diagram, or itself in a cycle: {}",
    "вставка називає діаграму, якої немає або яка замикає коло: {}",
  ],
  "E-CONSTANT": ["{} is a constant and cannot be assigned", "{} є сталою, їй не можна надати значення"],
  "E-UNSET": ["{} is used here, but not set on every path", "{} тут використано, але надано не на кожному шляху"],
  "W-BRANCH-UNREFERENCED": ["no address leads to this branch", "жодна адреса не веде до цієї гілки"],
  "W-UNREACHABLE": ["no line leads to this icon", "до цієї ікони немає шляху"],
  "W-NO-END": ["the diagram has no end", "діаграма не має кінця"],
  "W-MULTI-END": ["the diagram has more than one end", "діаграма має більше одного кінця"],
  "W-BRANCH-NAME-DUP": ["two branches have this name", "дві гілки мають цю назву"],
  "W-FLAG1-TYPE": ["flag1 is neither 0 nor 1", "flag1 не є ні 0, ні 1"],
  "W-UNKNOWN-TYPE": ["unknown icon type {}: treated as a step", "тип ікони {} невідомий; вона вважається кроком"],
  "W-NO-DEFAULT": ["the select has no default case", "вибір не каже, що робити в інших випадках"],
  "W-EMPTY-ACTION": ["the icon is empty", "ікона порожня"],
  "W-LOOP-NO-BODY": ["the loop has no body", "цикл не має тіла"],
  "W-LOOP-LEFT": [
    "an answer inside the loop {} leads to the end: the items that are left are skipped",
    "відповідь усередині циклу {} веде до кінця: решту елементів буде пропущено",
  ],
  "W-TEXT-IGNORED": [
    "the text of the field {} is not part of the procedure: an icon of this type has none",
    "текст поля {} не належить до процедури: ікона цього типу його не має",
  ],
  "W-ENDLESS": ["the loop has no exit", "з цього циклу немає виходу"],
  "W-SIDE": ["the icon beside it is not a duration", "ікона збоку не є тривалістю"],
  "W-UNBOUND": [
    "{} is never assigned: a language model will be asked for its value",
    "ніщо не надає значення {}; про нього запитають",
  ],
  "W-SHARED-NAME": [
    "two processes of a parallel block assign {}",
    "два процеси паралельного блоку надають значення {}",
  ],
  "W-CROSSING": ["lines cross in the drawing", "лінії на рисунку перетинаються"],
} as const satisfies Record<`${"E" | "W"}-${string}`, readonly string[]>;

export type FindingCode = keyof typeof findingTable;

export const severityOf = (code: string): Finding["severity"] => (code.startsWith("E-") ? "error" : "warning");

export function finding(
  code: FindingCode,
  about: {
    icon?: IconId;
    iconText?: string;
    field?: string;
    detail?: string;
    when?: Text;
    /** The line that the finding is about leaves this icon. */
    isOrigin?: boolean;
  } = {},
): Finding {
  const words: readonly string[] = findingTable[code];
  const { detail = "", when, isOrigin = false, ...rest } = about;
  const [en, uk] = (isOrigin && words.length > 2 ? words.slice(2) : words) as [string, string];
  const fill = (sentence: string, language: Language): string =>
    sentence.replace("{}", () => detail || exitNames[about.field ?? ""]?.[language] || about.field || "");
  const message = { en: fill(en, "en"), uk: fill(uk, "uk") };
  const limited = when && { en: `${message.en}: not when ${when.en}`, uk: `${message.uk}: не тоді, коли ${when.uk}` };
  return { code, severity: severityOf(code), ...rest, message: limited ?? message };
}

/** Fields of the format that people see as lines of the drawing. */
const exitNames: Readonly<Record<string, Text>> = {
  one: { en: "below", uk: "вниз" },
  two: { en: "to the right", uk: "праворуч" },
  side: { en: "to the left", uk: "ліворуч" },
};

export const hasErrors = (findings: readonly Finding[]): boolean =>
  findings.some(({ severity }) => severity === "error");
