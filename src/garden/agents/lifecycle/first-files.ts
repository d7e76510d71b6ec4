import { Failure } from "../../../base/failure.ts";
import { joined, type Language, type Text } from "../../../base/text.ts";
import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import { MAX_CONTRACT_BYTES, readContract } from "../../../domain/contract/contract.ts";
import { contractFile, withFrontValues } from "../../../domain/contract/contract-file.ts";
import { isTool, servedBy } from "../../../domain/contract/tool.ts";
import type { Identity } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { keyProblem, keySegment } from "../../../domain/store-key.ts";
import { agentExporter } from "../../../drakon/export/agent-exporter.ts";
import { analyse } from "../../../drakon/expression/analyse.ts";
import { diagramFromTree } from "../../../drakon/from-tree/diagram-from-tree.ts";
import { meaningErrors } from "../../../drakon/meaning.ts";
import { parsePseudocode } from "../../../drakon/text/parse.ts";
import { renderPseudocode } from "../../../drakon/text/render.ts";
import type { Tree } from "../../../drakon/tree.ts";
import type { Folder } from "../../../ports/folder.ts";
import { MAX_OBJECT_BYTES } from "../../../ports/store.ts";
import { diagramOf, MAIN_DIAGRAM } from "../../records/agents/agent-diagrams.ts";
import { brokenContract } from "../../records/agents/read-agent.ts";
import { actionsIn } from "../../records/agents/static-check.ts";
import { diagramFileName, noContractIn } from "../failures.ts";
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
  readonly from: /** A contract with a small diagram that works in any garden. */
    | { readonly kind: "template" }
    /** A contract in words, without a diagram (source 001 §3.1, way A). */
    | { readonly kind: "prose" }
    /** A contract with the procedure of this diagram in it (way B). */
    | { readonly kind: "diagram"; readonly file: string; readonly bytes: Uint8Array }
    /** A copy of another agent's contract, diagrams and sources; its runs and its memory are its own. */
    | { readonly kind: "folder"; readonly folder: Folder };
}

/** The files of a new agent: the contract, and all others by key. */
export interface FirstFiles {
  readonly contract: string;
  readonly others: ReadonlyMap<string, Uint8Array>;
}

export function fromTemplate(wish: NewAgentWish, at: string): FirstFiles {
  const { tree } = parsePseudocode(firstProcedure[wish.language]);
  const { text } = diagramFromTree(tree!).source;
  return withDiagram(wish, MAIN_DIAGRAM, text, newContract(wish, at));
}

export function fromProse(wish: NewAgentWish, at: string): FirstFiles {
  return { contract: expectValid(wish.slug, newContractText(newContract(wish, at), "1.0.0")), others: new Map() };
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
    contract: expectValid(slug, exported.agentFile),
    others: new Map([
      [keys.diagram(slug, file), Buffer.from(diagram)],
      [keys.pseudocode(slug), Buffer.from(pseudocode)],
    ]),
  };
}

/** Copies contract, pseudocode, diagrams and sources. Throws for a missing or invalid contract. */
export async function fromFolder(wish: NewAgentWish, folder: Folder, at: string): Promise<FirstFiles> {
  const { slug } = wish;
  const bytes =
    (await folder.stat("_agent.md")).kind === "file" ? await folder.read("_agent.md", MAX_CONTRACT_BYTES) : undefined;
  if (!bytes) throw noContractIn(folder.dir);
  const reading = readContract(bytes);
  if (reading.kind === "problems") throw brokenContract(slug, reading.problems);
  const changes = { slug, status: "draft", created_at: at, updated_at: at };
  const named = {
    ...(wish.name !== undefined && { name: wish.name }),
    ...(wish.description !== undefined && { description: wish.description }),
    ...(wish.model !== undefined && { model: wish.model }),
  };
  const contract = withFrontValues(contractFile(reading.text)!, { ...changes, ...named });
  if (!contract) throw brokenContract(slug, []);
  const others = new Map<string, Uint8Array>();
  for await (const { path, sight } of folder.walk("")) {
    if (sight.kind !== "file" || !/^(?:pseudocode\.md$|drakon\/|sources\/)/.test(path)) continue;
    const key = `${keys.agentFolder(slug)}${path.split("/").map(segment).join("/")}`;
    others.set(key, (await folder.read(path, MAX_OBJECT_BYTES))!);
  }
  return {
    contract: expectValid(slug, contract.text),
    others: new Map([...others].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** File names that are not valid keys are encoded. */
const segment = (name: string): string => (keyProblem(name) === undefined ? name : keySegment(name));

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
function expectValid(slug: string, text: string): string {
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
