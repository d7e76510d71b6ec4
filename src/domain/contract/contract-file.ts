import { type Document, isAlias, isMap, isScalar, parseDocument, type Scalar, stringify } from "yaml";
import { blobId } from "../../base/canonical.ts";

/**
 * `_agent.md` split into front matter and body, uninterpreted. Edits are made in place, so that the owner's comments,
 * order of fields, quotes and line ends survive (C-2).
 */
export interface ContractFile {
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
export function contractFile(text: string): ContractFile | undefined {
  const match = FRONT.exec(text);
  if (!match) return undefined;
  const start = match[0].indexOf("\n") + 1;
  return { text, front: { start, end: start + (match[1] ?? "").length }, bodyStart: match[0].length };
}

/** The source text of a top-level field, for instance `1.10` for a version that YAML reads as 1.1. */
export function frontValue(file: ContractFile, field: string): string | undefined {
  const { document, node } = fieldOf(file, field);
  const scalar = isAlias(node) ? node.resolve(document) : node;
  if (!isScalar(scalar)) return undefined;
  return String(typeof scalar.value === "number" ? scalar.source : scalar.value);
}

/**
 * Sets top-level text fields in place: a value keeps its quotes, a missing field is added at the end. Undefined if no edit in
 * place is safe (an anchor that another field refers to, a map on one line): nothing but these fields may change.
 */
export function withFrontValues(
  file: ContractFile,
  values: Readonly<Record<string, string>>,
): ContractFile | undefined {
  const before = frontFields(file);
  let next: ContractFile | undefined = file;
  for (const [field, value] of Object.entries(values)) next = next && withFrontValue(next, field, value);
  const after = next && frontFields(next);
  if (!before || !after) return undefined;
  return JSON.stringify(after) === JSON.stringify({ ...before, ...values }) ? next : undefined;
}

function withFrontValue(file: ContractFile, field: string, value: string): ContractFile | undefined {
  const { node } = fieldOf(file, field);
  const { text, front } = file;
  if ((isScalar(node) || isAlias(node)) && node.range) {
    const [start, end] = [front.start + node.range[0], front.start + node.range[1]];
    const before = /\s/.test(text[start - 1]!) ? "" : " ";
    const after = text.slice(start, end).endsWith("\n") ? "\n" : text[end] === "#" ? " " : "";
    const written = inQuotesOf(isScalar(node) ? node : undefined, value);
    return replaced(file, { start, end }, `${before}${written}${after}`);
  }
  const lineEnd = text.slice(0, front.start).endsWith("\r\n") ? "\r\n" : "\n";
  const needsBreak = front.end > front.start && text[front.end - 1] !== "\n";
  const closing = text.slice(front.end).startsWith("---") ? lineEnd : "";
  return replaced(
    file,
    { start: front.end, end: front.end },
    `${needsBreak ? lineEnd : ""}${field}: ${JSON.stringify(value)}${closing}`,
  );
}

/** The top-level fields as plain data; undefined if they cannot be read. */
export function frontFields(file: ContractFile): Readonly<Record<string, unknown>> | undefined {
  const document = documentOf(file);
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined;
  try {
    return document.toJS({ maxAliasCount: 50 }) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** A first file for an agent that has none yet. */
export function newContractFile(fields: Readonly<Record<string, unknown>>): ContractFile {
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const front = stringify(present, { lineWidth: 0, defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" });
  return contractFile(`---\n${front}---\n`)!;
}

export function replaced(file: ContractFile, span: Span, by: string): ContractFile | undefined {
  const text = file.text.slice(0, span.start) + by + file.text.slice(span.end);
  return contractFile(text);
}

/**
 * The git blob id of the text without the values of `status` and `updated_at` (C-7), so that pausing an agent does
 * not change the hash of its contract.
 */
export function contractHash(text: string): string {
  const file = contractFile(text);
  if (!file) return blobId(Buffer.from(text));
  const spans = ["status", "updated_at"]
    .flatMap((field) => {
      const { node } = fieldOf(file, field);
      return (isScalar(node) || isAlias(node)) && node.range ? [node.range] : [];
    })
    .toSorted((a, b) => b[0] - a[0]);
  let rest = text;
  for (const [start, end] of spans) rest = rest.slice(0, file.front.start + start) + rest.slice(file.front.start + end);
  return blobId(Buffer.from(rest));
}

/** Keeps plain and single-quoted style if the new value allows it; otherwise uses double quotes. */
function inQuotesOf(node: Scalar | undefined, value: string): string {
  const simple = /^[A-Za-z0-9][A-Za-z0-9._/:+-]*$/.test(value) && !value.endsWith(":");
  if (node?.type === "QUOTE_SINGLE" && /^[^\u0000-\u001f]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  const plain = node?.type === "PLAIN" && node.source !== "" && simple;
  return plain && parseDocument(value, YAML).toJS() === value ? value : JSON.stringify(value);
}

const YAML = { version: "1.2", schema: "core", logLevel: "error" } as const;

function documentOf(file: ContractFile): Document.Parsed {
  try {
    return parseDocument(file.text.slice(file.front.start, file.front.end), YAML);
  } catch {
    return parseDocument("]", YAML); // nested too deeply for the parser
  }
}

function fieldOf(file: ContractFile, field: string): { document: Document.Parsed; node: unknown } {
  const document = documentOf(file);
  const items = isMap(document.contents) ? document.contents.items : [];
  return { document, node: items.find(({ key }) => isScalar(key) && key.value === field)?.value };
}
