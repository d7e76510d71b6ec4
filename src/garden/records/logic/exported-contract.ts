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
import { contractOrigin } from "./contract-origin.ts";

export interface ContractExport {
  readonly contract: string;
  readonly version: LogicVersion;
  readonly procedure: string;
  /** The diagram's file; undefined for an agent without a diagram: then the whole body is its logic. */
  readonly mainFile: string | undefined;
  readonly language: Language;
  readonly at: string;
  /** Replace a body that is marked as changed by hand; only if a person has reviewed exactly that. */
  readonly overHand: boolean;
}

export interface ExportedContract {
  readonly text: string;
  /** The body is marked as changed by hand (D-6a) and was kept. */
  readonly keptByHand: boolean;
}

/**
 * `_agent.md` derived from the logic (D-5): procedure, `generated_from`, `version`, `updated_at` and `logic_version`;
 * status, configuration and prose stay. Idempotent. Undefined if the file cannot be changed in place.
 */
export function exportedContract(request: ContractExport): ExportedContract | undefined {
  const { contract, version, mainFile, at } = request;
  const keptByHand = contractOrigin(contract).byHand && !request.overHand;
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

/** Without a diagram the whole body is the logic. */
function withBody({ contract, procedure, at }: ContractExport): string | undefined {
  const file = contractFile(contract);
  if (!file) return undefined;
  if (bodyOf(contract) === procedure && contractOrigin(contract).file === undefined) return contract;
  const version = /^(\d{1,9})\.(\d{1,9})\.\d{1,9}$/.exec(frontValue(file, "version") ?? "");
  if (!version) return undefined;
  const next = `${version[1]}.${Number(version[2]) + 1}.0`;
  const bumped = withFrontValues(withoutOrigin(file), { version: next, updated_at: at });
  const body = `\n${procedure.trimEnd()}\n`;
  return bumped && replaced(bumped, { start: bumped.bodyStart, end: bumped.text.length }, body)?.text;
}

/** After a rollback to a version without a diagram, the contract names no origin. */
function withoutOrigin(file: ContractFile): ContractFile {
  const front = file.text.slice(file.front.start, file.front.end);
  const line = /^generated_from:.*(?:\r?\n|$)/m.exec(front);
  if (!line) return file;
  const start = file.front.start + line.index;
  return replaced(file, { start, end: start + line[0].length }, "") ?? file;
}

/**
 * The part of a contract that belongs to its logic: the procedure if there is a diagram, else the body; undefined if
 * there is none.
 */
export function logicIn(contract: string, hasDiagram: boolean): string | undefined {
  const file = contractFile(contract);
  if (!file || !hasDiagram) return bodyOf(contract);
  const span = procedureIn(contract, file.bodyStart);
  return span && bodyOf(contract.slice(span.start, span.end));
}

/** The body of a contract as logic without a diagram: no blank lines around it, Unix line endings. */
export function bodyOf(contract: string): string {
  const file = contractFile(contract);
  return `${(file ? contract.slice(file.bodyStart) : contract)
    .replace(/\r\n?/g, "\n")
    .replace(/^\s*\n/, "")
    .trimEnd()}\n`;
}
