import type { Diagram } from "../../../../src/drakon/diagram/diagram.ts";
import { roleOf } from "../../../../src/drakon/diagram/icon-types.ts";
import type { EditLine, EditOperation } from "../../../../src/drakon/edit/operation.ts";
import type { Language, Text } from "../../words/say.ts";
import type { BoxPlace, LinePlace, Place } from "./places.ts";
import { typeWord } from "./type-words.ts";

/** Something that can be done at a place: at once, after a text was written, or after a second place was chosen. */
export type Move = {
  readonly id: string;
  readonly name: Text;
  /** The key that does it while the drawing has the focus. */
  readonly key?: string;
  /** Among those that are rarely wanted. */
  readonly rare?: boolean;
  /** Tried beforehand, so that what is not possible says why. */
  readonly attempt?: EditOperation;
  /** Hardly ever refused: tried when it is made, not beforehand. */
  readonly sure?: boolean;
} & (
  | { readonly needs: "nothing"; readonly operation: EditOperation }
  | { readonly needs: "text"; readonly ask: Ask }
  | { readonly needs: "place"; readonly hint: Text; readonly operationAt: (place: Place) => EditOperation | undefined }
  | { readonly needs: "jump"; readonly to: string }
  | { readonly needs: "several"; readonly operations: readonly EditOperation[] }
  | { readonly needs: "copy"; readonly icons: readonly CopiedIcon[]; readonly operations: readonly EditOperation[] }
);

/** A step to be put elsewhere: in this diagram, in another tab, in another agent. */
export interface CopiedIcon {
  readonly type: string;
  readonly text: string;
  readonly secondary?: string;
}

/** Texts that are asked for, and what is done with them. */
export interface Ask {
  readonly title: Text;
  readonly fields: readonly AskedField[];
  readonly operations: (texts: Readonly<Record<string, string>>) => readonly EditOperation[];
  /** How the first text will be read when it runs. */
  readonly reads: "action" | "question" | "words";
  readonly isNew: boolean;
}

export interface AskedField {
  readonly name: string;
  readonly label: Text;
  readonly now: string;
  readonly lines?: number;
}

export function movesAt(diagram: Diagram, place: Place, language: Language): readonly Move[] {
  if (place.kind === "line") return lineMoves(diagram, place);
  if (place.kind === "header" || place.kind === "params") return headerMoves(diagram, language);
  if (place.kind === "address") return addressMoves(diagram, place);
  return iconMoves(diagram, place);
}

/** A text that stands for one that is still to be written: only whether something fits there is tried. */
const SOME = "x";

/** The icons that are put on lines most, by the move that does it. */
export const COMMON: readonly { readonly id: string; readonly name: Text }[] = [
  { id: "insert action", name: typeWord("action") },
  { id: "insert-question", name: typeWord("question") },
  { id: "insert-select", name: typeWord("select") },
  { id: "insert-for-each", name: typeWord("loopbegin") },
  { id: "insert-parallel", name: { en: "Parallel", uk: "Паралельно" } },
  { id: "insert insertion", name: typeWord("insertion") },
  { id: "insert comment", name: typeWord("comment") },
];

