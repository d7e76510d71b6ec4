import type { Language } from "../../../base/text.ts";
import type { Contract } from "../../../domain/contract/contract.ts";
import { canonicalForm } from "../../../drakon/canonical.ts";
import { diagramName } from "../../../drakon/expression/read-step.ts";
import type { IconId } from "../../../drakon/icon-id.ts";
import { fileDiagramName } from "../../../drakon/insertions.ts";
import { proceduresIn } from "../../../drakon/text/numbered-procedures.ts";
import { parsePseudocode } from "../../../drakon/text/parse.ts";
import { renderPseudocode } from "../../../drakon/text/render.ts";
import type { TextFinding } from "../../../drakon/text/text-finding.ts";
import type { Tree } from "../../../drakon/tree.ts";
import { listTree } from "../../../drakon/tree-icons.ts";
import type { Program } from "../../../drakon/walk/frame.ts";
import { diagramOf, MAIN_DIAGRAM, originFile } from "../../records/agents/agent-diagrams.ts";

/** One diagram or procedure of an agent. */
export interface ProcedurePart {
  readonly name: string;
  readonly tree: Tree;
  /** The diagram's file; undefined for a procedure that is only in the contract. */
  readonly file: string | undefined;
  readonly pseudocode: string;
  /** The line of an icon in the pseudocode, from 1. */
  lineOf(icon: IconId): number | undefined;
  textOf(icon: IconId): string;
  iconAt(line: number): IconId | undefined;
  /** Questions whose line asks the opposite of the tree (D-4a). */
  readonly turned: ReadonlySet<IconId>;
}

/** The procedure of an agent: the one in its contract, and those that it may call. */
export interface AgentProcedure {
  readonly main: ProcedurePart;
  readonly parts: readonly ProcedurePart[];
  readonly program: Program;
  readonly language: Language;
  partOf(diagram: string): ProcedurePart;
}

export type ProcedureReading =
  | { readonly kind: "procedure"; readonly procedure: AgentProcedure }
  | { readonly kind: "none" }
  | { readonly kind: "unreadable"; readonly finding: TextFinding };

/**
 * Reads the procedure to execute. The contract decides (D-6a): the procedure in its body counts. If a diagram has the same meaning,
 * places are named by its icons, otherwise by lines of the text. Other diagrams and procedures can be called by name.
 */
export function readProcedure(
  { generated_from }: Pick<Contract, "generated_from">,
  body: string,
  diagrams: readonly { readonly file: string; readonly text: string }[],
): ProcedureReading {
  const drawn = diagrams.flatMap(({ file, text }) => {
    const { tree } = diagramOf(file, Buffer.from(text)).checked;
    return tree ? [{ file, tree }] : [];
  });
  const lines = body.split("\n");
  const written = proceduresIn(body).map(({ first, last }) => {
    const pseudocode = `${lines.slice(first - 1, last).join("\n")}\n`;
    return { pseudocode, ...parsePseudocode(pseudocode) };
  });
  for (const { tree, findings } of written)
    if (!tree) return { kind: "unreadable", finding: findings.find(({ severity }) => severity === "error")! };
  const origin = generated_from === undefined ? MAIN_DIAGRAM : originFile(generated_from);
  const language = written[0]?.language ?? "uk";
  const parts = [
    ...written.map(({ tree, turned, pseudocode }) => {
      const part = writtenPart(tree!, turned, pseudocode);
      const same = drawn.find((one) => means(one.tree, tree!));
      return same ? withIcons(part, same.file, same.tree) : part;
    }),
    ...drawn
      .filter(({ file }) => file !== origin || written.length === 0)
      .map(({ file, tree }) => drawnPart(file, tree, language)),
  ];
  const main = written.length > 0 ? parts[0] : parts.find(({ file }) => file === origin);
  return main ? { kind: "procedure", procedure: together(main, parts, language) } : { kind: "none" };
}

function together(main: ProcedurePart, all: readonly ProcedurePart[], language: Language): AgentProcedure {
  const byName = new Map<string, ProcedurePart>();
  const known = (name: string, part: ProcedurePart): void => {
    if (!byName.has(diagramName(name))) byName.set(diagramName(name), part);
  };
  known(main.name, main);
  for (const part of all) {
    known(part.name, part);
    if (part.file !== undefined) known(fileDiagramName(part.file), part);
  }
  return {
    main,
    parts: [...new Set(byName.values())],
    language,
    program: { trees: new Map([...byName].map(([name, { tree }]) => [name, tree])), main: diagramName(main.name) },
    partOf: (diagram) => byName.get(diagramName(diagram)) ?? main,
  };
}

const means = (one: Tree, other: Tree): boolean => {
  const [a, b] = [canonicalForm(one), canonicalForm(other)];
  return a.length === b.length && a.every((word, index) => word === b[index]);
};

function writtenPart(tree: Tree, turned: ReadonlySet<IconId>, pseudocode: string): ProcedurePart {
  const lines = pseudocode.split("\n");
  const lineOf = (icon: IconId): number | undefined => {
    const found = /^line (\d+)/.exec(icon)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  return {
    name: tree.name,
    tree,
    file: undefined,
    pseudocode,
    lineOf,
    textOf: (icon) => (lines[(lineOf(icon) ?? 0) - 1] ?? "").trim(),
    iconAt: (line) => `line ${line}`,
    turned,
  };
}

/** A written procedure with the icons of a diagram of the same meaning. Its lines are those of the text that the model reads. */
function withIcons(part: ProcedurePart, file: string, tree: Tree): ProcedurePart {
  const [ours, theirs]: [IconId[], IconId[]] = [[], []];
  listTree(tree, (icon, beside) => ours.push(icon, ...(beside ? [beside.icon] : [])));
  listTree(part.tree, (icon, beside) => theirs.push(icon, ...(beside ? [beside.icon] : [])));
  const written = new Map(ours.map((icon, index) => [icon, theirs[index]!]));
  const iconByLine = new Map<number, IconId>();
  for (const [icon, twin] of written) {
    const line = part.lineOf(twin);
    if (line !== undefined && !iconByLine.has(line)) iconByLine.set(line, icon);
  }
  return {
    ...part,
    name: tree.name,
    tree,
    file,
    lineOf: (icon) => part.lineOf(written.get(icon) ?? ""),
    textOf: (icon) => part.textOf(written.get(icon) ?? ""),
    iconAt: (line) => iconByLine.get(line),
    turned: new Set(ours.filter((icon) => part.turned.has(written.get(icon)!))),
  };
}

function drawnPart(file: string, tree: Tree, language: Language): ProcedurePart {
  const { text, lines, turned } = renderPseudocode(tree, { language });
  const texts = text.split("\n");
  const [lineByIcon, iconByLine] = [new Map<IconId, number>(), new Map<number, IconId>()];
  for (const { line, icons } of lines) {
    for (const icon of icons) if (!lineByIcon.has(icon)) lineByIcon.set(icon, line);
    if (icons[0] !== undefined) iconByLine.set(line, icons[0]);
  }
  return {
    name: tree.name,
    tree,
    file,
    pseudocode: text,
    lineOf: (icon) => lineByIcon.get(icon),
    textOf: (icon) => (texts[(lineByIcon.get(icon) ?? 0) - 1] ?? "").trim(),
    iconAt: (line) => iconByLine.get(line),
    turned,
  };
}
