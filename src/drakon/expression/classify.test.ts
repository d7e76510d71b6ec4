import { describe, expect, test } from "vitest";
import type { Tree, TreeNode } from "../tree.ts";
import { analyse } from "./analyse.ts";
import { argumentName, defaultArgumentNames } from "./argument-names.ts";
import { classify, classifyAction, classifyAsked } from "./classify.ts";
import { forEachHead } from "./for-each-head.ts";
import { parametersOf } from "./parameters.ts";
import { readInsertion, readStep } from "./read-step.ts";

const bound = new Set(["нотатки", "нотатка", "зміст", "note", "notes", "n"]);

describe("a question is formal or natural language", () => {
  test.each([
    ["нотатки порожні", "formal", []],
    ["notes is empty?", "formal", []],
    ["довжина(зміст) < 200 слів", "formal", []],
    ["error_rate > threshold", "formal", ["error_rate", "threshold"]],
    ["зараз > 5", "formal", []],
    ['search-notes("x") є порожнім', "formal", []],
    ["знайдено проблему і є пропозиція виправлення", "words", []],
    ["Чи є нотатка цікавою?", "words", []],
    ["rain?", "words", []],
    ["дощ і вітер", "words", ["дощ", "вітер"]],
    ["note is interesting", "words", ["interesting"]],
    ["чернетки порожні", "words", ["чернетки"]],
    ["note.is_good()", "words", ["is_good"]],
    ["Is the note long (over a page)?", "words", []],
    ["так", "formal", []],
  ])("%s is %s", (text, kind, unbound) => {
    expect(classify(text, bound)).toMatchObject({ kind, unbound });
  });
});

test.each([
  ["3", "words"],
  ['"так"', "words"],
  ["5 слів?", "words"],
  ["n", "formal"],
  ["так", "formal"],
])("the question %s is %s, because a constant is not a question", (text, kind) => {
  expect(classifyAsked(text, bound).kind).toBe(kind);
});

describe("an action is formal or natural language", () => {
  test.each([
    ["x ← read-notes(folder)", "formal", ["folder"], undefined],
    [
      "write-memory(оброблені: оновлений_список, останній_run: поточний_час)",
      "formal",
      ["оновлений_список"],
      undefined,
    ],
    ["Прочитай нотатки", "words", [], undefined],
    ["Готово", "words", [], undefined],
    ["нотатки порожні", "words", [], undefined],
    ["резюме ← стисни зміст до трьох речень", "words", [], "резюме"],
    ["стан ← готово", "words", ["готово"], "стан"],
    ["a ← 1\nb ← невідоме", "formal", ["невідоме"], undefined],
    ["Перевірити (усі)", "words", [], undefined],
  ])("%s is %s", (text, kind, unbound, target) => {
    const read = classifyAction(text, bound);
    expect(read).toMatchObject({ kind, unbound });
    expect("target" in read ? read.target : undefined).toBe(target);
  });
});

describe("the head of a for-each loop", () => {
  test.each([
    ["x; xs", { is: "each", names: ["x"], over: "xs" }],
    ["k, v; map", { is: "each", names: ["k", "v"], over: "map" }],
    ["нотатка З нотатки", { is: "each", names: ["нотатка"], over: "нотатки" }],
    ["ДЛЯ КОЖНОЇ нотатка З нотатки", { is: "each", names: ["нотатка"], over: "нотатки" }],
    ["for each note in f(a; b)", { is: "each", names: ["note"], over: "f(a; b)" }],
    ["For each note in notes", { is: "each", names: ["note"], over: "notes" }],
    ['x; ["a;b", "c"]', { is: "each", names: ["x"], over: '["a;b", "c"]' }],
    ["лист З усі нові листи", { is: "each", names: ["лист"], over: "усі нові листи" }],
    ["i = 0; i < n; i++", { is: "count" }],
    ["Repeat 10 times", { is: "words", text: "Repeat 10 times" }],
    ["a; b; c", { is: "words" }],
    ["x;", { is: "words" }],
    ["два слова; xs", { is: "words" }],
  ])("%s", (text, head) => {
    expect(forEachHead(text)).toMatchObject(head);
  });
});

test("parameters are the names in the box, without remarks", () => {
  expect(parametersOf("who\nwhere: куди\nпапка — де шукати, n = 5\nце просто примітка")).toEqual([
    "who",
    "where",
    "папка",
    "n",
  ]);
});

test("arguments of tools have one name for both languages", () => {
  const name = (tool: string, written: string): string => argumentName(defaultArgumentNames, tool, written);
  expect(["тип", "зміст", "нотатка", "теги", "джерело"].map((one) => name("create-proposal", one))).toEqual([
    "type",
    "content",
    "note",
    "tags",
    "source",
  ]);
  expect(name("write-memory", "оброблені")).toBe("оброблені");
  expect(name("unknown-tool", "ТИП")).toBe("type");
  expect(name("create-proposal", "constructor")).toBe("constructor");
});

