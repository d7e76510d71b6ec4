import type { Language } from "../../../base/text.ts";
import {
  type ContractFile,
  contractFile,
  frontValue,
  replaced,
  withFrontValues,
} from "../../../domain/contract/contract-file.ts";
import type { LogicVersion } from "../../../domain/logic/logic-version.ts";
import { agentExporter } from "../../../drakon/export/agent-exporter.ts";
import { procedureIn } from "../../../drakon/export/procedure-block.ts";
import { originOf } from "./contract-origin.ts";

export interface ContractExport {
  readonly contract: string;
  readonly version: LogicVersion;
  readonly procedure: string;
  /** The diagram's file; undefined for an agent without a diagram: then the whole body is its logic. */
  readonly mainFile: string | undefined;
  readonly language: Language;
  readonly at: string;
  /** A body that says it was changed by hand is replaced only where a person has seen just that. */
  readonly overHand: boolean;
}

export interface ExportedContract {
  readonly text: string;
  /** The body was left alone because it says that it was changed by hand (D-6a): the file goes on as it stands. */
  readonly keptByHand: boolean;
}

/**
 * `_agent.md` as it follows from the logic (D-5): procedure, `generated_from`, `version`, `updated_at` and `logic_version`;
 * status, configuration and prose stay. The same twice is the same bytes. Undefined if the file cannot be changed in place.
 */
export function exportedContract(request: ContractExport): ExportedContract | undefined {
  const { contract, version, mainFile, at } = request;
  const keptByHand = originOf(contract).byHand && !request.overHand;
  const body = keptByHand ? contract : mainFile === undefined ? withBody(request) : withProcedure(request, mainFile);
  const file = body === undefined ? undefined : contractFile(body);
  if (!file) return undefined;
  if (frontValue(file, "logic_version") === version) return { text: file.text, keptByHand };
  const marked = withFrontValues(file, { logic_version: version, updated_at: at });
  return marked && { text: marked.text, keptByHand };
}

function withProcedure(
  { contract, procedure, language, at }: ContractExport,
  generatedFrom: string,
): string | undefined {
  const exported = agentExporter({ pseudocode: procedure, generatedFrom, language, at, agent: contract });
  return exported.kind === "exported" ? exported.agentFile : undefined;
}

/** Without a diagram the body is the logic, all of it. */
function withBody({ contract, procedure, at }: ContractExport): string | undefined {
  const file = contractFile(contract);
  if (!file) return undefined;
  if (bodyOf(contract) === procedure && originOf(contract).file === undefined) return contract;
  const version = /^(\d{1,9})\.(\d{1,9})\.\d{1,9}$/.exec(frontValue(file, "version") ?? "");
  if (!version) return undefined;
  const next = `${version[1]}.${Number(version[2]) + 1}.0`;
  const bumped = withFrontValues(withoutOrigin(file), { version: next, updated_at: at });
  const body = `\n${procedure.trimEnd()}\n`;
  return bumped && replaced(bumped, { start: bumped.bodyStart, end: bumped.text.length }, body)?.text;
}

/** Going back to a version without a diagram, the contract no longer comes from one. */
function withoutOrigin(file: ContractFile): ContractFile {
  const front = file.text.slice(file.front.start, file.front.end);
  const line = /^generated_from:.*(?:\r?\n|$)/m.exec(front);
  if (!line) return file;
  const start = file.front.start + line.index;
  return replaced(file, { start, end: start + line[0].length }, "") ?? file;
}

/** What of a contract its logic owns: the procedure where there is a diagram, else the body; undefined if it has none. */
export function logicIn(contract: string, hasDiagram: boolean): string | undefined {
  const file = contractFile(contract);
  if (!file || !hasDiagram) return bodyOf(contract);
  const span = procedureIn(contract, file.bodyStart);
  return span && bodyOf(contract.slice(span.start, span.end));
}

/** The body of a contract as a logic without diagram holds it: no blank lines around, line ends of Unix. */
export function bodyOf(contract: string): string {
  const file = contractFile(contract);
  return `${(file ? contract.slice(file.bodyStart) : contract)
    .replace(/\r\n?/g, "\n")
    .replace(/^\s*\n/, "")
    .trimEnd()}\n`;
}
