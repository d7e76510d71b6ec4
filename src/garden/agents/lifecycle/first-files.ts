import { Failure } from "../../../base/failure.ts";
import { joined, type Language, type Text } from "../../../base/text.ts";
import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import { readContract } from "../../../domain/contract/contract.ts";
import { isTool, servedBy } from "../../../domain/contract/tool.ts";
import type { Identity } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { keyProblem } from "../../../domain/store-key.ts";
import { agentExporter } from "../../../drakon/export/agent-exporter.ts";
import { analyse } from "../../../drakon/expression/analyse.ts";
import { diagramFromTree } from "../../../drakon/from-tree/diagram-from-tree.ts";
import { meaningErrors } from "../../../drakon/meaning.ts";
import { parsePseudocode } from "../../../drakon/text/parse.ts";
import { renderPseudocode } from "../../../drakon/text/render.ts";
import type { Tree } from "../../../drakon/tree.ts";
import type { Folder } from "../../../ports/folder.ts";
import { diagramOf, MAIN_DIAGRAM } from "../../records/agents/agent-diagrams.ts";
import { brokenContract } from "../../records/agents/read-agent.ts";
import { actionsIn } from "../../records/agents/static-check.ts";
import { diagramFileName, noTemplate, procedureRefused } from "../failures.ts";
import { type OutsideGrant, outsideAgentTemplate } from "../templates/outside-agent.ts";
import type { AgentTemplate } from "../templates/template.ts";
import { findTemplate } from "../templates/templates.ts";
import {
  firstDescription,
  firstOutputs,
  firstProcedure,
  firstTools,
  type NewContract,
  newContractText,
} from "./agent-template.ts";

export interface NewAgentWish {
  readonly slug: string;
  readonly by: Identity;
  readonly language: Language;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly model?: string | undefined;
  readonly from: /** An agent of the gallery; without a name, a contract with a small diagram that works in any garden. */
    | { readonly kind: "template"; readonly template?: string | undefined }
    /** A program outside of the garden: the contract is its grant. */
    | ({ readonly kind: "outside" } & OutsideGrant)
    /** An empty diagram, to be drawn. */
    | { readonly kind: "drawing" }
    /** A diagram drawn from this procedure. */
    | { readonly kind: "pseudocode"; readonly text: string }
    /** A contract in words, without a diagram (source 001 §3.1, way A). */
    | { readonly kind: "prose" }
    /** A contract with the procedure of this diagram in it (way B). */
    | { readonly kind: "diagram"; readonly file: string; readonly bytes: Uint8Array }
    /** A copy of another agent's contract, diagrams and sources; its runs and its memory are its own. */
    | { readonly kind: "folder"; readonly folder: Folder }
    /** The same, from a file that `exportAgent` made. */
    | { readonly kind: "file"; readonly text: string }
    /** Files made from another product's (I-1, I-4). */
    | { readonly kind: "import"; readonly files: FirstFiles };
}

/** The files of a new agent: the contract, and all others by key. */
export interface FirstFiles {
  readonly contract: string;
  readonly others: ReadonlyMap<string, Uint8Array>;
}

export function fromTemplate(wish: NewAgentWish, id: string | undefined, at: string): FirstFiles {
  const { language } = wish;
  if (id === undefined) return withDiagram(wish, MAIN_DIAGRAM, drawn(firstProcedure[language]), newContract(wish, at));
  const template = findTemplate(id);
  if (!template) throw noTemplate(id);
  return plantedFrom(wish, template, at);
}

export const fromGrant = (wish: NewAgentWish, grant: OutsideGrant, at: string): FirstFiles =>
  plantedFrom(wish, outsideAgentTemplate(grant), at);

function plantedFrom(wish: NewAgentWish, template: AgentTemplate, at: string): FirstFiles {
  const { language } = wish;
  const contract: NewContract = {
    ...newContract({ ...wish, description: wish.description ?? template.purpose[language] }, at),
    name: wish.name ?? template.name[language],
    model: wish.model ?? template.model,
    tools: template.tools,
    safe_outputs: template.safe_outputs,
    settings: template.settings,
    role: template.role[language],
  };
  return withDiagram(wish, MAIN_DIAGRAM, drawn(template.procedure[language]), contract);
}

/** The diagram of a procedure that is part of the program. */
const drawn = (procedure: string): string => diagramFromTree(parsePseudocode(procedure).tree!).source.text;

/** A diagram with a header and an end. The contract has the tools of the first template: a drawing may use them at once. */
export function fromDrawing(wish: NewAgentWish, at: string): FirstFiles {
  const name = wish.name ?? wish.slug;
  const empty = { type: "drakon", name, items: { 1: { type: "branch", branchId: 0, one: "2" }, 2: { type: "end" } } };
  return withDiagram(wish, MAIN_DIAGRAM, `${JSON.stringify(empty, null, 2)}\n`, newContract(wish, at));
}

