import { Failure } from "../../../base/failure.ts";
import { joined, type Text } from "../../../base/text.ts";
import type { Contract } from "../../../domain/contract/contract.ts";
import { isSlug } from "../../../domain/contract/slug.ts";
import { contractKey } from "../../../domain/layout.ts";
import { problemText, type YamlProblem } from "../../../domain/text/checked-yaml.ts";
import type { Hash, Store } from "../../../ports/store.ts";
import { cachedContract, cachedContractHash } from "./known-contracts.ts";

/** An agent is its contract file, which is read every time (C-1, C-9). */
export interface Agent {
  readonly slug: string;
  readonly contract: Contract;
  /** The instructions: everything after the front matter. */
  readonly body: string;
  /** The whole file. */
  readonly text: string;
  /** The store's hash, for a swap. */
  readonly hash: Hash;
  /** The hash of instructions and permissions; a change of status does not change it (C-7). */
  readonly contractHash: string;
}

export type AgentFileReading =
  | { readonly kind: "absent" }
  | { readonly kind: "agent"; readonly agent: Agent }
  /** The file exists and is invalid. */
  | {
      readonly kind: "broken";
      readonly bytes: Uint8Array;
      readonly hash: Hash;
      readonly problems: readonly YamlProblem[];
    };

/** Reads the contract file without throwing for an invalid one. */
export async function readAgentFile(store: Store, slug: string): Promise<AgentFileReading> {
  const stored = isSlug(slug) ? await store.get(contractKey(slug)) : undefined;
  if (!stored) return { kind: "absent" };
  const { bytes, hash } = stored;
  const reading = cachedContract(bytes, hash);
  if (reading.kind === "problems") return { kind: "broken", bytes, hash, problems: reading.problems };
  const { contract, body, text } = reading;
  if (contract.slug !== slug)
    return { kind: "broken", bytes, hash, problems: [otherFolder(text, contract.slug, slug)] };
  const agent: Agent = {
    slug,
    contract,
    body,
    text,
    hash,
    get contractHash() {
      return cachedContractHash(text, hash);
    },
  };
  return { kind: "agent", agent };
}

/** Undefined if there is no such agent. Throws VALIDATION_FAILED with all problems if the contract is invalid. */
export async function findAgent(store: Store, slug: string): Promise<Agent | undefined> {
  const sight = await readAgentFile(store, slug);
  if (sight.kind === "broken") throw brokenContract(slug, sight.problems);
  return sight.kind === "agent" ? sight.agent : undefined;
}

export async function readAgent(store: Store, slug: string): Promise<Agent> {
  const agent = await findAgent(store, slug);
  if (!agent) throw noAgent(slug);
  return agent;
}

export const noAgent = (slug: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no agent ${slug}`,
    uk: `немає агента ${slug}`,
    hint: { en: "`bloom agent list` shows those there are.", uk: "Які є, покаже `bloom agent list`." },
    details: { agent: slug },
  });

export const brokenContract = (slug: string, problems: readonly YamlProblem[]): Failure =>
  new Failure("VALIDATION_FAILED", {
    ...problemsText(slug, problems),
    hint: {
      en: `Fix the file, then run \`bloom agent check ${slug}\`.`,
      uk: `Виправте файл; \`bloom agent check ${slug}\` перевірить його знову.`,
    },
    details: { file: contractKey(slug), problems },
  });

export const problemsText = (slug: string, problems: readonly YamlProblem[]): Text =>
  joined(
    problems.map((problem) => problemText(contractKey(slug), problem)),
    "\n",
  );

function otherFolder(text: string, found: string, folder: string): YamlProblem {
  const line = text.split("\n").findIndex((each) => /^slug[ \t]*:/.test(each)) + 1;
  return {
    line: Math.max(1, line),
    field: "slug",
    found: { en: `found ${JSON.stringify(found)}`, uk: `знайдено ${JSON.stringify(found)}` },
    expected: {
      en: `${JSON.stringify(folder)}, as its folder is called`,
      uk: `${JSON.stringify(folder)}, як зветься тека`,
    },
  };
}
