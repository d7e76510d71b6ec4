import { isMap, isScalar, parseDocument, stringify } from "yaml";

/**
 * `_agent.md` taken apart without understanding it: where the front matter, the procedure and the prose around it are.
 * Everything that is changed is changed in place, so that a comment, an order of fields or a blank line of the owner's
 * survives every export (C-2).
 */
export interface AgentFile {
  readonly text: string;
  /** Offsets of the YAML between the two `---` lines. */
  readonly front: Span;
  readonly bodyStart: number;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

const FRONT = /^\ufeff?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??---[ \t]*(?:\r?\n|$)/;

/** Undefined if the text does not begin with front matter. */
export function agentFile(text: string): AgentFile | undefined {
  const match = FRONT.exec(text);
  if (!match) return undefined;
  const start = match[0].indexOf("\n") + 1;
  return { text, front: { start, end: start + (match[1] ?? "").length }, bodyStart: match[0].length };
}

/** The text of a top-level field as it is written, for instance `1.10` for a version that YAML would make 1.1. */
export function frontValue(file: AgentFile, field: string): string | undefined {
  const node = valueNode(file, field);
  if (!node) return undefined;
  return isScalar(node.value)
    ? String(typeof node.value.value === "number" ? node.value.source : node.value.value)
    : undefined;
}

/** The file with a top-level text field set: its value replaced where it stands, or a line added at the end. */
export function withFrontValue(file: AgentFile, field: string, value: string): AgentFile {
  const written = JSON.stringify(value);
  const node = valueNode(file, field);
  const { text, front } = file;
  if (node?.range) {
    const [start, end] = [front.start + node.range.start, front.start + node.range.end];
    const before = /\s/.test(text[start - 1]!) ? "" : " ";
    const after = text.slice(start, end).endsWith("\n") ? "\n" : text[end] === "#" ? " " : "";
    return replaced(file, { start, end }, `${before}${written}${after}`);
  }
  const needsBreak = front.end > front.start && text[front.end - 1] !== "\n";
  const closing = text.slice(front.end).startsWith("---") ? "\n" : "";
  return replaced(
    file,
    { start: front.end, end: front.end },
    `${needsBreak ? "\n" : ""}${field}: ${written}${closing}`,
  );
}

/** The procedure in the body: from `ПОЧАТОК` or `BEGIN` to `КІНЕЦЬ` or `END`, both at the left edge. */
export function procedureIn(text: string, from = 0): Span | undefined {
  const opening = /^(?:ПОЧАТОК|BEGIN)[ \t]*(?=["\r\n]|$)/gmu;
  const closing = /^(?:КІНЕЦЬ|END)[ \t]*$/gmu;
  closing.lastIndex = from;
  for (let end = closing.exec(text); end; end = closing.exec(text)) {
    // The last opening before an end: what stands above it is prose, or a procedure that was never finished.
    opening.lastIndex = from;
    let start = -1;
    for (let begin = opening.exec(text); begin && begin.index < end.index; begin = opening.exec(text))
      start = begin.index;
    if (start >= 0) return { start, end: end.index + end[0].length };
  }
  return undefined;
}

/** The file with its procedure replaced, or, where it has none, added under a heading that says where it came from. */
export function withProcedure(file: AgentFile, procedure: string, heading: string): AgentFile {
  const span = procedureIn(file.text, file.bodyStart);
  if (span) return replaced(file, span, procedure.trimEnd());
  const before = file.text.trimEnd();
  return replaced(file, { start: before.length, end: file.text.length }, `\n\n${heading}\n\n${procedure.trimEnd()}\n`);
}

/** A first file for an agent that has none yet. */
export function newAgentFile(fields: Readonly<Record<string, unknown>>): AgentFile {
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const front = stringify(present, { lineWidth: 0, defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" });
  return agentFile(`---\n${front}---\n`)!;
}

function replaced(file: AgentFile, span: Span, by: string): AgentFile {
  const text = file.text.slice(0, span.start) + by + file.text.slice(span.end);
  return agentFile(text)!;
}

function valueNode(file: AgentFile, field: string): { value: unknown; range: Span | undefined } | undefined {
  const document = parseDocument(file.text.slice(file.front.start, file.front.end), { version: "1.2", schema: "core" });
  if (!isMap(document.contents)) return undefined;
  const pair = document.contents.items.find(({ key }) => isScalar(key) && key.value === field);
  const value: unknown = pair?.value;
  const range = isScalar(value) ? value.range : undefined;
  return pair && { value, range: range ? { start: range[0], end: range[1] } : undefined };
}

/** Whether the front matter is YAML at all. */
export function isSound(file: AgentFile): boolean {
  const document = parseDocument(file.text.slice(file.front.start, file.front.end), { version: "1.2", schema: "core" });
  return document.errors.length === 0;
}
