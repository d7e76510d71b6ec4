import type { FoundGarden } from "../garden.ts";
import type { Check, Finding } from "./check.ts";
import { configCheck, foldersCheck, machineFolderCheck } from "./layout-checks.ts";
import { repositoryCheck } from "./repository-check.ts";
import { keysCheck, objectsCheck, storeOpensCheck } from "./store-checks.ts";

/** Every check there is, in the order in which a person wants to read what they found. */
export const checks: readonly Check[] = [
  configCheck,
  machineFolderCheck,
  foldersCheck,
  repositoryCheck,
  storeOpensCheck,
  keysCheck,
  objectsCheck,
];

/**
 * Checks a garden, offline, from its files alone. A healthy garden gives no finding; each kind of damage gives exactly
 * its own (SPEC §14).
 */
export async function verifyGarden(
  garden: FoundGarden,
  progress: (check: Check) => void = () => undefined,
  list: readonly Check[] = checks,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of list) {
    progress(check);
    for await (const found of check.run(garden)) findings.push({ ...found, check: check.id, rule: check.rule });
  }
  return findings;
}
