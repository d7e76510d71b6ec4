import type { Text } from "../../../base/text.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { MAIN_REF } from "../../../domain/layout.ts";
import type { Repo } from "../../../ports/repo.ts";
import type { FoundGarden } from "../../core/garden.ts";
import type { GardenScan } from "./scan.ts";

/** Detects one kind of damage. New checks are added to the list in verify.ts. */
export interface Check {
  readonly id: string;
  /** The rule that it verifies. */
  readonly rule: string;
  readonly title: Text;
  /**
   * Reads only. Skips a part that could not be opened, unless the check is about just that. `scan` caches what several checks read.
   */
  run(garden: FoundGarden, scan: GardenScan): AsyncIterable<CheckFinding>;
}

export interface CheckFinding {
  /** A path of the garden, a key of the store (`store:…`), a ref, or an object id. */
  readonly where: string;
  readonly what: Text;
  /** Names of what is damaged (`subjects`): later findings that follow from that damage are listed below this one. */
  readonly damages?: readonly string[];
  /** Names of what would explain this finding if all of it is damaged. */
  readonly follows?: readonly string[];
  /**
   * Rebuilds a view from the records, never a record. Reads both again right before the change, so that it is safe beside
   * processes at work.
   */
  readonly repair?: () => Promise<void>;
}

/** The repository and the head of main; undefined if either cannot be read, which repositoryCheck reports. */
export async function mainOf({
  repo,
}: Pick<FoundGarden, "repo">): Promise<{ readonly repo: Repo; readonly head: Oid } | undefined> {
  if (repo.kind === "failed") return undefined;
  const head = await repo.value.resolve(MAIN_REF).catch(() => undefined);
  return head === undefined ? undefined : { repo: repo.value, head };
}

/** Names for the things that a finding is about. */
export const subjects = {
  proposal: (id: string): string => `proposal ${id}`,
  run: (run: string): string => `run ${run}`,
  contract: (slug: string): string => `contract ${slug}`,
  drawing: (slug: string): string => `drawing ${slug}`,
  object: (key: string): string => `object ${key}`,
  history: "history of main",
} as const;

/** For findings about the same thing, of which the first is the cause of the others. */
export const allAbout = (subject: string): Pick<CheckFinding, "damages" | "follows"> => ({
  damages: [subject],
  follows: [subject],
});

export interface CheckedFinding extends CheckFinding {
  readonly check: string;
  readonly rule: string;
}

export interface VerifyFinding extends CheckedFinding {
  /** Findings that follow from this one: they vanish when it is repaired. */
  readonly consequences: readonly CheckedFinding[];
}

/** One finding for each damage: those that earlier ones explain are listed below the first of these. */
export function causesOf(found: readonly CheckedFinding[]): VerifyFinding[] {
  const causes: (CheckedFinding & { readonly consequences: CheckedFinding[] })[] = [];
  const damaged = new Map<string, (typeof causes)[number]>();
  for (const finding of found) {
    const { damages = [], follows = [] } = finding;
    const cause = follows.every((name) => damaged.has(name)) ? damaged.get(follows[0] ?? "") : undefined;
    const own = cause ?? { ...finding, consequences: [] };
    if (cause) cause.consequences.push(finding);
    else causes.push(own);
    for (const name of damages) if (!damaged.has(name)) damaged.set(name, own);
  }
  return causes;
}
