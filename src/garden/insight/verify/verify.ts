import { agentFilePath } from "../../../domain/layout.ts";
import { realPause } from "../../core/flow/pause.ts";
import type { FoundGarden } from "../../core/garden.ts";
import { contractsCheck, deletionCheck, driftCheck, registryCheck } from "./agent-checks.ts";
import { type Check, type CheckedFinding, causesOf, type VerifyFinding } from "./check.ts";
import { annotationsCheck, bookkeepingCheck, commitsCheck, contractCommitsCheck } from "./commit-checks.ts";
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
import { sessionsCheck } from "./sessions-check.ts";
import { statisticsCheck } from "./statistics-check.ts";
import { keysCheck, objectsCheck, storeOpensCheck } from "./store-checks.ts";
import { takenBackCheck } from "./taken-back-check.ts";

/** All checks, in the order of the report. */
export const checks: readonly Check[] = [
  configCheck,
  machineFolderCheck,
  foldersCheck,
  repositoryCheck,
  takenBackCheck,
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
  proposalRecordsCheck,
  commitsCheck,
  bookkeepingCheck,
  contractCommitsCheck,
  annotationsCheck,
  proposalResultsCheck,
  proposalViewsCheck,
  claimsCheck,
  storeChangesCheck,
  runRecordsCheck,
  runEndsCheck,
  runStatusCheck,
  statisticsCheck,
  sessionsCheck,
];

/** Pauses before further looks, if other processes use the garden: views follow the records within milliseconds. */
const FURTHER_LOOKS_MS = [100, 400, 1500];

/**
 * Verifies a garden from its files alone. A healthy garden has no finding; each kind of damage has exactly one (SPEC §14). A finding is
 * reported only if a second look has it too; beside processes at work, if three further looks have it.
 */
export async function verifyGarden(
  garden: FoundGarden,
  progress: (check: Check) => void = () => undefined,
  list: readonly Check[] = checks,
): Promise<VerifyFinding[]> {
  let findings = await lookOnce(garden, list, progress);
  const isShared = garden.store.kind === "open" && (await garden.store.value.health()).shared;
  for (const pauseMs of isShared ? FURTHER_LOOKS_MS : [0]) {
    if (findings.length === 0) break;
    if (pauseMs > 0) await realPause(pauseMs);
    const before = new Set(findings.map(findingId));
    const reporting = list.filter(({ id }) => findings.some(({ check }) => check === id));
    findings = (await lookOnce(garden, reporting, progress)).filter((finding) => before.has(findingId(finding)));
  }
  return causesOf(findings);
}

const findingId = ({ check, where, what }: CheckedFinding): string => JSON.stringify([check, where, what.en]);

/** The path in the work tree for the files of agents that people write (G-1a); other places as they are. */
function placeOf({ config }: FoundGarden, where: string): string {
  const root = config.kind === "value" ? config.value.agents_root : undefined;
  if (root === undefined || !where.startsWith("store:")) return where;
  return agentFilePath(root, where.slice("store:".length)) ?? where;
}

/** One look, which may report a change under way as damage. */
export async function lookOnce(
  garden: FoundGarden,
  list: readonly Check[],
  progress: (check: Check) => void = () => undefined,
): Promise<CheckedFinding[]> {
  const findings: CheckedFinding[] = [];
  const scan = scanGarden(garden);
  for (const check of list) {
    progress(check);
    for await (const found of check.run(garden, scan)) {
      const where = placeOf(garden, found.where);
      findings.push({ ...found, where, check: check.id, rule: check.rule });
    }
  }
  return findings;
}
