import { type AgentState, isAgentState } from "./agent-state.ts";
import { type ContractFile, contractFile, frontFields, withFrontValues } from "./contract-file.ts";

/**
 * The status of a contract file, also of one whose YAML is damaged: then its only line `status: …` counts. Undefined if there is
 * none, or several.
 */
export function statusOfText(text: string): AgentState | undefined {
  const file = contractFile(text);
  const fields = file && frontFields(file);
  const found = fields ? fields["status"] : lineOf(text, "status")?.value;
  return isAgentState(found) ? found : undefined;
}

/** The text with another `status` and `updated_at`, and nothing else changed; undefined if no safe edit exists. */
export function withStatus(text: string, status: AgentState, updated_at: string): string | undefined {
  const file = contractFile(text);
  if (file && frontFields(file)) return withFrontValues(file, { status, updated_at })?.text;
  const stated = lineOf(text, "status");
  if (!stated || !isAgentState(stated.value)) return undefined;
  const next = replacedLine(text, stated, status);
  const time = lineOf(next, "updated_at");
  return time ? replacedLine(next, time, JSON.stringify(updated_at)) : next;
}

interface FieldLine {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** The value of `field: value` at the beginning of a line, if exactly one line above the body has it. */
function lineOf(text: string, field: "status" | "updated_at"): FieldLine | undefined {
  const head = headOf(text, contractFile(text));
  const pattern = new RegExp(`^(${field}[ \\t]*:[ \\t]*)((["']?)([^"'#\\r\\n]*?)\\3)[ \\t]*(?:#.*)?\\r?$`, "gm");
  const found = [...head.matchAll(pattern)];
  const [match] = found;
  if (!match || found.length > 1) return undefined;
  const start = match.index + match[1]!.length;
  return { value: match[4]!, start, end: start + match[2]!.length };
}

/** Everything above the body. Without a closing `---`, everything up to the first blank line. */
const headOf = (text: string, file: ContractFile | undefined): string =>
  file ? text.slice(0, file.bodyStart) : (/^[\s\S]*?(?=\r?\n[ \t]*\r?\n|$(?![\s\S]))/.exec(text)?.[0] ?? text);

const replacedLine = (text: string, { start, end }: FieldLine, by: string): string =>
  text.slice(0, start) + by + text.slice(end);