export function lineMoves(diagram: Diagram, { line: at, target }: LinePlace): Move[] {
  const moves: Move[] = [
    insertion(at, "action", "a"),
    asks(
      "insert-question",
      words.question,
      "q",
      { op: "insert-question", at, text: SOME },
      [field("text", words.asked)],
      {
        reads: "question",
        operations: ({ text = "" }) => [{ op: "insert-question", at, text }],
      },
    ),
    asks(
      "insert-select",
      words.select,
      "s",
      { op: "insert-select", at, text: SOME, cases: [SOME, ""] },
      [field("text", words.selected), { ...field("cases", words.cases), lines: 4 }],
      {
        reads: "question",
        operations: ({ text = "", cases = "" }) => [
          { op: "insert-select", at, text, cases: cases.split("\n").map((each) => each.trim()) },
        ],
      },
    ),
    asks(
      "insert-for-each",
      words.forEach,
      "f",
      { op: "insert-for-each", at, text: SOME },
      [field("text", words.over)],
      {
        reads: "words",
        operations: ({ text = "" }) => [{ op: "insert-for-each", at, text }],
      },
    ),
    now("insert-parallel", words.parallel, "p", { op: "insert-parallel", at }),
    asks("insert-guard", words.guard, "g", { op: "insert-guard", at, text: SOME }, [field("text", words.asked)], {
      reads: "question",
      operations: ({ text = "" }) => [{ op: "insert-guard", at, text }],
    }),
    insertion(at, "insertion", "i"),
    insertion(at, "comment", "c"),
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
  if (diagram.icons.get(target)?.type === "branch") moves.push(redirect(diagram, at));
  const told = moves.map((move) => (move.id === "insert-guard" ? move : { ...move, sure: true }));
  return [...told, ...RARE.map((type) => ({ ...insertion(at, type), rare: true }))];
}

const RARE = [
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
const TWO_STOREYS = new Set(["shelf", "process", "input", "output"]);

function insertion(at: EditLine, type: string, key?: string): Move {
  const fields = [field("text", words.text), ...(TWO_STOREYS.has(type) ? [field("secondary", words.upper)] : [])];
  return asks(`insert ${type}`, typeWord(type), key, { op: "insert-icon", at, type, text: SOME }, fields, {
    reads: type === "action" ? "action" : "words",
    operations: ({ text = "", secondary }) => [
      { op: "insert-icon", at, type, text, ...(secondary !== undefined && { secondary }) },
    ],
  });
}

const redirect = (diagram: Diagram, at: EditLine): Move => ({
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

const addressMoves = (diagram: Diagram, { line, icon }: BoxPlace): Move[] => [
  redirect(diagram, line),
  { id: "jump", name: words.jump, key: "g", needs: "jump", to: `icon ${icon}` },
];

function headerMoves(diagram: Diagram, language: Language): Move[] {
  const { name, params, description } = diagram;
  const fields = [
    { ...field("name", words.name), now: name },
    { ...field("params", words.params), now: params, lines: 2 },
    { ...field("description", words.description), now: description, lines: 3 },
  ] as const;
  const empty = diagram.icons.size === 0;
  return [
    ...(empty ? [now("start", words.start, undefined, { op: "start" })] : []),
    {
      id: "edit-header",
      name: words.header,
      needs: "text",
      ask: {
        title: words.header,
        fields,
        reads: "words",
        isNew: false,
        operations: (texts) =>
          (["name", "params", "description"] as const)
            .filter((each) => texts[each] !== undefined && texts[each] !== diagram[each])
            .map((each) => ({ op: "edit-header", field: each, text: texts[each]! })),
      },
    },
    now("to-silhouette", words.toSilhouette, undefined, { op: "to-silhouette", names: NAMES[language] }),
    now("to-primitive", words.toPrimitive, undefined, { op: "to-primitive" }),
  ];
}

/** What the branches of a new silhouette are called. */
const NAMES = {
  en: ["Branch 1", "Branch 2", "Exit"],
  uk: ["Гілка 1", "Гілка 2", "Вихід"],
} as const;

const WORDLESS = new Set(["end", "arrow-loop"]);

function iconMoves(diagram: Diagram, place: BoxPlace): Move[] {
  const icon = diagram.icons.get(place.icon ?? "");
  if (!icon) return [];
  const { id, type } = icon;
  const role = roleOf(type);
  const moves: Move[] = [];
  if (!WORDLESS.has(type)) moves.push(edit(diagram, id));
  if (role === "question") {
    moves.push(now("swap-answers", words.swap, "w", { op: "swap-answers", icon: id }));
    moves.push(now("turn-question", words.turn, "t", { op: "turn-question", icon: id }));
  }
  if (role === "step") {
    moves.push({
      id: "move-step",
      name: words.moveStep,
      key: "m",
      needs: "place",
      hint: words.moveStepHint,
      operationAt: (to) => (to.kind === "line" ? { op: "move-step", icon: id, at: to.line } : undefined),
    });
  }
  for (const side of ["left", "right"] as const) {
    const text = [field("text", words.text)];
    const operation = { beside: id, side };
    if (role === "case") {
      moves.push(
        asks(`add-case ${side}`, words[`${side}Case`], undefined, { op: "add-case", ...operation, text: SOME }, text, {
          reads: "words",
          operations: ({ text: said = "" }) => [{ op: "add-case", ...operation, text: said }],
        }),
      );
    }
    if (role === "parbegin")
      moves.push(now(`add-process ${side}`, words[`${side}Process`], undefined, { op: "add-process", ...operation }));
    if (role === "branch") {
      moves.push(
        asks(`insert-branch ${side}`, words[`${side}Branch`], undefined, { op: "insert-branch", ...operation }, text, {
          reads: "words",
          operations: ({ text: said = "" }) => [
            { op: "insert-branch", ...operation, ...(said.trim() !== "" && { name: said }) },
          ],
        }),
      );
    }
  }
  if (icon.side === undefined && (role === "step" || role === "question" || role === "select")) {
    moves.push(
      asks(
        "insert-duration",
        words.duration,
        "d",
        { op: "insert-duration", beside: id, text: SOME },
        [field("text", words.howLong)],
        { reads: "words", operations: ({ text = "" }) => [{ op: "insert-duration", beside: id, text }] },
      ),
    );
  }
  return [...moves, now("delete", words.delete, "Delete", { op: "delete", icon: id })];
}

function edit(diagram: Diagram, id: string): Move {
  const { type, text, secondary } = diagram.icons.get(id)!;
  const upper = TWO_STOREYS.has(type) ? [{ ...field("secondary", words.upper), now: secondary ?? "" }] : [];
  const role = roleOf(type);
  return {
    id: "edit-text",
    name: words.edit,
    key: "Enter",
    needs: "text",
    ask: {
      title: typeWord(type),
      fields: [{ ...field("text", words.text), now: text }, ...upper],
      reads: role === "question" || role === "select" ? "question" : type === "action" ? "action" : "words",
      isNew: false,
      operations: (texts) => [
        ...(texts["text"] !== undefined && texts["text"] !== text
          ? [{ op: "edit-text", icon: id, field: "content", text: texts["text"] } as const]
          : []),
        ...(texts["secondary"] !== undefined && texts["secondary"] !== (secondary ?? "")
          ? [{ op: "edit-text", icon: id, field: "secondary", text: texts["secondary"] } as const]
          : []),
      ],
    },
  };
}

const field = (name: string, label: Text): AskedField => ({ name, label, now: "" });

const now = (id: string, name: Text, key: string | undefined, operation: EditOperation): Move => ({
  id,
  name,
  ...(key !== undefined && { key }),
  needs: "nothing",
  operation,
  attempt: operation,
});

const asks = (
  id: string,
  name: Text,
  key: string | undefined,
  attempt: EditOperation,
  fields: readonly AskedField[],
  rest: Pick<Ask, "reads" | "operations">,
): Move => ({
  id,
  name,
  ...(key !== undefined && { key }),
  needs: "text",
  attempt,
  ask: { title: name, fields, isNew: true, ...rest },
});

const words = {
  question: { en: "Question", uk: "Питання" },
  select: { en: "Select", uk: "Вибір" },
  forEach: { en: "For each", uk: "Для кожного" },
  parallel: { en: "Parallel block", uk: "Паралельний блок" },
  guard: { en: "Guard: go on only if", uk: "Умова: далі лише якщо" },
  text: { en: "Text", uk: "Текст" },
  upper: { en: "Upper text", uk: "Верхній текст" },
  asked: { en: "What is asked", uk: "Що питають" },
  selected: { en: "By what", uk: "За чим вибирають" },
  cases: {
    en: "Cases, one per line; an empty last one is for the rest",
    uk: "Варіанти, по одному в рядку; порожній останній — для решти",
  },
  over: { en: "Over what, as in: note; notes", uk: "За чим, наприклад: нотатка; нотатки" },
  howLong: { en: "How long", uk: "Скільки триває" },
  moveLine: { en: "Lead it elsewhere", uk: "Повести в інше місце" },
  moveLineHint: { en: "Choose the icon that the line shall lead to.", uk: "Виберіть ікону, до якої вестиме лінія." },
  makeLoop: { en: "Lead it back up", uk: "Повернути вгору" },
  makeLoopHint: {
    en: "Choose the line above that it shall lead back to.",
    uk: "Виберіть лінію вище, до якої вона повернеться.",
  },
  redirect: { en: "Go to another branch", uk: "До іншої гілки" },
  redirectHint: { en: "Choose the branch to go to.", uk: "Виберіть гілку, до якої йти." },
  jump: { en: "Show that branch", uk: "Показати ту гілку" },
  name: { en: "Name", uk: "Назва" },
  params: { en: "Parameters, one per line", uk: "Параметри, по одному в рядку" },
  description: { en: "Description", uk: "Опис" },
  start: { en: "Begin the diagram", uk: "Почати діаграму" },
  header: { en: "Name and parameters", uk: "Назва й параметри" },
  toSilhouette: { en: "Make it a silhouette (branches)", uk: "Зробити силуетом (гілки)" },
  toPrimitive: { en: "Make it a primitive (first branch only)", uk: "Зробити примітивом (лише перша гілка)" },
  swap: { en: "Exchange yes and no", uk: "Поміняти «так» і «ні»" },
  turn: { en: "Turn: lines and answers together", uk: "Повернути: лінії разом із відповідями" },
  moveStep: { en: "Move to another line", uk: "Перенести на іншу лінію" },
  moveStepHint: { en: "Choose the line that it shall stand on.", uk: "Виберіть лінію, на якій вона стоятиме." },
  leftCase: { en: "Case to the left", uk: "Варіант ліворуч" },
  rightCase: { en: "Case to the right", uk: "Варіант праворуч" },
  leftProcess: { en: "Process to the left", uk: "Процес ліворуч" },
  rightProcess: { en: "Process to the right", uk: "Процес праворуч" },
  leftBranch: { en: "Branch to the left", uk: "Гілка ліворуч" },
  rightBranch: { en: "Branch to the right", uk: "Гілка праворуч" },
  duration: { en: "Duration beside it", uk: "Тривалість збоку" },
  delete: { en: "Delete", uk: "Видалити" },
  edit: { en: "Edit the text", uk: "Змінити текст" },
} as const satisfies Record<string, Text>;
