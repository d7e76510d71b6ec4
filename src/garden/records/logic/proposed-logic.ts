import { canonicalId } from "../../../base/canonical.ts";
import { Failure } from "../../../base/failure.ts";
import type { Language, Text } from "../../../base/text.ts";
import { procedureOf } from "../../../domain/logic/logic-pseudo.ts";
import { unifiedPatch } from "../../../domain/note/line-hunks.ts";
import { fitsTokens, TOKENIZER } from "../../../domain/text/tokens.ts";
import { type CalledLogic, withCalledDiagrams } from "../../../drakon/called-logic.ts";
import { behaviourId, programBehaviourId } from "../../../drakon/canonical.ts";
import { type Checked, checkText } from "../../../drakon/check.ts";
import type { Diagram } from "../../../drakon/diagram/diagram.ts";
import { readProgram } from "../../../drakon/diagram-program.ts";
import { type Redrawn, redrawDiagram } from "../../../drakon/edit/redraw.ts";
import { type Finding, hasErrors } from "../../../drakon/finding.ts";
import { diagramFromTree } from "../../../drakon/from-tree/diagram-from-tree.ts";
import { fileDiagramName } from "../../../drakon/insertions.ts";
import { parsePseudocode } from "../../../drakon/text/parse.ts";
import { renderPseudocode } from "../../../drakon/text/render.ts";
import { renderingsOf } from "../../../drakon/text/renderings.ts";
import type { Tree } from "../../../drakon/tree.ts";

/** L-1a. */
const MAX_PSEUDOCODE_TOKENS = 8000;
const LARGE_DIAGRAM_BYTES = 50 * 1024;

/** Logic that an agent can follow: a diagram with the procedure rendered from it, or a text alone. */
export interface Logic {
  /** The file of the diagram, with the diagrams that it calls inside (D-7). */
  readonly diagram: string | undefined;
  /** The content of `pseudocode.md`. */
  readonly procedure: string;
  /** The behaviour id: equal for equal meaning, of the diagram or of the text without one (S-9a). */
  readonly behaviour: string;
  readonly language: Language;
  readonly tree: Tree | undefined;
  /** The called diagrams, by file. */
  readonly called: ReadonlyMap<string, Tree>;
  readonly warnings: readonly Text[];
}

export interface LogicWish {
  readonly diagram: string | undefined;
  readonly pseudocode: string | undefined;
  /** The current logic; undefined for the first version. */
  readonly current: { readonly diagram: string | undefined; readonly procedure: string } | undefined;
  /** The diagram's file name; an unnamed diagram gets its name from it. */
  readonly mainFile: string;
  /** The agent's other diagrams, which insertions may name; undefined if they are not known (in history). */
  readonly others: readonly { readonly file: string; readonly text: string }[] | undefined;
  /** The language to render in if the current logic does not decide it. */
  readonly language: Language;
}

/**
 * The logic that a wish results in. The diagram is the authority: given both, the pseudocode must mean the same; given
 * pseudocode alone for an agent with a diagram, a diagram is drawn from it. Throws VALIDATION_FAILED with all problems.
 */
export async function proposedLogic(wish: LogicWish): Promise<Logic> {
  const written = wish.pseudocode === undefined ? undefined : procedureOf(wish.pseudocode);
  if (wish.diagram === undefined && written === undefined) throw nothingGiven();
  const drawn = wish.diagram ?? wish.current?.diagram;
  const logic =
    drawn === undefined
      ? told(written!, wish.language)
      : wish.diagram !== undefined
        ? fromDiagram(wish, wish.diagram, written)
        : fromText(wish, drawn, written!);
  if (!(await fitsTokens(logic.procedure, MAX_PSEUDOCODE_TOKENS))) throw tooLong();
  return logic;
}

/** The logic of existing files, in the language that they are written in. */
export function logicOfFiles(of: { readonly diagram: string | undefined; readonly procedure: string }): {
  readonly behaviour: string;
  readonly checked: Checked | undefined;
} {
  const program = of.diagram === undefined ? undefined : readProgram(of.diagram);
  return { checked: program?.main, behaviour: program?.behaviour ?? textBehaviour(of.procedure) };
}

/**
 * True if a diagram is well formed and renders to this procedure, in either language. A diagram without a name gets the
 * name in the text.
 */
export function isConsistentLogic(of: { readonly diagram: string | undefined; readonly procedure: string }): boolean {
  if (of.diagram === undefined) return true;
  const { tree } = checkText(of.diagram);
  if (!tree) return false;
  const name = tree.name || parsePseudocode(of.procedure).tree?.name || "";
  const written = textBehaviour(of.procedure);
  return renderingsOf({ ...tree, name }).some((text) => textBehaviour(text) === written);
}

