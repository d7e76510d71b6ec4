import type { CheckedFinding, VerifyFinding } from "./check.ts";

/** Repairs the findings that are about views, consequences included, and returns their places. Safe beside processes at work: each repair reads the records again. */
export async function repairFindings(
  findings: readonly (CheckedFinding & Partial<VerifyFinding>)[],
): Promise<string[]> {
  const repaired: string[] = [];
  for (const { where, repair } of findings.flatMap((finding) => [finding, ...(finding.consequences ?? [])])) {
    if (!repair) continue;
    await repair();
    repaired.push(where);
  }
  return repaired;
}
