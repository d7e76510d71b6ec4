import { type Finding, finding } from "../finding.ts";
import type { IconId } from "../icon-id.ts";
import { roleOf } from "./icon-types.ts";
import { plainText } from "./rich-text.ts";

/** A diagram as people draw it: icons by id, with their exits. Read from a file by `readDiagram`, never changed. */
export interface Diagram {
  /** Empty if the file does not say; the caller then takes the file's name. */
  readonly name: string;
  readonly params: string;
  readonly description: string;
  readonly icons: ReadonlyMap<IconId, Icon>;
  /** The file as it was, for writing back what nobody understood. */
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
  /** Whether "yes" goes down. */
  readonly yesIsDown: boolean;
  readonly branchId: number | undefined;
  readonly link: string | undefined;
  /** Execution stops behind it. */
  readonly final: boolean;
}

export interface DiagramSource {
  /** The very bytes that were read, as text. */
  readonly text: string;
  /** The parsed file. */
  readonly json: JsonObject;
  /** Whether the diagram lies in `json.diagram` (the envelope of `.drakon.json`) or is `json` itself. */
  readonly enveloped: boolean;
}

export type JsonObject = { readonly [key: string]: unknown };

/** A diagram of 10,000 icons has about 2 MB; what is larger than this was not drawn by a person. */
export const MAX_DIAGRAM_CHARACTERS = 32 * 1024 * 1024;

/** Reads a file, whatever is in it. Never throws: what cannot be understood is a finding, and the rest is there. */
export function readDiagram(text: string): { readonly diagram: Diagram; readonly findings: readonly Finding[] } {
  if (text.length > MAX_DIAGRAM_CHARACTERS) return nothing(text, finding("E-TOO-LARGE", { detail: `${text.length}` }));
  if (text.trim() === "") return { diagram: diagramOf({}, text, []), findings: [] };
  let json: unknown;
  try {
    json = JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text);
  } catch (error) {
    return nothing(text, finding("E-JSON", { detail: notJson(text, error as Error) }));
  }
  return diagramFromJson(json, text);
}

/** What breaks it, with line and column where they are known. The parser's own words quote the file, which may hold anything. */
function notJson(text: string, { message }: Error): string {
  const found = /position (\d+)/.exec(message)?.[1] ?? (message.includes("end of JSON") ? text.length : undefined);
  if (found === undefined) return "JSON?";
  const before = text.slice(0, Number(found)).split("\n");
  return `JSON? (${before.length}:${before.at(-1)!.length + 1})`;
}

/** The same for a value that is parsed already. */
export function diagramFromJson(
  json: unknown,
  text?: string,
): { readonly diagram: Diagram; readonly findings: readonly Finding[] } {
  const source = text ?? asText(json);
  if (source === undefined) return nothing("", finding("E-JSON", { detail: "JSON?" }));
  if (!isObject(json))
    return nothing(
      source,
      finding("E-JSON", { detail: json === null ? "null" : Array.isArray(json) ? "array" : typeof json }),
    );
  const findings: Finding[] = [];
  const diagram = diagramOf(json, source, findings);
  return { diagram, findings };
}

/** Undefined for what is too deep, or no JSON at all. */
function asText(json: unknown): string | undefined {
  try {
    return JSON.stringify(json) ?? "";
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const nothing = (text: string, problem: Finding): { diagram: Diagram; findings: Finding[] } => ({
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
  // A question or the head of a block has somewhere to go by nature; only what goes straight on can be the last.
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