/** Throws VALIDATION_FAILED with every line that cannot be read. */
export function fromPseudocode(wish: NewAgentWish, text: string, at: string): FirstFiles {
  const { tree, findings } = parsePseudocode(text);
  const errors = findings.filter(({ severity }) => severity === "error");
  if (!tree || errors.length > 0) throw procedureRefused(errors);
  const { source } = diagramFromTree(tree);
  return fromDiagram(wish, { file: MAIN_DIAGRAM, bytes: Buffer.from(source.text) }, at);
}

export function fromProse(wish: NewAgentWish, at: string): FirstFiles {
  return {
    contract: expectValidContract(wish.slug, newContractText(newContract(wish, at), "1.0.0")),
    others: new Map(),
  };
}

/** Tools and safe outputs are taken from the diagram; the owner may change them before activating. */
export function fromDiagram(
  wish: NewAgentWish,
  from: { readonly file: string; readonly bytes: Uint8Array },
  at: string,
) {
  const file = from.file.replace(/^.*[/\\]/, "").replace(/(?:\.drakon)?(?:\.json)?$/i, ".drakon.json");
  const problem = keyProblem(file);
  if (problem !== undefined) throw diagramFileName(file, problem);
  const { checked: found, text } = diagramOf(file, from.bytes);
  const errors = [...found.findings, ...(found.tree ? meaningErrors(found.tree) : [])].filter(
    ({ severity }) => severity === "error",
  );
  if (!found.tree || errors.length > 0) throw badDiagram(file, errors);
  const contract = newContract(wish, at);
  const { name, description } = found.tree;
  return withDiagram(wish, file, text, {
    ...contract,
    name: wish.name ?? (name || wish.slug),
    description: wish.description ?? (description.split("\n")[0]?.trim() || contract.description),
    ...usedBy(found.tree),
  });
}

/** D-5: diagram → pseudocode.md → _agent.md, by the exporter. */
function withDiagram(wish: NewAgentWish, file: string, diagram: string, contract: NewContract): FirstFiles {
  const { slug, language } = wish;
  const tree = diagramOf(file, Buffer.from(diagram)).checked.tree!;
  const pseudocode = renderPseudocode(tree, { language }).text;
  const exported = agentExporter({
    pseudocode,
    generatedFrom: file,
    language,
    at: contract.at,
    agent: newContractText(contract, "0.0.0"),
  });
  if (exported.kind === "refused") throw new Failure("VALIDATION_FAILED", exported.why);
  return {
    contract: expectValidContract(slug, exported.agentFile),
    others: new Map([
      [keys.diagram(slug, file), Buffer.from(diagram)],
      [keys.pseudocode(slug), Buffer.from(pseudocode)],
    ]),
  };
}

function newContract({ slug, language, ...wish }: NewAgentWish, at: string): NewContract {
  return {
    slug,
    language,
    at,
    name: wish.name ?? slug,
    description: wish.description ?? firstDescription[language],
    model: wish.model ?? FOLLOWER,
    tools: firstTools,
    safe_outputs: firstOutputs,
  };
}

function usedBy(tree: Tree): Pick<NewContract, "tools" | "safe_outputs"> {
  const called = [...new Set(analyse(tree).calls.map(({ name }) => name))].filter(isTool);
  const served = called.filter((tool) => tool !== "create-proposal").flatMap((tool) => servedBy(tool).slice(0, 1));
  const outputs = [...new Set([...actionsIn(tree), ...served])];
  const canPropose = called.some((tool) => servedBy(tool).length > 0);
  return {
    tools: canPropose ? called : [...called, "create-proposal"],
    safe_outputs: outputs.length > 0 ? outputs : ["propose-note"],
  };
}

/** The contract as text. Throws if it is invalid: names and descriptions come from the caller. */
export function expectValidContract(slug: string, text: string): string {
  const reading = readContract(Buffer.from(text));
  if (reading.kind === "problems") throw brokenContract(slug, reading.problems);
  return text;
}

const badDiagram = (file: string, errors: readonly { readonly message: Text }[]): Failure =>
  new Failure("VALIDATION_FAILED", {
    ...joined(
      errors.map(({ message }) => ({ en: `${file}: ${message.en}`, uk: `${file}: ${message.uk}` })),
      "\n",
    ),
    hint: { en: "`bloom diagram check FILE` lists everything.", uk: "Усе перелічить `bloom diagram check ФАЙЛ`." },
    details: { findings: errors },
  });
