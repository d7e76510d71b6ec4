import type { Diagram } from "../../../../src/drakon/diagram/diagram.ts";
import { roleOf } from "../../../../src/drakon/diagram/icon-types.ts";
import type { Language, Text } from "../../i18n/use-t.ts";
import {
  type EditorCommand,
  immediateCommand,
  promptCommand,
  promptField,
  SAMPLE_TEXT,
  TWO_STOREYS,
} from "./command.ts";
import { iconTypeLabel } from "./icon-labels.ts";
import { lineCommands, redirectCommand } from "./line-commands.ts";
import type { BoxPlace, DiagramPlace } from "./places.ts";

/** Everything that can be done at a place. */
export function commandsAt(diagram: Diagram, place: DiagramPlace, language: Language): readonly EditorCommand[] {
  if (place.kind === "line") return lineCommands(diagram, place);
  if (place.kind === "header" || place.kind === "params") return headerCommands(diagram, language);
  if (place.kind === "address") return addressCommands(diagram, place);
  return iconCommands(diagram, place);
}

const addressCommands = (diagram: Diagram, { line, icon }: BoxPlace): EditorCommand[] => [
  redirectCommand(diagram, line),
  { id: "jump", name: words.jump, key: "g", needs: "jump", to: `icon ${icon}` },
];

function headerCommands(diagram: Diagram, language: Language): EditorCommand[] {
  const { name, params, description } = diagram;
  const fields = [
    { ...promptField("name", words.name), now: name },
    { ...promptField("params", words.params), now: params, lines: 2 },
    { ...promptField("description", words.description), now: description, lines: 3 },
  ] as const;
  const empty = diagram.icons.size === 0;
  return [
    ...(empty ? [immediateCommand("start", words.start, undefined, { op: "start" })] : []),
    {
      id: "edit-header",
      name: words.header,
      needs: "text",
      prompt: {
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
    immediateCommand("to-silhouette", words.toSilhouette, undefined, {
      op: "to-silhouette",
      names: BRANCH_NAMES[language],
    }),
    immediateCommand("to-primitive", words.toPrimitive, undefined, { op: "to-primitive" }),
  ];
}

/** Names of the branches of a new silhouette. */
const BRANCH_NAMES = { en: ["Branch 1", "Branch 2", "Exit"], uk: ["Гілка 1", "Гілка 2", "Вихід"] } as const;

const WITHOUT_TEXT = new Set(["end", "arrow-loop"]);

function iconCommands(diagram: Diagram, place: BoxPlace): EditorCommand[] {
  const icon = diagram.icons.get(place.icon ?? "");
  if (!icon) return [];
  const { id, type } = icon;
  const role = roleOf(type);
  const commands: EditorCommand[] = [];
  if (!WITHOUT_TEXT.has(type)) commands.push(editText(diagram, id));
  if (role === "question") {
    commands.push(immediateCommand("swap-answers", words.swap, "w", { op: "swap-answers", icon: id }));
    commands.push(immediateCommand("turn-question", words.turn, "t", { op: "turn-question", icon: id }));
  }
  if (role === "step") {
    commands.push({
      id: "move-step",
      name: words.moveStep,
      key: "m",
      needs: "place",
      hint: words.moveStepHint,
      operationAt: (to) => (to.kind === "line" ? { op: "move-step", icon: id, at: to.line } : undefined),
    });
  }
  commands.push(...besideCommands(id, role, "left"), ...besideCommands(id, role, "right"));
  if (icon.side === undefined && (role === "step" || role === "question" || role === "select")) {
    const attempt = { op: "insert-duration", beside: id, text: SAMPLE_TEXT } as const;
    commands.push(
      promptCommand("insert-duration", words.duration, "d", attempt, [promptField("text", words.howLong)], {
        reads: "words",
        operations: ({ text = "" }) => [{ op: "insert-duration", beside: id, text }],
      }),
    );
  }
  return [...commands, immediateCommand("delete", words.delete, "Delete", { op: "delete", icon: id })];
}

/** Cases, processes and branches are added beside one of their kind. */
function besideCommands(id: string, role: string | undefined, side: "left" | "right"): EditorCommand[] {
  const fields = [promptField("text", words.text)];
  const beside = { beside: id, side };
  if (role === "case") {
    const attempt = { op: "add-case", ...beside, text: SAMPLE_TEXT } as const;
    return [
      promptCommand(`add-case ${side}`, words[`${side}Case`], undefined, attempt, fields, {
        reads: "words",
        operations: ({ text = "" }) => [{ op: "add-case", ...beside, text }],
      }),
    ];
  }
  if (role === "parbegin")
    return [
      immediateCommand(`add-process ${side}`, words[`${side}Process`], undefined, { op: "add-process", ...beside }),
    ];
  if (role !== "branch") return [];
  return [
    promptCommand(
      `insert-branch ${side}`,
      words[`${side}Branch`],
      undefined,
      { op: "insert-branch", ...beside },
      fields,
      {
        reads: "words",
        operations: ({ text = "" }) => [{ op: "insert-branch", ...beside, ...(text.trim() !== "" && { name: text }) }],
      },
    ),
  ];
}

function editText(diagram: Diagram, id: string): EditorCommand {
  const { type, text, secondary } = diagram.icons.get(id)!;
  const upper = TWO_STOREYS.has(type) ? [{ ...promptField("secondary", words.upper), now: secondary ?? "" }] : [];
  const role = roleOf(type);
  return {
    id: "edit-text",
    name: words.edit,
    key: "Enter",
    needs: "text",
    prompt: {
      title: iconTypeLabel(type),
      fields: [{ ...promptField("text", words.text), now: text }, ...upper],
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

const words = {
  text: { en: "Text", uk: "Текст" },
  upper: { en: "Upper text", uk: "Верхній текст" },
  howLong: { en: "Duration", uk: "Скільки триває" },
  jump: { en: "Show that branch", uk: "Показати ту гілку" },
  name: { en: "Name", uk: "Назва" },
  params: { en: "Parameters, one per line", uk: "Параметри, по одному в рядку" },
  description: { en: "Description", uk: "Опис" },
  start: { en: "Start the diagram", uk: "Почати діаграму" },
  header: { en: "Name and parameters", uk: "Назва й параметри" },
  toSilhouette: { en: "Convert to silhouette (branches)", uk: "Зробити силуетом (гілки)" },
  toPrimitive: { en: "Convert to primitive (first branch only)", uk: "Зробити примітивом (лише перша гілка)" },
  swap: { en: "Swap yes and no", uk: "Поміняти «так» і «ні»" },
  turn: { en: "Flip branches", uk: "Повернути: лінії разом із відповідями" },
  moveStep: { en: "Move to another line", uk: "Перенести на іншу лінію" },
  moveStepHint: { en: "Select the line to move it to.", uk: "Виберіть лінію, на якій вона стоятиме." },
  leftCase: { en: "Add case to the left", uk: "Варіант ліворуч" },
  rightCase: { en: "Add case to the right", uk: "Варіант праворуч" },
  leftProcess: { en: "Add process to the left", uk: "Процес ліворуч" },
  rightProcess: { en: "Add process to the right", uk: "Процес праворуч" },
  leftBranch: { en: "Add branch to the left", uk: "Гілка ліворуч" },
  rightBranch: { en: "Add branch to the right", uk: "Гілка праворуч" },
  duration: { en: "Add duration", uk: "Тривалість збоку" },
  delete: { en: "Delete", uk: "Видалити" },
  edit: { en: "Edit text", uk: "Змінити текст" },
} as const satisfies Record<string, Text>;
