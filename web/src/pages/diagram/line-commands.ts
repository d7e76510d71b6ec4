import type { Diagram } from "../../../../src/drakon/diagram/diagram.ts";
import type { EditLine } from "../../../../src/drakon/edit/operation.ts";
import type { Text } from "../../i18n/use-t.ts";
import {
  type EditorCommand,
  immediateCommand,
  promptCommand,
  promptField,
  SAMPLE_TEXT,
  TWO_STOREYS,
} from "./command.ts";
import { iconTypeLabel } from "./icon-labels.ts";
import type { LinePlace } from "./places.ts";

interface CommonIcon {
  readonly id: string;
  readonly name: Text;
  readonly key: string;
  /** The purpose of the icon. */
  readonly about: Text;
  /** Its outline in a box of 28 by 18. */
  readonly shape: string;
}

/** The most used icons, by the command that inserts each. */
export const COMMON_ICONS: readonly CommonIcon[] = [
  {
    id: "insert action",
    name: iconTypeLabel("action"),
    key: "a",
    about: {
      en: "One step: a formula, a call of a tool, or words for the model",
      uk: "Один крок: формула, виклик інструмента або слова для моделі",
    },
    shape: "M2 2H26V16H2Z",
  },
  {
    id: "insert-question",
    name: iconTypeLabel("question"),
    key: "q",
    about: {
      en: "Goes on by yes or no; both ways meet below",
      uk: "Далі за «так» чи «ні»; обидва шляхи сходяться нижче",
    },
    shape: "M7 2H21L26 9L21 16H7L2 9Z",
  },
  {
    id: "insert-guard",
    name: { en: "Only if", uk: "Лише якщо" },
    key: "g",
    about: {
      en: "Goes on only if yes. No ends the run; inside a loop it goes to the next item",
      uk: "Далі лише якщо «так». «Ні» завершує запуск, а в циклі переходить до наступного",
    },
    shape: "M6 1H17L21 6L17 11H6L2 6ZM21 6H26V17",
  },
  {
    id: "insert-select",
    name: iconTypeLabel("select"),
    key: "s",
    about: { en: "Goes on by one of several cases", uk: "Далі за одним із кількох варіантів" },
    shape: "M6 2H26L22 16H2Z",
  },
  {
    id: "insert-for-each",
    name: iconTypeLabel("loopbegin"),
    key: "f",
    about: {
      en: "Repeats the steps below for each item of a list",
      uk: "Повторює кроки нижче для кожного елемента списку",
    },
    shape: "M7 2H21L26 7V16H2V7Z",
  },
  {
    id: "insert-parallel",
    name: { en: "Parallel", uk: "Паралельно" },
    key: "p",
    about: {
      en: "Does several columns of steps; goes on when all are done",
      uk: "Кілька стовпців кроків; далі, коли зроблено всі",
    },
    shape: "M2 5H26M2 13H26M8 2V16M20 2V16",
  },
  {
    id: "insert insertion",
    name: { en: "Diagram", uk: "Діаграма" },
    key: "i",
    about: { en: "Does another diagram of this agent", uk: "Виконує іншу діаграму цього агента" },
    shape: "M2 2H26V16H2ZM6 2V16M22 2V16",
  },
  {
    id: "insert comment",
    name: iconTypeLabel("comment"),
    key: "c",
    about: { en: "A remark in the drawing; it does nothing", uk: "Примітка на рисунку; нічого не робить" },
    shape: "M2 2H21L26 7V16H2Z",
  },
];

const RARE_TYPES = [
  "simpleinput",
  "simpleoutput",
  "input",
  "output",
  "process",
  "shelf",
  "pause",
  "timer",
  "ctrlstart",
  "ctrlend",
];

/** Commands that insert something on a line or lead it elsewhere. */
export function lineCommands(diagram: Diagram, { line: at, target }: LinePlace): EditorCommand[] {
  const usual = [
    ...insertCommands(at),
    ...reconnectCommands(at),
    ...(diagram.icons.get(target)?.type === "branch" ? [redirectCommand(diagram, at)] : []),
  ].map((command) => (command.id === "insert-guard" ? command : { ...command, sure: true }));
  return [...usual, ...RARE_TYPES.map((type) => ({ ...insertIcon(at, type), rare: true }))];
}

