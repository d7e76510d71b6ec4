import type { Text } from "../i18n/use-t.ts";
import { PLACES, SETTINGS_PLACE } from "./places.ts";

interface KeySection {
  readonly id: string;
  readonly title: Text;
  /** Paths on which these keys work; everywhere if absent. */
  readonly on?: RegExp;
  readonly keys: readonly { readonly keys: readonly string[]; readonly does: Text }[];
}

/** Every key of the app, by the page on which it works. `test/key-table.test.ts` compares it with the pages. */
export const KEY_TABLE: readonly KeySection[] = [
  {
    id: "review",
    title: { en: "Review", uk: "Перегляд" },
    on: /^\/proposals/,
    keys: [
      { keys: ["j", "k"], does: { en: "Next and previous change", uk: "наступна й попередня зміна" } },
      { keys: ["a"], does: { en: "Approve", uk: "схвалити" } },
      { keys: ["b"], does: { en: "Send back, with what should change", uk: "повернути, з тим, що змінити" } },
      { keys: ["r"], does: { en: "Reject, with a reason", uk: "відхилити, з причиною" } },
      { keys: ["e"], does: { en: "Edit and approve", uk: "виправити і схвалити" } },
      { keys: ["z"], does: { en: "Undo the last decision", uk: "скасувати останнє рішення" } },
      { keys: ["c"], does: { en: "Comment on a line, without deciding", uk: "коментар до рядка, без рішення" } },
      { keys: ["s"], does: { en: "Words, side by side or as rendered", uk: "слова, поруч або як читається" } },
      { keys: ["i"], does: { en: "Context of the change", uk: "контекст зміни" } },
      { keys: ["w"], does: { en: "Why: the chain of causes", uk: "чому: ланцюг причин" } },
      { keys: ["v"], does: { en: "Mark a file of a merge as seen", uk: "позначити файл злиття переглянутим" } },
      { keys: ["1–9"], does: { en: "Choose the words that stay in a conflict", uk: "вибрати слова, що лишаться" } },
      { keys: ["/"], does: { en: "Filter the queue, or the files of a merge", uk: "фільтр черги чи файлів злиття" } },
      { keys: ["0"], does: { en: "Fit the diagrams to the screen", uk: "умістити діаграми на екрані" } },
      { keys: ["+", "-"], does: { en: "Zoom in and out", uk: "збільшити, зменшити" } },
    ],
  },
  {
    id: "today",
    title: { en: "Today", uk: "Сьогодні" },
    on: /^\/$/,
    keys: [
      { keys: ["Enter"], does: { en: "Start review", uk: "почати перегляд" } },
      { keys: ["1–9"], does: { en: "Choose an answer to a question", uk: "вибрати відповідь на питання" } },
    ],
  },
  {
    id: "lists",
    title: { en: "Agents and runs", uk: "Агенти й запуски" },
    on: /^\/(?:agents|runs)/,
    keys: [
      { keys: ["/"], does: { en: "Filter the list", uk: "фільтр переліку" } },
      {
        keys: ["1–9"],
        does: { en: "Choose an answer of a run that asks", uk: "вибрати відповідь на питання запуску" },
      },
    ],
  },
  {
    id: "sessions",
    title: { en: "Sessions", uk: "Сесії" },
    on: /^\/sessions/,
    keys: [
      {
        keys: ["j", "k"],
        does: { en: "Next and previous session or commit", uk: "наступна й попередня сесія чи коміт" },
      },
      { keys: ["s"], does: { en: "Trace, changes or history of the commit", uk: "слід, зміни чи історія коміту" } },
      { keys: ["/"], does: { en: "Filter the sessions", uk: "фільтр сесій" } },
      {
        keys: ["1–9"],
        does: { en: "Choose an answer or the words that stay", uk: "вибрати відповідь чи слова, що лишаться" },
      },
    ],
  },
  {
    id: "notes",
    title: { en: "Notes and Ask", uk: "Нотатки й питання" },
    on: /^\/(?:notes|ask)/,
    keys: [
      { keys: ["Mod", "o"], does: { en: "Open another note", uk: "відкрити іншу нотатку" } },
      { keys: ["/"], does: { en: "Search, or ask a question", uk: "шукати або запитати" } },
      { keys: ["n"], does: { en: "New note", uk: "нова нотатка" } },
      { keys: ["e"], does: { en: "Edit the note", uk: "редагувати нотатку" } },
      { keys: ["i"], does: { en: "Context of the note", uk: "контекст нотатки" } },
      { keys: ["Mod", "s"], does: { en: "Save the note", uk: "зберегти нотатку" } },
    ],
  },
  {
    id: "diagram",
    title: { en: "Diagram editor", uk: "Редактор діаграм" },
    on: /\/diagram$/,
    keys: [
      { keys: ["←", "↑", "↓", "→"], does: { en: "Move along the diagram", uk: "рухатися вздовж схеми" } },
      { keys: ["Shift", "↑"], does: { en: "Choose several icons", uk: "вибрати кілька ікон" } },
      { keys: ["Home", "End"], does: { en: "First and last icon", uk: "перша й остання ікона" } },
      { keys: ["Enter"], does: { en: "Edit the icon", uk: "редагувати ікону" } },
      { keys: ["a"], does: { en: "Insert an action", uk: "вставити дію" } },
      { keys: ["q"], does: { en: "Insert a question", uk: "вставити питання" } },
      {
        keys: ["g"],
        does: { en: "Insert “only if”; on an exit: its target", uk: "вставити «лише якщо»; на виході: його ціль" },
      },
      { keys: ["s"], does: { en: "Insert a choice", uk: "вставити вибір" } },
      { keys: ["f"], does: { en: "Insert a loop", uk: "вставити цикл" } },
      { keys: ["p"], does: { en: "Insert parallel paths", uk: "вставити паралельні гілки" } },
      { keys: ["i"], does: { en: "Insert a diagram", uk: "вставити діаграму" } },
      { keys: ["c"], does: { en: "Insert a comment", uk: "вставити коментар" } },
      { keys: ["m", "l", "r"], does: { en: "Commands of the chosen icon", uk: "команди вибраної ікони" } },
      { keys: ["Delete"], does: { en: "Delete", uk: "видалити" } },
      {
        keys: ["Mod", "c"],
        does: { en: "Copy; with x cut, with v paste", uk: "копіювати; x — вирізати, v — вставити" },
      },
      { keys: ["Mod", "z"], does: { en: "Undo; with Shift redo", uk: "скасувати; з Shift — повторити" } },
      { keys: ["Mod", "f"], does: { en: "Find in the diagram", uk: "знайти в діаграмі" } },
      { keys: ["+", "-", "0"], does: { en: "Zoom in, zoom out, fit", uk: "збільшити, зменшити, умістити" } },
    ],
  },
  {
    id: "everywhere",
    title: { en: "Everywhere", uk: "Усюди" },
    keys: [
      { keys: ["Mod", "k"], does: { en: "Find or do anything", uk: "знайти або виконати будь-що" } },
      { keys: ["Mod", "o"], does: { en: "Open a note", uk: "відкрити нотатку" } },
      { keys: ["z"], does: { en: "Undo, while a message offers it", uk: "скасувати, доки повідомлення це пропонує" } },
      { keys: ["Esc"], does: { en: "Close without deciding", uk: "закрити, нічого не вирішивши" } },
      { keys: ["?"], does: { en: "This list", uk: "цей перелік" } },
    ],
  },
  {
    id: "go",
    title: { en: "Go to", uk: "Перейти" },
    keys: [...PLACES, SETTINGS_PLACE].map(({ key, name }) => ({ keys: ["g", key], does: name })),
  },
];
