import { didYouMean } from "../../base/did-you-mean.ts";
import type { Language, Text } from "../../base/text.ts";
import { type Command, type Context, type Report, textOption } from "../command.ts";
import { checkDiagrams } from "../diagram/check-diagrams.ts";
import { compareFiles } from "../diagram/compare-files.ts";
import { readAll, readNamed } from "../diagram/diagram-files.ts";
import { drawDiagrams, drawGallery } from "../diagram/draw-diagrams.ts";
import { exportDiagram } from "../diagram/export-diagram.ts";
import { newDiagram } from "../diagram/new-diagram.ts";
import { renderDiagrams, showTrees } from "../diagram/tell-diagrams.ts";
import { wrongUse } from "../parse.ts";

/** What can be done with a diagram; the first word says which. */
interface Verb {
  readonly files: readonly [min: number, max: number];
  readonly does: Text;
  run(context: Context, files: readonly string[]): Promise<Report>;
}

const verbs: Readonly<Record<string, Verb>> = {
  check: {
    files: [1, Infinity],
    does: {
      en: "everything that is wrong or odd; exits with 1 on errors",
      uk: "усе хибне чи дивне; при помилках код 1",
    },
    run: async (context, files) => checkDiagrams(await readAll(context, files), context.options["together"] === true),
  },
  tree: {
    files: [1, Infinity],
    does: {
      en: "the meaning, with the icons beside each line (--json: docs/tree.md)",
      uk: "зміст, з іконами біля кожного рядка (--json: docs/tree.md)",
    },
    run: async (context, files) => showTrees(await readAll(context, files), textLanguage(context)),
  },
  render: {
    files: [1, Infinity],
    does: { en: "pseudocode", uk: "псевдокод" },
    run: async (context, files) =>
      renderDiagrams(await readAll(context, files), textLanguage(context), context.options["numbered"] === true),
  },
  draw: {
    files: [1, Infinity],
    does: { en: "the picture, as SVG", uk: "рисунок у SVG" },
    run: async (context, files) => drawDiagrams(context, await readAll(context, files), textLanguage(context)),
  },
  gallery: {
    files: [1, Infinity],
    does: { en: "one page with all the pictures", uk: "одна сторінка з усіма рисунками" },
    run: async (context, files) => drawGallery(context, await readAll(context, files), textLanguage(context)),
  },
  diff: {
    files: [2, 2],
    does: {
      en: "what changed from the first to the second, and how risky it is",
      uk: "що змінилося від першої до другої і наскільки це ризиковано",
    },
    run: async (context, files) => compareFiles(context, await readAll(context, files), textLanguage(context)),
  },
  export: {
    files: [1, 1],
    does: { en: "an agent's contract with the procedure in it", uk: "контракт агента з процедурою всередині" },
    run: async (context, [file]) => exportDiagram(context, await readNamed(context, file!), textLanguage(context)),
  },
  new: {
    files: [1, 1],
    does: { en: "a first diagram in a new file", uk: "перша діаграма в новому файлі" },
    run: (context, [file]) => newDiagram(context, file!),
  },
};

export const diagram: Command = {
  name: "diagram",
  summary: {
    en: "check, read, draw and compare DRAKON diagrams",
    uk: "перевірити, прочитати, нарисувати і порівняти діаграми ДРАКОН",
  },
  usage: `${Object.keys(verbs).join("|")} FILE…`,
  words: [1, Infinity],
  options: {
    out: {
      type: "string",
      short: "o",
      value: "FILE",
      about: {
        en: "write there (draw of several files, export: a folder)",
        uk: "записати туди (кілька рисунків, export: тека)",
      },
    },
    together: {
      type: "boolean",
      about: {
        en: "check: the files are one agent's, and call each other",
        uk: "check: файли одного агента, що викликають один одного",
      },
    },
    theme: {
      type: "string",
      value: "light|dark|print",
      about: { en: "colours of the picture", uk: "кольори рисунка" },
    },
    numbered: {
      type: "boolean",
      about: { en: "number the lines of the pseudocode", uk: "пронумерувати рядки псевдокоду" },
    },
    agent: {
      type: "string",
      value: "FILE",
      about: { en: "export into this contract", uk: "експортувати в цей контракт" },
    },
    name: { type: "string", value: "NAME", about: { en: "name of the new diagram", uk: "назва нової діаграми" } },
    silhouette: { type: "boolean", about: { en: "the new diagram has branches", uk: "нова діаграма має гілки" } },
  },
  examples: [
    ...Object.entries(verbs).map(([verb, { does }]) => ({ line: `bloom diagram ${verb} …`, does })),
    {
      line: "bloom diagram draw main.drakon.json -o main.svg",
      does: { en: "one picture in a file", uk: "один рисунок у файлі" },
    },
    {
      line: "cat main.drakon.json | bloom diagram render - --lang en",
      does: { en: "from the standard input, in English", uk: "зі стандартного вводу, англійською" },
    },
  ],
  async run(context) {
    const [word, ...files] = context.words as [string, ...string[]];
    const verb = Object.hasOwn(verbs, word) ? verbs[word] : undefined;
    if (!verb) throw unknownVerb(word);
    const [min, max] = verb.files;
    if (files.length < min || files.length > max) {
      const wanted = min === max ? `${min}` : `${min}+`;
      throw wrongUse(
        {
          en: `diagram ${word} takes ${wanted} file(s), not ${files.length}`,
          uk: `diagram ${word}: потрібно файлів ${wanted}, а не ${files.length}`,
        },
        { en: "`bloom help diagram` shows how.", uk: "Як саме: `bloom help diagram`." },
      );
    }
    return await verb.run(context, files);
  },
};

/** Pseudocode and pictures are Ukrainian unless another language is asked for (D-4). */
const textLanguage = (context: Context): Language => (textOption(context, "lang") === "en" ? "en" : "uk");

function unknownVerb(word: string): Error {
  const meant = didYouMean(word, Object.keys(verbs));
  return wrongUse(
    { en: `diagram cannot ${word}`, uk: `diagram не вміє ${word}` },
    meant === undefined
      ? { en: `It can ${Object.keys(verbs).join(", ")}.`, uk: `Вміє: ${Object.keys(verbs).join(", ")}.` }
      : { en: `Did you mean \`bloom diagram ${meant}\`?`, uk: `Можливо, \`bloom diagram ${meant}\`?` },
  );
}