/** S-9a: a text without a diagram is identified by its words; line endings and surrounding blanks do not count. */
export const textBehaviour = (text: string): string =>
  canonicalId([
    "prompt 1",
    text
      .replace(/\r\n?/g, "\n")
      .replace(/[ \t]+$/gm, "")
      .trim(),
  ]);

export const languageOf = (procedure: string | undefined): Language | undefined =>
  procedure === undefined ? undefined : parsePseudocode(procedure).language;

interface Meaning {
  readonly checked: Checked;
  readonly tree: Tree;
  readonly whole: CalledLogic;
}

/** The tree of a diagram, named after its file if it has no name, and the diagrams that it calls. Throws with all findings (D-2a). */
function meaningOf(text: string, wish: LogicWish): Meaning {
  const checked = checkText(text);
  const whole = withCalledDiagrams(text, wish);
  if (!checked.tree || hasErrors(whole.findings)) throw badDiagram([...checked.findings, ...whole.findings]);
  return { checked, whole, tree: { ...checked.tree, name: checked.tree.name || fileDiagramName(wish.mainFile) } };
}

function fromDiagram(wish: LogicWish, diagram: string, written: string | undefined): Logic {
  const { checked, tree, whole } = meaningOf(diagram, wish);
  const parsed = written === undefined ? undefined : readable(written);
  const language = parsed?.language ?? languageOf(wish.current?.procedure) ?? wish.language;
  const procedure = renderPseudocode(tree, { language }).text;
  if (parsed && !meansTheSame(parsed.tree, tree))
    throw otherMeaning(renderPseudocode(parsed.tree, { language }).text, procedure);
  const warnings = [...checked.findings, ...whole.findings].map(findingText);
  const bytes = Buffer.byteLength(whole.text);
  if (bytes > LARGE_DIAGRAM_BYTES) warnings.push(largeDiagram(bytes));
  const called = new Map([...whole.called].map(([file, one]) => [file, one.tree!]));
  const named = new Map([...called].map(([file, one]) => [fileDiagramName(file), one]));
  return {
    diagram: whole.text,
    procedure,
    behaviour: programBehaviourId(tree, named),
    language,
    tree,
    called,
    warnings,
  };
}

/**
 * Pseudocode for an agent with a diagram. The diagram stays if it means the same; else the icons that both have keep their ids and
 * places, and only the rest is redrawn (D-4b).
 */
function fromText(wish: LogicWish, current: string, written: string): Logic {
  const parsed = readable(written);
  const standing = checkText(current);
  if (standing.tree && meansTheSame(parsed.tree, standing.tree)) return fromDiagram(wish, current, written);
  // A diagram without a name is called after its file, and so is its pseudocode.
  const unnamed = standing.diagram.name === "" && parsed.tree.name === fileDiagramName(wish.mainFile);
  const redrawn =
    standing.tree && redrawDiagram(standing.diagram, unnamed ? { ...parsed.tree, name: "" } : parsed.tree);
  const { diagram } = redrawn ?? { diagram: diagramFromTree(parsed.tree) };
  const logic = fromDiagram(wish, diagram.source.text, written);
  return { ...logic, warnings: [...logic.warnings, redrawn ? redrawnParts(standing.diagram, redrawn) : drawnAnew] };
}

/**
 * True if a procedure means the same as a diagram. One diagram can be written in several ways (`IF … → END` and then the
 * rest, or the rest inside the question), so the written one is drawn and then compared.
 */
function meansTheSame(written: Tree, drawn: Tree): boolean {
  const id = behaviourId(drawn);
  if (behaviourId(written) === id) return true;
  const { tree } = checkText(diagramFromTree(written).source.text);
  return tree !== undefined && behaviourId(tree) === id;
}

function told(text: string, language: Language): Logic {
  if (text.trim() === "") throw nothingGiven();
  const parsed = parsePseudocode(text);
  const broken = parsed.lines !== undefined && !parsed.tree;
  return {
    diagram: undefined,
    procedure: `${text.trimEnd()}\n`,
    behaviour: textBehaviour(text),
    language: parsed.language ?? language,
    tree: undefined,
    called: new Map(),
    warnings: broken ? parsed.findings.map(({ line, message }) => atLine(line, message)) : [],
  };
}

function readable(text: string): { readonly tree: Tree; readonly language: Language | undefined } {
  const { tree, findings, language } = parsePseudocode(text);
  if (tree) return { tree, language };
  const errors = findings.filter(({ severity }) => severity === "error");
  throw new Failure("VALIDATION_FAILED", {
    en: `the pseudocode cannot be read: ${errors.map(({ line, message }) => atLine(line, message).en).join("; ")}`,
    uk: `псевдокод не читається: ${errors.map(({ line, message }) => atLine(line, message).uk).join("; ")}`,
    details: { findings: errors },
  });
}

