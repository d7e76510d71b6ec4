/** A first procedure that was recognised in prose: numbered steps, and lines of the form "if … then". */
export type OutlineNode =
  | { readonly kind: "step"; readonly line: number; readonly text: string }
  | {
      readonly kind: "if";
      readonly line: number;
      readonly condition: string;
      readonly yes: string;
      readonly no: string | undefined;
    };

const FEWEST = 3;
const MOST = 80;
const HEADING = /^#{2,4} +(?:(?:step|phase|stage|task|крок|етап|фаза)\s+)?(\d{1,2})(?:[.):—–-]|\s)\s*(.*)$/i;
const ITEM = /^ {0,3}(\d{1,2})[.)] +(.+)$/;
const IF =
  /^\s*(?:[-*+]|\d{1,2}[.)])?\s*(?:if|when|якщо|коли)\s+(.+?)(?:,?\s+then\b:?|,?\s+то\b:?|\s*(?:→|->|:)|,)\s+(\S.*)$/i;
const ELSE = /^\s*(?:[-*+]|\d{1,2}[.)])?\s*(?:otherwise|else|інакше)\b[,:]?\s+(\S.*)$/i;

/** The longest numbered sequence of a text as steps; undefined if the text is no procedure. `firstLine` is the line of the first row. */
export function stepOutline(body: string, firstLine: number): OutlineNode[] | undefined {
  const lines = withoutFences(body);
  const headings = sequence(lines, HEADING);
  const starts = headings.length >= FEWEST ? headings : sequence(lines, ITEM);
  if (starts.length < FEWEST) return undefined;
  const isHeading = starts === headings;
  const nodes: OutlineNode[] = [];
  for (const [index, { at, text }] of starts.entries()) {
    const end = starts[index + 1]?.at ?? endOf(lines, at, isHeading);
    nodes.push(ifNode(text, at + firstLine) ?? { kind: "step", line: at + firstLine, text: plain(text) });
    for (let row = at + 1; row < end; row++) addTest(nodes, lines[row]!, row + firstLine, isHeading);
  }
  return nodes.filter((node) => node.kind === "if" || node.text !== "").slice(0, MOST);
}

function addTest(nodes: OutlineNode[], text: string, line: number, anyDepth: boolean): void {
  if (!anyDepth && !/^\s/.test(text)) return;
  const last = nodes.at(-1);
  const no = ELSE.exec(withoutMarks(text))?.[1];
  if (no !== undefined && last?.kind === "if" && last.no === undefined)
    nodes[nodes.length - 1] = { ...last, no: plain(no) };
  const found = ifNode(text, line);
  if (found) nodes.push(found);
}

function ifNode(text: string, line: number): OutlineNode | undefined {
  const match = IF.exec(withoutMarks(text));
  if (!match) return undefined;
  const [condition, yes] = [plain(match[1]!), plain(match[2]!)];
  return condition === "" || yes === "" ? undefined : { kind: "if", line, condition, yes, no: undefined };
}

/** The longest run of numbers 1, 2, 3, … among the matching lines. */
function sequence(lines: readonly string[], pattern: RegExp): { at: number; text: string }[] {
  let best: { at: number; text: string }[] = [];
  let run: { at: number; text: string }[] = [];
  for (const [at, text] of lines.entries()) {
    const match = pattern.exec(text);
    if (!match) {
      if (pattern === ITEM && text.startsWith("#")) run = [];
      continue;
    }
    const number = Number(match[1]);
    if (number === 0 || number === 1) run = [];
    else if (number !== run.length + 1 && number !== run.length) continue;
    run.push({ at, text: match[2]! });
    if (run.length > best.length) best = [...run];
  }
  return best;
}

function endOf(lines: readonly string[], at: number, isHeading: boolean): number {
  const rank = /^#+/.exec(lines[at]!)?.[0].length ?? 7;
  for (let row = at + 1; row < lines.length; row++) {
    const heading = /^(#+) /.exec(lines[row]!)?.[1]?.length;
    if (heading !== undefined && (!isHeading || heading <= rank)) return row;
    if (!isHeading && /^\S/.test(lines[row]!)) return row;
  }
  return lines.length;
}

/** The lines of a text; those in code blocks are empty. */
function withoutFences(body: string): string[] {
  let fence: string | undefined;
  return body.split("\n").map((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark === undefined) return fence === undefined ? line : "";
    fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence;
    return "";
  });
}

const withoutMarks = (text: string): string => text.replaceAll(/\*\*|__/g, "");
const plain = (text: string): string =>
  withoutMarks(text)
    .replaceAll("`", "")
    .replaceAll(/\s+/g, " ")
    .replace(/[:,;]\s*$/, "")
    .trim()
    .slice(0, 300)
    .trim();
