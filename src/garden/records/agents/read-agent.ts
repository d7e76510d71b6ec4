import { Failure } from "../../../base/failure.ts";
import { joined, type Text } from "../../../base/text.ts";
import type { Contract } from "../../../domain/contract/contract.ts";
import { contractHash } from "../../../domain/contract/contract-file.ts";
import { isSlug } from "../../../domain/contract/slug.ts";
import { contractKey } from "../../../domain/layout.ts";
import { type Problem, problemText } from "../../../domain/text/checked-yaml.ts";
import type { Hash, Store } from "../../../ports/store.ts";
import { knownContract } from "./known-contracts.ts";

/** An agent is its file, read each time anew (C-1, C-9). */
export interface Agent {
  readonly slug: string;
  readonly contract: Contract;
  /** The instructions: everything behind the front matter. */
  readonly body: string;
  /** The whole file. */
  readonly text: string;
  /** Of the bytes in the store: what a swap must name. */
  readonly hash: Hash;
  /** Of what the agent is told and may do; a change of status leaves it as it is (C-7). */
  readonly contractHash: string;
}

export type AgentSight =
  | { readonly kind: "absent" }
  | { readonly kind: "agent"; readonly agent: Agent }
  /** There is a file, and this is what is wrong with it. */
  | { readonly kind: "broken"; readonly bytes: Uint8Array; readonly hash: Hash; readonly problems: readonly Problem[] };

/** What stands there, whatever it is. */
export async function lookAtAgent(store: Store, slug: string): Promise<AgentSight> {
  const stored = isSlug(slug) ? await store.get(contractKey(slug)) : undefined;
  if (!stored) return { kind: "absent" };
  const { bytes, hash } = stored;
  const reading = knownContract(bytes, hash);
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
      return contractHash(text); // it reads the front matter once more, and few ask for it
    },
  };
  return { kind: "agent", agent };
}

/** Undefined if there is no such agent. A contract that does not hold is a failure with all its problems. */
export async function findAgent(store: Store, slug: string): Promise<Agent | undefined> {
  const sight = await lookAtAgent(store, slug);
  if (sight.kind === "broken") throw brokenContract(slug, sight.problems);
  return sight.kind === "agent" ? sight.agent : undefined;
}

export async function readAgent(store: Store, slug: string): Promise<Agent> {
  const agent = await findAgent(store, slug);
  if (!agent) throw noAgent(slug);
  return agent;
}

export const noAgent = (slug: string): Failure =>
  new Failure(
    "NOT_FOUND",
    { en: `there is no agent ${slug}`, uk: `немає агента ${slug}` },
    {
      hint: { en: "`bloom agent list` shows those there are.", uk: "Які є, покаже `bloom agent list`." },
      details: { agent: slug },
    },
  );

export const brokenContract = (slug: string, problems: readonly Problem[]): Failure =>
  new Failure("VALIDATION_FAILED", problemsText(slug, problems), {
    hint: {
      en: `Mend the file; \`bloom agent check ${slug}\` looks at it again.`,
      uk: `Виправте файл; \`bloom agent check ${slug}\` перевірить його знову.`,
    },
    details: { file: contractKey(slug), problems },
  });

export const problemsText = (slug: string, problems: readonly Problem[]): Text =>
  joined(
    problems.map((problem) => problemText(contractKey(slug), problem)),
    "\n",
  );

function otherFolder(text: string, found: string, folder: string): Problem {
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
