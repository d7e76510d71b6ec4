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

export interface VerifyFinding extends CheckFinding {
  readonly check: string;
  readonly rule: string;
}
