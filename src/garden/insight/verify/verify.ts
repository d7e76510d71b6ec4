import type { FoundGarden } from "../../core/garden.ts";
import { contractsCheck, deletionCheck, driftCheck, registryCheck } from "./agent-checks.ts";
import type { Check, VerifyFinding } from "./check.ts";
import { annotationsCheck, bookkeepingCheck, commitsCheck } from "./commit-checks.ts";
import { configCheck, foldersCheck, machineFolderCheck } from "./layout-checks.ts";
import { currentCheck, projectionCheck, reportsCheck, versionsCheck } from "./logic-checks.ts";
import { memoryLimitsCheck, memoryMetaCheck, memoryReportsCheck } from "./memory-checks.ts";
import {
  claimsCheck,
  proposalRecordsCheck,
  proposalResultsCheck,
  proposalViewsCheck,
  storeChangesCheck,
} from "./proposal-checks.ts";
import { repositoryCheck } from "./repository-check.ts";
import { runEndsCheck, runRecordsCheck, runStatusCheck } from "./run-checks.ts";
import { scanGarden } from "./scan.ts";
import { statisticsCheck } from "./statistics-check.ts";
import { keysCheck, objectsCheck, storeOpensCheck } from "./store-checks.ts";

/** All checks, in the order of the report. */
export const checks: readonly Check[] = [
  configCheck,
  machineFolderCheck,
  foldersCheck,
  repositoryCheck,
  storeOpensCheck,
  keysCheck,
  objectsCheck,
  contractsCheck,
  registryCheck,
  driftCheck,
  versionsCheck,
  currentCheck,
  projectionCheck,
  reportsCheck,
  memoryLimitsCheck,
  memoryMetaCheck,
  memoryReportsCheck,
  deletionCheck,
  commitsCheck,
  bookkeepingCheck,
  annotationsCheck,
  proposalRecordsCheck,
  proposalResultsCheck,
  proposalViewsCheck,
  claimsCheck,
  storeChangesCheck,
  runRecordsCheck,
  runEndsCheck,
  runStatusCheck,
  statisticsCheck,
];

/** Verifies a garden offline, from its files alone. A healthy garden has no finding; each kind of damage has exactly one (SPEC §14). */
export async function verifyGarden(
  garden: FoundGarden,
  progress: (check: Check) => void = () => undefined,
  list: readonly Check[] = checks,
): Promise<VerifyFinding[]> {
  const findings: VerifyFinding[] = [];
  const scan = scanGarden(garden);
  for (const check of list) {
    progress(check);
    for await (const found of check.run(garden, scan)) findings.push({ ...found, check: check.id, rule: check.rule });
  }
  return findings;
}
