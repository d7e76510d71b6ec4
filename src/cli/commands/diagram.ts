import type { Language } from "../../base/text.ts";
import { themes } from "../../drakon/draw/paint/theme.ts";
import type { CommandContext } from "../command.ts";
import { checkDiagrams } from "../diagram/check-diagrams.ts";
import { compareFiles } from "../diagram/compare-files.ts";
import { readDiagramFile, readDiagramFiles } from "../diagram/diagram-files.ts";
import { drawDiagrams, drawGallery } from "../diagram/draw-diagrams.ts";
import { exportDiagram } from "../diagram/export-diagram.ts";
import { newDiagram } from "../diagram/new-diagram.ts";
import { renderDiagrams, showTrees } from "../diagram/render-diagrams.ts";
import { example, flag, option, textOption } from "../options.ts";
import { plainCommand } from "../subcommands.ts";

export const diagramCommand = plainCommand({
  name: "diagram",
  summary: {
    en: "check, read, draw and compare DRAKON diagrams",
    uk: "перевірити, прочитати, нарисувати і порівняти діаграми ДРАКОН",
  },
  subcommands: {
    check: {
      usage: "FILE… [--together]",
      words: [1, Infinity],
      does: { en: "list errors and warnings; exit code 1 on errors", uk: "усе хибне чи дивне; при помилках код 1" },
      run: async (context, _, files) =>
        checkDiagrams(await readDiagramFiles(context, files), context.options["together"] === true),
    },
    tree: {
      usage: "FILE…",
      words: [1, Infinity],
      does: {
        en: "print the tree, with the icons of each line (--json: docs/tree.md)",
        uk: "зміст, з іконами біля кожного рядка (--json: docs/tree.md)",
      },
      run: async (context, _, files) => showTrees(await readDiagramFiles(context, files), textLanguage(context)),
    },
    render: {
      usage: "FILE… [--numbered]",
      words: [1, Infinity],
      does: { en: "print the pseudocode", uk: "псевдокод" },
      run: async (context, _, files) =>
        renderDiagrams(
          await readDiagramFiles(context, files),
          textLanguage(context),
          context.options["numbered"] === true,
        ),
    },
    draw: {
      usage: "FILE… [--out FILE]",
      words: [1, Infinity],
      does: { en: "draw it as SVG", uk: "рисунок у SVG" },
      run: async (context, _, files) =>
        drawDiagrams(context, await readDiagramFiles(context, files), textLanguage(context)),
    },
    gallery: {
      usage: "FILE… [--out FILE]",
      words: [1, Infinity],
      does: { en: "draw all of them on one HTML page", uk: "одна сторінка з усіма рисунками" },
      run: async (context, _, files) =>
        drawGallery(context, await readDiagramFiles(context, files), textLanguage(context)),
    },
    diff: {
      usage: "BEFORE AFTER [--out FILE]",
      words: [2, 2],
      does: {
        en: "list the changes from the first to the second, with their risk",
        uk: "що змінилося від першої до другої і наскільки це ризиковано",
      },
      run: async (context, _, files) =>
        compareFiles(context, await readDiagramFiles(context, files), textLanguage(context)),
    },
    export: {
      usage: "FILE [--agent FILE] [--out DIR]",
      words: [1, 1],
      does: { en: "write an agent's contract with this procedure", uk: "контракт агента з процедурою всередині" },
      run: async (context, _, [file]) =>
        exportDiagram(context, await readDiagramFile(context, file!), textLanguage(context)),
    },
    new: {
      usage: "FILE [--name NAME] [--silhouette | --from TEXT.md]",
      words: [1, 1],
      does: { en: "create a new diagram", uk: "перша діаграма в новому файлі" },
      run: (context, _, [file]) => newDiagram(context, file!),
    },
  },
  options: {
    out: {
      ...option(
        "FILE",
        "output file (export, and draw of several files: a folder)",
        "записати туди (кілька рисунків, export: тека)",
      ),
      short: "o",
    },
    together: flag(
      "check: the files belong to one agent and call each other",
      "check: файли одного агента, що викликають один одного",
    ),
    theme: option(themes.join("|"), "draw, diff: colours of the picture", "кольори рисунка"),
    numbered: flag("render: number the lines", "пронумерувати рядки псевдокоду"),
    agent: option("FILE", "export: the contract to update", "експортувати в цей контракт"),
    name: option("NAME", "new: name of the diagram", "назва нової діаграми"),
    silhouette: flag("new: with branches", "нова діаграма має гілки"),
    from: option(
      "FILE",
      "new: a first draft from the numbered steps of a text",
      "нова діаграма — перша чернетка з пронумерованих кроків тексту",
    ),
  },
  examples: [
    example("bloom diagram draw main.drakon.json -o main.svg", "one picture in a file", "один рисунок у файлі"),
    example(
      "cat main.drakon.json | bloom diagram render - --lang en",
      "from standard input, in English",
      "зі стандартного вводу, англійською",
    ),
  ],
});

/** Pseudocode and pictures are Ukrainian unless another language is asked for (D-4). */
const textLanguage = (context: CommandContext): Language => (textOption(context, "lang") === "en" ? "en" : "uk");