export function badDiagram(findings: readonly PlacedFinding[]): Failure {
  const errors = findings.filter(({ severity }) => severity === "error");
  const lines = (language: Language): string => errors.map((one) => findingText(one)[language]).join("; ");
  return new Failure("VALIDATION_FAILED", {
    en: `the diagram has errors: ${lines("en")}`,
    uk: `діаграма має помилки: ${lines("uk")}`,
    hint: {
      en: "`bloom diagram check FILE` shows each with its icon.",
      uk: "`bloom diagram check ФАЙЛ` покаже кожну з її іконою.",
    },
    details: { findings },
  });
}

/** A finding, with the file if that is not the main diagram. */
type PlacedFinding = Finding & { readonly file?: string };

function findingText({ file, icon, iconText, message }: PlacedFinding): Text {
  const where = file === undefined ? "" : `${file}: `;
  const about = `${where}${icon === undefined ? "" : `[${iconName({ id: icon, text: iconText ?? "" })}] `}`;
  return { en: `${about}${message.en}`, uk: `${about}${message.uk}` };
}

function iconName({ id, text }: { readonly id: string; readonly text: string }): string {
  const short = text.replace(/\s+/g, " ").slice(0, 60);
  return `${id}${short === "" ? "" : ` “${short}”`}`;
}

const atLine = (line: number, message: Text): Text => ({
  en: `line ${line}: ${message.en}`,
  uk: `рядок ${line}: ${message.uk}`,
});

const otherMeaning = (written: string, rendered: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "the pseudocode does not say what the diagram says",
    uk: "псевдокод каже не те, що діаграма",
    hint: {
      en: "The diagram is the authority: give it alone and the pseudocode is rendered, or give the pseudocode alone and the diagram is drawn.",
      uk: "Головна — діаграма: подайте лише її, і псевдокод буде згенеровано, або лише псевдокод, і діаграму буде накреслено.",
    },
    details: { difference: unifiedPatch("pseudocode.md", written, rendered) },
  });

const nothingGiven = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "a change of logic needs a diagram or pseudocode",
    uk: "зміна логіки потребує діаграми або псевдокоду",
  });

const tooLong = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the pseudocode is longer than ${MAX_PSEUDOCODE_TOKENS} tokens (${TOKENIZER})`,
    uk: `псевдокод довший за ${MAX_PSEUDOCODE_TOKENS} токенів (${TOKENIZER})`,
    hint: {
      en: "Move a part of it into a diagram of its own and name it by an insertion.",
      uk: "Винесіть частину в окрему діаграму й назвіть її вставкою.",
    },
    details: { limit: MAX_PSEUDOCODE_TOKENS },
  });

const largeDiagram = (bytes: number): Text => ({
  en: `the diagram has ${Math.ceil(bytes / 1024)} KB; more than 50 KB is hard to review`,
  uk: `діаграма має ${Math.ceil(bytes / 1024)} КБ; понад 50 КБ важко переглядати`,
});

/** Lists the icons of a drawing that new pseudocode changed, added, removed or connected otherwise. */
function redrawnParts(before: Diagram, { diagram, changed, added, removed, rerouted }: Redrawn): Text {
  const lines = rerouted.filter((id) => !changed.includes(id));
  const icons = (ids: readonly string[], { icons: known }: Diagram): string =>
    `${ids
      .slice(0, MOST_NAMED)
      .map((id) => iconName(known.get(id)!))
      .join(", ")}${ids.length > MOST_NAMED ? ", …" : ""}`;
  const parts = [
    { en: "new text", uk: "новий текст", ids: changed, in: diagram },
    { en: "added", uk: "додано", ids: added, in: diagram },
    { en: "removed", uk: "прибрано", ids: removed, in: before },
    { en: "lines lead elsewhere", uk: "лінії ведуть в інше місце", ids: lines, in: diagram },
  ].filter(({ ids }) => ids.length > 0);
  const words = (language: Language): string =>
    parts.map((part) => `${part[language]} (${part.ids.length}): ${icons(part.ids, part.in)}`).join("; ");
  return {
    en: `the pseudocode changed the diagram; icons that are not named here stay as they were. ${words("en")}`,
    uk: `псевдокод змінив діаграму; не названі тут ікони лишилися, як були. ${words("uk")}`,
  };
}

const MOST_NAMED = 6;

const drawnAnew: Text = {
  en: "the current diagram has errors or cannot hold this pseudocode: a new one is drawn, and the old drawing is lost",
  uk: "чинна діаграма має помилки або не вміщує цього псевдокоду: накреслено нову, колишнє креслення втрачено",
};
