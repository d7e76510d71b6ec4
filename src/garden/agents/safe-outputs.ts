import { crashPoint } from "../../base/crash-point.ts";
import { Failure } from "../../base/failure.ts";
import { readContract } from "../../domain/contract/contract.ts";
import { contractFile, withFrontValues } from "../../domain/contract/contract-file.ts";
import { withListItem } from "../../domain/contract/contract-list.ts";
import { type Identity, identityName } from "../../domain/identity.ts";
import { contractKey } from "../../domain/layout.ts";
import type { Action } from "../../domain/proposal/action.ts";
import { recordAudit } from "../core/audit.ts";
import type { Garden } from "../core/garden.ts";
import { brokenContract, readAgent } from "../records/agents/read-agent.ts";
import { refreshRegistry } from "../records/agents/registry.ts";
import { secondsOf, swapContract } from "./lifecycle/change-status.ts";

export interface OutputWish {
  readonly slug: string;
  readonly action: Action;
  readonly allowed: boolean;
  readonly by: Identity;
  readonly reason?: string | undefined;
}

const MAX_ATTEMPTS = 50;

/**
 * The owner's word about one thing that an agent may ask for: a line of `safe_outputs` in its contract, which the gate goes by with
 * the agent's next proposal, runs under way included (P-3). An optimizer that may not ask for `logic-update` observes (Z-2).
 */
export async function changeSafeOutput(
  garden: Garden,
  { slug, action, allowed, by, reason }: OutputWish,
): Promise<{ readonly slug: string; readonly safe_outputs: readonly Action[]; readonly changed: boolean }> {
  if (by.type !== "owner") throw onlyOwner(by);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { contract, text, hash } = await readAgent(garden.store, slug);
    if (contract.safe_outputs.includes(action) === allowed)
      return { slug, safe_outputs: contract.safe_outputs, changed: false };
    const at = secondsOf(garden.world.now());
    const listed = withListItem(contractFile(text)!, "safe_outputs", action, allowed);
    const next = listed && withFrontValues(listed, { updated_at: at });
    if (!next) throw notInPlace(slug);
    const bytes = Buffer.from(next.text);
    const reading = readContract(bytes);
    if (reading.kind === "problems") throw brokenContract(slug, reading.problems);
    const swapped = await swapContract(garden.store, slug, hash, bytes);
    if (swapped === undefined) continue; // somebody else changed the file: it is read again
    crashPoint("agent.outputs.swapped");
    await recordAudit(garden, `${slug}-outputs-${swapped.slice(0, 8)}`, {
      kind: "agent-outputs",
      at,
      by: identityName(by),
      subject: slug,
      ...(reason !== undefined && { why: reason }),
      details: { action, allowed, hash: swapped },
    });
    await refreshRegistry(garden);
    return { slug, safe_outputs: reading.contract.safe_outputs, changed: true };
  }
  throw new Failure("CONCURRENT_MODIFICATION", {
    en: `${contractKey(slug)} is being changed by somebody else all the time`,
    uk: `${contractKey(slug)} весь час змінює хтось інший`,
  });
}

const onlyOwner = (by: Identity): Failure =>
  new Failure(
    "FORBIDDEN",
    { en: "only the owner says what an agent may ask for", uk: "лише власник каже, про що агент може просити" },
    { details: { by: identityName(by) } },
  );

const notInPlace = (slug: string): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: `safe_outputs of ${contractKey(slug)} cannot be changed without changing something else`,
      uk: `safe_outputs у ${contractKey(slug)} не можна змінити, не змінивши чогось іще`,
    },
    {
      hint: {
        en: "Write `safe_outputs` as a list of its own, without anchors, and `updated_at` on a line of its own.",
        uk: "Запишіть `safe_outputs` окремим списком, без якорів, а `updated_at` — окремим рядком.",
      },
      details: { agent: slug },
    },
  );