describe("other icons", () => {
  test.each([
    ["simpleinput", "ім'я", undefined, { does: "ask-human", target: "ім'я" }],
    ["simpleinput", "вік ← Скільки вам років?", undefined, { text: "Скільки вам років?", target: "вік" }],
    ["input", "payment received", "payment", { does: "receive", signal: "payment received", target: "payment" }],
    ["output", "нотатки", undefined, { does: "notify", value: { is: "name" } }],
    ["output", "Привіт усім", undefined, { does: "notify", text: "Привіт усім" }],
    ["pause", "5 хв", undefined, { does: "sleep", duration: "5 хв" }],
    ["process", "Дослідити тему", undefined, { does: "spawn", goal: "Дослідити тему" }],
    ["shelf", "n + 1", "m", { does: "statements", statements: [{ target: "m" }] }],
    ["comment", "f(x)", undefined, { does: "nothing" }],
    ["action", "  ", undefined, { does: "nothing" }],
    ["hexagon", "x ← f()", undefined, { does: "statements" }],
  ])("%s %s", (kind, text, secondary, reading) => {
    const step = { node: "step" as const, kind, icon: "1", text, ...(secondary !== undefined && { secondary }) };
    expect(readStep(step, bound)).toMatchObject(reading);
  });

  test.each([
    ["Підготувати звіт", { diagram: "Підготувати звіт", args: [] }],
    ["звіт ← Підготувати звіт(нотатки, мова: «uk»)", { diagram: "Підготувати звіт", target: "звіт" }],
    ['"Report (draft)"', { diagram: "Report (draft)", args: [] }],
    ["Report (see below)", { diagram: "Report (see below)", args: [] }],
  ])("the insertion %s names a diagram", (text, reading) => {
    expect(readInsertion(text)).toMatchObject(reading);
  });
});

test("the static analysis finds names, tools with their arguments, and unbound names", () => {
  const step = (icon: string, text: string): TreeNode => ({ node: "step", kind: "action", icon, text });
  const question = (icon: string, text: string) => ({ is: "question" as const, icon, text });
  const tree: Tree = {
    name: "Щоденний аналіз",
    params: "folder",
    description: "",
    silhouette: false,
    branches: [
      {
        icon: "0",
        name: "",
        body: [
          step("1", "нотатки ← read-notes(folder)"),
          { node: "if", condition: question("2", "нотатки порожні"), yes: [step("3", "Скажи про це")], no: [] },
          {
            node: "for-each",
            icon: "4",
            endIcon: "9",
            text: "нотатка; нотатки",
            endText: "",
            body: [step("5", 'create-proposal("propose-tag", зміст: невідоме)')],
          },
        ],
      },
    ],
  };
  const { icons, calls, findings, bound: names, parameters } = analyse(tree);
  expect(Object.fromEntries(icons)).toEqual({ 1: "formal", 2: "formal", 3: "words", 4: "formal", 5: "formal" });
  expect(calls).toEqual([
    { icon: "1", name: "read-notes", arguments: ["folder"] },
    { icon: "5", name: "create-proposal", arguments: ["type", "content"] },
  ]);
  expect([...names]).toEqual(["folder", "нотатки", "нотатка"]);
  expect(parameters).toEqual(["folder"]);
  expect(findings).toMatchObject([
    { code: "W-UNBOUND", icon: "5", message: { uk: "ніщо не надає значення невідоме; про нього запитають" } },
  ]);
});

test("a name that two parallel processes set is reported; one that a single process sets is not", () => {
  const act = (icon: string, text: string): TreeNode => ({ node: "step", kind: "action", icon, text });
  const process = (icon: string, ...body: TreeNode[]) => ({ icon, text: "", body });
  const tree: Tree = {
    name: "",
    params: "",
    description: "",
    silhouette: false,
    branches: [
      {
        icon: "0",
        name: "",
        body: [
          act("1", "x ← 1"),
          {
            node: "parallel",
            endIcon: "9",
            processes: [
              process("2", act("3", "x ← 2"), act("4", "y ← 2"), act("5", "y ← 3")),
              process("6", {
                node: "if",
                condition: { is: "question", icon: "7", text: "x = 2" },
                yes: [act("8", "x ← 3")],
                no: [],
              }),
            ],
          },
        ],
      },
    ],
  };
  expect(analyse(tree).findings).toMatchObject([{ code: "W-SHARED-NAME", icon: "8", iconText: "x ← 3" }]);
});
