import type { VerifyFinding } from "./check.ts";

/** Repairs the findings that are about views, and returns those. Safe beside processes at work: each repair reads the records again. */
export async function repairFindings(findings: readonly VerifyFinding[]): Promise<VerifyFinding[]> {
  const repairable = findings.filter(({ repair }) => repair);
  for (const { repair } of repairable) await repair?.();
  return repairable;
}
