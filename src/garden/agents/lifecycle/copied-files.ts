import { MAX_CONTRACT_BYTES, readContract } from "../../../domain/contract/contract.ts";
import { contractFile, withFrontValues } from "../../../domain/contract/contract-file.ts";
import { keys } from "../../../domain/layout.ts";
import { keyProblem, keySegment } from "../../../domain/store-key.ts";
import type { Folder } from "../../../ports/folder.ts";
import { MAX_OBJECT_BYTES } from "../../../ports/store.ts";
import { brokenContract } from "../../records/agents/read-agent.ts";
import { noContractIn } from "../failures.ts";
import { expectAgentPackage, isPackagedPath } from "./agent-package.ts";
import { expectValidContract, type FirstFiles, type NewAgentWish } from "./first-files.ts";

/** Copies contract, pseudocode, diagrams and sources. Throws for a missing or invalid contract. */
export async function fromFolder(wish: NewAgentWish, folder: Folder, at: string): Promise<FirstFiles> {
  const contract =
    (await folder.stat("_agent.md")).kind === "file" ? await folder.read("_agent.md", MAX_CONTRACT_BYTES) : undefined;
  if (!contract) throw noContractIn(folder.dir);
  const others = new Map<string, Uint8Array>();
  for await (const { path, sight } of folder.walk("")) {
    if (sight.kind !== "file" || !isPackagedPath(path)) continue;
    others.set(path, (await folder.read(path, MAX_OBJECT_BYTES))!);
  }
  return copied(wish, contract, others, at);
}

/** The same from an exported file. Throws VALIDATION_FAILED if it is none. */
export function fromPackage(wish: NewAgentWish, text: string, at: string): FirstFiles {
  const { contract, others } = expectAgentPackage(text);
  return copied(wish, contract, others, at);
}

/** The contract under the new slug, as a draft of today; what the wish names is changed. */
function copied(
  wish: NewAgentWish,
  bytes: Uint8Array,
  others: ReadonlyMap<string, Uint8Array>,
  at: string,
): FirstFiles {
  const { slug } = wish;
  const reading = readContract(bytes);
  if (reading.kind === "problems") throw brokenContract(slug, reading.problems);
  const named = {
    ...(wish.name !== undefined && { name: wish.name }),
    ...(wish.description !== undefined && { description: wish.description }),
    ...(wish.model !== undefined && { model: wish.model }),
  };
  const contract = withFrontValues(contractFile(reading.text)!, {
    slug,
    status: "draft",
    created_at: at,
    updated_at: at,
    ...named,
  });
  if (!contract) throw brokenContract(slug, []);
  const byKey = [...others].map(([path, file]): [string, Uint8Array] => [
    `${keys.agentFolder(slug)}${path.split("/").map(segment).join("/")}`,
    file,
  ]);
  return {
    contract: expectValidContract(slug, contract.text),
    others: new Map(byKey.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** File names that are not valid keys are encoded. */
const segment = (name: string): string => (keyProblem(name) === undefined ? name : keySegment(name));
