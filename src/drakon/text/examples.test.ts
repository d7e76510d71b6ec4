import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { languages } from "../../base/text.ts";
import { canonicalForm } from "../canonical.ts";
import { readDiagram } from "../diagram/diagram.ts";
import { structure } from "../structure/structure.ts";
import type { Step, Tree, TreeNode } from "../tree.ts";
import { nestGuards } from "./guards.ts";
import { parsePseudocode } from "./parse.ts";
import { renderPseudocode } from "./render.ts";

const root = join(import.meta.dirname, "../../..");
const golden = join(root, "test/golden/pseudocode");

const diagrams = ["examples", "counterexamples"].flatMap((folder) =>
  readdirSync(join(root, "test/drakon", folder))
    .filter((file) => file.endsWith(".drakon"))
    .map((file) => ({ file, name: file.replace(".drakon", ""), path: join(root, "test/drakon", folder, file) })),
);

function treeOf({ path, name }: (typeof diagrams)[number]): Tree {
  const { tree } = structure(readDiagram(readFileSync(path, "utf8")).diagram);
  if (!tree) throw new Error(`${name} has no tree`);
  return { ...tree, name };
}

test("all collected diagrams are present", () => {
  expect(diagrams.length).toBeGreaterThanOrEqual(51);
});

test.each(diagrams)("D-4 $file parses back to the same tree from both languages", (diagram) => {
  const tree = treeOf(diagram);
  for (const language of languages) {
    const parsed = parsePseudocode(renderPseudocode(tree, { language }).text);
    expect(parsed).toMatchObject({ findings: [], language });
    expect(canonicalForm(parsed.tree!)).toEqual(canonicalForm(tree));
    expect(parsed.tree!.name).toBe(tree.name);
  }
});

test.each(diagrams)("D-4 the pseudocode of $file has every icon and every text", (diagram) => {
  const tree = treeOf(diagram);
  const { text, lines } = renderPseudocode(tree, { language: "uk" });
  const { icons, texts } = contentOf(tree);
  expect(new Set(lines.flatMap((line) => line.icons))).toEqual(new Set(icons));
  const bare = text.replaceAll(/\n *\| ?/g, "\n").replaceAll('\\"', '"');
  for (const one of texts)
    for (const line of one.split("\n")) expect(bare).toContain(line.replace(/^(.*); (.*)$/, "$1"));
});

/** Icons and texts, found without knowing the shape of the tree. */
function contentOf(tree: Tree): { icons: string[]; texts: string[] } {
  const found = { icons: [] as string[], texts: [] as string[] };
  JSON.stringify(tree.branches, (key, value: unknown) => {
    if (key === "icon" || key === "endIcon") found.icons.push(value as string);
    if (key === "text" || key === "secondary" || key === "endText") found.texts.push(value as string);
    return value;
  });
  return found;
}

const shown = [
  "all icons",
  "How to tune PID on a quadcopter",
  "Workout foreach",
  "monitorPaymentStatus",
  "Complex arrow-parallel",
  "Silhouette test 1",
  "13. Салатовый",
  "ce08-return-from-foreach-refused",
  "ce09-continue-outer-from-inner-refused",
  "ce14-early-exit-ladder-16",
];

test.each(shown.flatMap((name) => languages.map((language) => ({ name, language }))))(
  "D-4 $name reads well in $language",
  async ({ name, language }) => {
    const { text } = renderPseudocode(treeOf(diagrams.find((one) => one.name === name)!), { language });
    const file = name.toLowerCase().replaceAll(/[ .]+/g, "-");
    await expect(text).toMatchFileSnapshot(join(golden, `${file}.${language}.md`));
  },
);

test.each(languages)("D-4 texts that could be misread are quoted, and only those: %s", async (language) => {
  const { text } = renderPseudocode(mistakable, { language });
  await expect(text).toMatchFileSnapshot(join(golden, `mistakable-texts.${language}.md`));
  expect(canonicalForm(parsePseudocode(text).tree!)).toEqual(canonicalForm(nestGuards(mistakable)));
});

const actions = [
  "Select a colour, then call the client",
  "Інакше кажучи, почати спочатку",
  "ІНАКШЕ",
  "ELSE",
  "END",
  "→ КІНЕЦЬ",
  "-> next",
  'Say "hello" to пам\'ять',
  '"Hello" said she',
  "smile :(",
  "a) first, b) second",
  "",
  "  indented",
  "Перший рядок\nдругий рядок\n  - і третій",
  'create-proposal(\n  тип: "propose-tag",\n  теги: теги\n)',
  "open (\nand never close",
  "```\ncode\n```",
  "bell \u0007 and \u202eoverride",
  "emoji 👩‍👩‍👧 and tab\tinside",
];

const mistakable: Tree = {
  name: 'Тексти "на межі"',
  params: "who\nwhere",
  description: "Shows when a text is quoted.",
  silhouette: false,
  branches: [
    {
      icon: "0",
      name: "",
      body: [
        ...actions.map((text, index): Step => ({ node: "step", kind: "action", icon: `a${index}`, text })),
        question("вітер і дощ?"),
        question("STOP AND GO?"),
        question("(a + b) > 5"),
        question("багато\nрядків?"),
        { node: "step", kind: "shelf", icon: "s1", secondary: "сума", text: "0" },
        { node: "step", kind: "shelf", icon: "s2", secondary: "a / b", text: "c" },
        { node: "step", kind: "sinput", icon: "s3", text: "an icon that nobody knows" },
        ...["x; xs", "i = 0; i < n; i++", "For each student", "Repeat 10 times", "ДЛЯ КОЖНОГО x З xs"].map(
          (text, index): TreeNode => ({
            node: "for-each",
            icon: `f${index}`,
            endIcon: `e${index}`,
            text,
            endText: "",
            body: [],
          }),
        ),
      ],
    },
  ],
};

function question(text: string): TreeNode {
  return { node: "if", condition: { is: "question", icon: `q ${text}`, text }, yes: [{ node: "return" }], no: [] };
}