function insertCommands(at: EditLine): EditorCommand[] {
  const text = SAMPLE_TEXT;
  const question = [promptField("text", words.asked)];
  return [
    insertIcon(at, "action", "a"),
    promptCommand("insert-question", words.question, "q", { op: "insert-question", at, text }, question, {
      reads: "question",
      operations: (texts) => [{ op: "insert-question", at, text: texts["text"] ?? "" }],
    }),
    promptCommand(
      "insert-select",
      words.select,
      "s",
      { op: "insert-select", at, text, cases: [text, ""] },
      [promptField("text", words.selected), { ...promptField("cases", words.cases), lines: 4 }],
      {
        reads: "question",
        operations: (texts) => [
          {
            op: "insert-select",
            at,
            text: texts["text"] ?? "",
            cases: (texts["cases"] ?? "").split("\n").map((each) => each.trim()),
          },
        ],
      },
    ),
    promptCommand(
      "insert-for-each",
      words.forEach,
      "f",
      { op: "insert-for-each", at, text },
      [promptField("text", words.over)],
      { reads: "words", operations: (texts) => [{ op: "insert-for-each", at, text: texts["text"] ?? "" }] },
    ),
    immediateCommand("insert-parallel", words.parallel, "p", { op: "insert-parallel", at }),
    promptCommand("insert-guard", words.guard, "g", { op: "insert-guard", at, text }, question, {
      reads: "question",
      operations: (texts) => [{ op: "insert-guard", at, text: texts["text"] ?? "" }],
    }),
    insertIcon(at, "insertion", "i"),
    insertIcon(at, "comment", "c"),
  ];
}

function insertIcon(at: EditLine, type: string, key?: string): EditorCommand {
  const fields = [
    promptField("text", words.text),
    ...(TWO_STOREYS.has(type) ? [promptField("secondary", words.upper)] : []),
  ];
  const attempt = { op: "insert-icon", at, type, text: SAMPLE_TEXT } as const;
  return promptCommand(`insert ${type}`, iconTypeLabel(type), key, attempt, fields, {
    reads: type === "action" ? "action" : "words",
    operations: ({ text = "", secondary }) => [
      { op: "insert-icon", at, type, text, ...(secondary !== undefined && { secondary }) },
    ],
  });
}

const reconnectCommands = (at: EditLine): EditorCommand[] => [
  {
    id: "move-line",
    name: words.moveLine,
    key: "m",
    needs: "place",
    hint: words.moveLineHint,
    operationAt: (to) =>
      to.kind !== "line" && to.icon !== undefined ? { op: "move-line", at, to: to.icon } : undefined,
  },
  {
    id: "make-loop",
    name: words.makeLoop,
    key: "l",
    needs: "place",
    hint: words.makeLoopHint,
    operationAt: (to) => (to.kind === "line" ? { op: "make-loop", at, above: to.line } : undefined),
  },
];

/** Leads a line, or an address, to another branch. */
export const redirectCommand = (diagram: Diagram, at: EditLine): EditorCommand => ({
  id: "redirect-address",
  name: words.redirect,
  key: "r",
  needs: "place",
  hint: words.redirectHint,
  operationAt: (to) =>
    to.kind !== "line" && to.icon !== undefined && diagram.icons.get(to.icon)?.type === "branch"
      ? { op: "redirect-address", at, to: to.icon }
      : undefined,
});

const words = {
  question: { en: "Question", uk: "Питання" },
  select: { en: "Select", uk: "Вибір" },
  forEach: { en: "For each", uk: "Для кожного" },
  parallel: { en: "Parallel block", uk: "Паралельний блок" },
  guard: { en: "Guard: continue only if", uk: "Умова: далі лише якщо" },
  text: { en: "Text", uk: "Текст" },
  upper: { en: "Upper text", uk: "Верхній текст" },
  asked: { en: "Question", uk: "Що питають" },
  selected: { en: "Select by", uk: "За чим вибирають" },
  cases: {
    en: "Cases, one per line; leave the last one empty for all others",
    uk: "Варіанти, по одному в рядку; порожній останній — для решти",
  },
  over: { en: "Item and list, for example: note; notes", uk: "За чим, наприклад: нотатка; нотатки" },
  moveLine: { en: "Lead to another icon", uk: "Повести в інше місце" },
  moveLineHint: { en: "Select the icon that the line should lead to.", uk: "Виберіть ікону, до якої вестиме лінія." },
  makeLoop: { en: "Lead back up (loop)", uk: "Повернути вгору" },
  makeLoopHint: { en: "Select a line above to lead back to.", uk: "Виберіть лінію вище, до якої вона повернеться." },
  redirect: { en: "Go to another branch", uk: "До іншої гілки" },
  redirectHint: { en: "Select the branch to go to.", uk: "Виберіть гілку, до якої йти." },
} as const satisfies Record<string, Text>;
