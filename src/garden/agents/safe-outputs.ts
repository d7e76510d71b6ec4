import { blobId } from "../../base/canonical.ts";
import { crashPoint } from "../../base/crash-point.ts";
import { readContract } from "../../domain/contract/contract.ts";
import { contractFile, withFrontValues } from "../../domain/contract/contract-file.ts";
import { withListItem } from "../../domain/contract/contract-list.ts";
import { type Identity, identityName } from "../../domain/identity.ts";
import { contractKey } from "../../domain/layout.ts";
import type { Action } from "../../domain/proposal/action.ts";
import { onlyOwner } from "../core/access/only-owner.ts";
import { recordAudit } from "../core/audit.ts";
import type { Garden } from "../core/garden.ts";
import { writeAgentFile } from "../records/agents/agent-changes.ts";
import { commitAgentFiles, commitHandEdits } from "../records/agents/commit-agent-files.ts";
import { brokenContract, readAgent } from "../records/agents/read-agent.ts";
import { refreshRegistry } from "../records/agents/registry.ts";
import { contractContended, outputsNotEditable } from "./failures.ts";
import { secondsOf } from "./lifecycle/change-status.ts";

export interface SafeOutputChange {
  readonly slug: string;
  readonly action: Action;
  readonly allowed: boolean;
  readonly by: Identity;
  readonly reason?: string | undefined;
}

const MAX_ATTEMPTS = 50;

/**
 * Allows or forbids one action: edits `safe_outputs` in the contract. The gate applies it to the next proposal, also of open runs (P-3).
 * An optimizer without `logic-update` only observes (Z-2). Idempotent; only the owner may call it.
 */
export async function changeSafeOutput(
  garden: Garden,
  { slug, action, allowed, by, reason }: SafeOutputChange,
): Promise<{ readonly slug: string; readonly safe_outputs: readonly Action[]; readonly changed: boolean }> {
  if (by.type !== "owner")
    throw onlyOwner(by, { en: "change what an agent may propose", uk: "казати, про що агент може просити" });
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { contract, text, hash } = await readAgent(garden.store, slug);
    if (contract.safe_outputs.includes(action) === allowed)
      return { slug, safe_outputs: contract.safe_outputs, changed: false };
    const at = secondsOf(garden.world.now());
    const listed = withListItem(contractFile(text)!, "safe_outputs", action, allowed);
    const next = listed && withFrontValues(listed, { updated_at: at });
    if (!next) throw outputsNotEditable(slug);
    const bytes = Buffer.from(next.text);
    const reading = readContract(bytes);
    if (reading.kind === "problems") throw brokenContract(slug, reading.problems);
    await commitHandEdits(garden, slug);
    const what = `${allowed ? "allow" : "forbid"} ${action}`;
    const change = { slug, what, by: identityName(by), at, why: reason };
    if (!(await writeAgentFile(garden, change, { key: contractKey(slug), expected: hash, bytes }))) continue; // changed concurrently
    crashPoint("agent.outputs.swapped");
    const swapped = blobId(bytes);
    await recordAudit(garden, `${slug}-outputs-${swapped.slice(0, 8)}`, {
      kind: "agent-outputs",
      at,
      by: identityName(by),
      subject: slug,
      ...(reason !== undefined && { why: reason }),
      details: { action, allowed, hash: swapped },
    });
    await refreshRegistry(garden);
    await commitAgentFiles(garden, slug);
    return { slug, safe_outputs: reading.contract.safe_outputs, changed: true };
  }
  throw contractContended(slug);
}
