import { type Finding, finding } from "../finding.ts";
import type { IconId } from "../icon-id.ts";
import { roleOf } from "./icon-types.ts";
import { plainText } from "./rich-text.ts";

/** A diagram as drawn: icons by id, with their exits. Made by `readDiagram` and immutable. */
export interface Diagram {
  /** Empty if the file does not say; the caller then takes the file's name. */
  readonly name: string;
  readonly params: string;
  readonly description: string;
  readonly icons: ReadonlyMap<IconId, Icon>;
  /** The file as it was read; an edit keeps the parts of it that this type does not model. */
  readonly source: DiagramSource;
}

export interface Icon {
  readonly id: IconId;
  readonly type: string;
  /** Plain text: HTML is decoded once. */
  readonly text: string;
  readonly secondary: string | undefined;
  /** Exits: below, to the right, and the duration at the left. Absent, empty and null all mean none. */
  readonly one: IconId | undefined;
  readonly two: IconId | undefined;
  readonly side: IconId | undefined;
  /** The "yes" exit is `one` (below), not `two` (right). */
  readonly yesIsDown: boolean;
  readonly branchId: number | undefined;
  readonly link: string | undefined;
  /** Execution stops behind it. */
  readonly final: boolean;
}

interface DiagramSource {
  /** The unchanged text of the file. */
  readonly text: string;
  /** The parsed file. */
  readonly json: JsonObject;
  /** The diagram is `json.diagram` (the envelope of `.drakon.json`), not `json` itself. */
  readonly enveloped: boolean;
}

export type JsonObject = { readonly [key: string]: unknown };

/** A diagram of 10,000 icons takes about 2 MB. Larger files are rejected before they are parsed. */
export const MAX_DIAGRAM_CHARACTERS = 32 * 1024 * 1024;

/** Reads any text and never throws: invalid parts become findings, and the diagram holds the rest. */
export function readDiagram(text: string): { readonly diagram: Diagram; readonly findings: readonly Finding[] } {
  if (text.length > MAX_DIAGRAM_CHARACTERS)
    return unreadable(text, finding("E-TOO-LARGE", { detail: `${text.length}` }));
  if (text.trim() === "") return { diagram: diagramOf({}, text, []), findings: [] };
  let json: unknown;
  try {
    json = JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text);
  } catch (error) {
    return unreadable(text, finding("E-JSON", { detail: parseErrorPlace(text, error as Error) }));
  }
  if (!isObject(json)) {
    const detail = json === null ? "null" : Array.isArray(json) ? "array" : typeof json;
    return unreadable(text, finding("E-JSON", { detail }));
  }
  const findings: Finding[] = [];
  return { diagram: diagramOf(json, text, findings), findings };
}

/** Line and column of a parse error, where known. The parser's own message is not used: it quotes the file. */
function parseErrorPlace(text: string, { message }: Error): string {
  const found = /position (\d+)/.exec(message)?.[1] ?? (message.includes("end of JSON") ? text.length : undefined);
  if (found === undefined) return "JSON?";
  const before = text.slice(0, Number(found)).split("\n");
  return `JSON? (${before.length}:${before.at(-1)!.length + 1})`;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const unreadable = (text: string, problem: Finding): { diagram: Diagram; findings: Finding[] } => ({
  diagram: diagramOf({}, text, []),
  findings: [problem],
});

function diagramOf(json: JsonObject, text: string, findings: Finding[]): Diagram {
  const enveloped = isObject(json["diagram"]) && (json["items"] === undefined || json["items"] === null);
  const body = enveloped ? (json["diagram"] as JsonObject) : json;
  const textOf = (...values: unknown[]): string =>
    plainText(values.find((value): value is string => typeof value === "string" && value.trim() !== "") ?? "");
  const icons = new Map<IconId, Icon>();
  const items = body["items"];
  if (items !== undefined && !isObject(items)) findings.push(finding("E-FIELD", { field: "items" }));
  if (isObject(items)) {
    for (const [id, item] of Object.entries(items)) {
      if (isObject(item)) icons.set(id, iconOf(id, item, findings));
      else findings.push(finding("E-ITEM", { icon: id }));
    }
  }
  for (const field of ["name", "params", "description"]) {
    if (body[field] !== undefined && body[field] !== null && typeof body[field] !== "string")
      findings.push(finding("E-FIELD", { field }));
  }
  return {
    name: textOf(body["name"], json["name"]),
    params: textOf(body["params"]),
    description: textOf(body["description"]),
    icons,
    source: { text, json, enveloped },
  };
}

function iconOf(id: IconId, item: JsonObject, findings: Finding[]): Icon {
  const text = typeof item["content"] === "string" ? plainText(item["content"]) : "";
  const wrong = (field: string): undefined => {
    findings.push(finding("E-FIELD", { icon: id, iconText: text, field }));
    return undefined;
  };
  const string = (field: string): string | undefined => {
    const value = item[field];
    if (value === undefined || value === null) return undefined;
    return typeof value === "string" ? value : wrong(field);
  };
  const exit = (field: string): IconId | undefined => string(field) || undefined;
  string("content");
  const secondary = string("secondary");
  const flag = item["flag1"];
  if (flag !== undefined && flag !== null && flag !== 0 && flag !== 1 && typeof flag !== "boolean")
    findings.push(finding("W-FLAG1-TYPE", { icon: id, iconText: text }));
  const branchId = item["branchId"];
  const final = item["final"];
  if (final !== undefined && final !== null && typeof final !== "boolean") wrong("final");
  // Questions and heads of blocks always lead on; only an icon with a single exit can be final.
  const canStop = ["step", "case", "loopend", "parend"].includes(roleOf(String(item["type"])));
  if (final === true && !canStop && item["type"] !== "end") wrong("final");
  return {
    id,
    type: string("type") ?? (item["type"] === undefined || item["type"] === null ? (wrong("type") ?? "") : ""),
    text,
    secondary: secondary === undefined ? undefined : plainText(secondary),
    one: exit("one"),
    two: exit("two"),
    side: exit("side"),
    yesIsDown: Boolean(flag),
    branchId: typeof branchId === "number" && Number.isFinite(branchId) ? branchId : undefined,
    link: string("link") || undefined,
    final: final === true && canStop,
  };
}
