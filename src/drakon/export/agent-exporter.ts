import {
  type ContractFile,
  contractFile,
  frontValue,
  newContractFile,
  withFrontValues,
} from "../../domain/contract/contract-file.ts";
import { procedureIn, withProcedure } from "./procedure-block.ts";

/** The contract without its procedure, which the diagram owns (D-5). */
export interface AgentConfiguration {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly model: string;
  readonly temperature?: number;
  readonly max_steps?: number;
  readonly tools: readonly string[];
  readonly safe_outputs: readonly string[];
  readonly triggers?: Readonly<Record<string, unknown>>;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly created_by: string;
}

export interface ExportRequest {
  /** The rendered procedure, identical to `pseudocode.md`. */
  readonly pseudocode: string;
  /** File name of the diagram, such as `main-flow.drakon.json`. */
  readonly generatedFrom: string;
  readonly language: "uk" | "en";
  /** ISO time of the export. */
  readonly at: string;
  /** The current contract, or the configuration of a new one. */
  readonly agent: string | AgentConfiguration;
}

type Exported =
  | { readonly kind: "exported"; readonly agentFile: string; readonly pseudocode: string; readonly version: string }
  | { readonly kind: "refused"; readonly why: { readonly en: string; readonly uk: string } };

/**
 * Assembles `_agent.md` from front matter and procedure. Keeps the configuration with its comments; writes the procedure,
 * `generated_from`, `version` and `updated_at`. Idempotent: exporting the same procedure again changes nothing.
 */
export function agentExporter(request: ExportRequest): Exported {
  const { pseudocode, generatedFrom, at } = request;
  const start = typeof request.agent === "string" ? contractFile(request.agent) : firstFile(request.agent, at);
  if (!start) return refused("the contract has no front matter", "контракт не має front matter");
  const version = frontValue(start, "version") ?? "0.0.0";
  const next = isUnchanged(start, request) ? version : bumped(version);
  if (next === undefined)
    return refused(`the version ${version} is not of the form 1.2.3`, `версія ${version} не має вигляду 1.2.3`);
  if (next === version) return { kind: "exported", agentFile: start.text, pseudocode, version };
  const heading =
    request.language === "uk"
      ? `# Логіка (згенеровано з ${generatedFrom})`
      : `# Logic (generated from ${generatedFrom})`;
  const changed = withFrontValues(start, { version: next, updated_at: at, generated_from: generatedFrom });
  if (!changed)
    return refused("the front matter cannot be changed in place", "front matter не вдається змінити на місці");
  const file = withProcedure(changed, pseudocode, heading);
  return { kind: "exported", agentFile: file.text, pseudocode, version: next };
}

/** A broken link in the chain diagram → pseudocode.md → _agent.md (D-6). */
export interface Drift {
  readonly kind: "pseudocode" | "body" | "no-procedure" | "by-hand" | "called-diagram";
  readonly message: { readonly en: string; readonly uk: string };
}

/**
 * Compares the rendered diagram (`rendered`: one text per language) with `pseudocode.md` and with the procedure in the contract.
 * Returns no drift if the contract has no `generated_from`.
 */
export function driftOf(files: {
  readonly rendered: readonly string[];
  readonly pseudocode: string | undefined;
  readonly agent: string;
}): readonly Drift[] {
  const file = contractFile(files.agent);
  const origin = file && frontValue(file, "generated_from");
  if (!file || !origin) return [];
  if (/#\s*modified manually\s*$/.test(origin)) return [drifts["by-hand"]];
  const found: Drift[] = [];
  const wanted = files.rendered.map(tidy);
  if (files.pseudocode === undefined || !wanted.includes(tidy(files.pseudocode))) found.push(drifts.pseudocode);
  const span = procedureIn(file.text, file.bodyStart);
  if (!span) found.push(drifts["no-procedure"]);
  else if (!wanted.includes(tidy(file.text.slice(span.start, span.end))) || procedureIn(file.text, span.end))
    found.push(drifts.body);
  return found;
}

const drifts: Readonly<Record<Exclude<Drift["kind"], "called-diagram">, Drift>> = {
  pseudocode: {
    kind: "pseudocode",
    message: { en: "pseudocode.md differs from the diagram", uk: "pseudocode.md не відповідає діаграмі" },
  },
  body: {
    kind: "body",
    message: {
      en: "the procedure in _agent.md differs from the diagram",
      uk: "процедура в _agent.md не відповідає діаграмі",
    },
  },
  "no-procedure": {
    kind: "no-procedure",
    message: {
      en: "_agent.md names a diagram but has no procedure",
      uk: "_agent.md називає діаграму, але не містить процедури",
    },
  },
  "by-hand": {
    kind: "by-hand",
    message: { en: "_agent.md says that it was changed by hand", uk: "_agent.md каже, що його змінено вручну" },
  },
};

const tidy = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim()
    .normalize("NFC");

function isUnchanged(file: ContractFile, request: ExportRequest): boolean {
  const span = procedureIn(file.text, file.bodyStart);
  return (
    span !== undefined &&
    frontValue(file, "generated_from") === request.generatedFrom &&
    tidy(file.text.slice(span.start, span.end)) === tidy(request.pseudocode)
  );
}

function firstFile(agent: AgentConfiguration, at: string): ContractFile {
  const { created_by, ...rest } = agent;
  const { name, slug, ...others } = rest;
  return newContractFile({
    name,
    slug,
    version: "0.0.0",
    ...others,
    created_at: at,
    updated_at: at,
    created_by,
    status: "draft",
  });
}

/** The next version: a first export makes 1.0.0, every later one is a new minor version. */
function bumped(version: string): string | undefined {
  const match = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(version);
  if (!match) return undefined;
  const [major, minor] = [Number(match[1]), Number(match[2])];
  return major === 0 && minor === 0 ? "1.0.0" : `${major}.${minor + 1}.0`;
}

const refused = (en: string, uk: string): Exported => ({ kind: "refused", why: { en, uk } });
