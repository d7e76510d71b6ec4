import { blobId } from "../../base/canonical.ts";
import { crashPoint } from "../../base/crash-point.ts";
import { Failure } from "../../base/failure.ts";
import type { Contract } from "../../domain/contract/contract.ts";
import { readContract } from "../../domain/contract/contract.ts";
import { contractFile, withFrontValues } from "../../domain/contract/contract-file.ts";
import { statusOfText } from "../../domain/contract/status-line.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { type Identity, identityName } from "../../domain/identity.ts";
import { contractKey } from "../../domain/layout.ts";
import type { Hash } from "../../ports/store.ts";
import { onlyOwner } from "../core/access/only-owner.ts";
import { recordAudit } from "../core/audit.ts";
import type { Garden } from "../core/garden.ts";
import { writeAgentFile } from "../records/agents/agent-changes.ts";
import { commitAgentFiles, commitHandEdits } from "../records/agents/commit-agent-files.ts";
import { brokenContract, noAgent } from "../records/agents/read-agent.ts";
import { refreshRegistry } from "../records/agents/registry.ts";
import { contractChanged, statusNotByEdit } from "./failures.ts";
import { secondsOf } from "./lifecycle/change-status.ts";

export interface ContractEdit {
  readonly slug: string;
  /** The whole new file. */
  readonly text: string;
  /** The hash of the file that was edited: another one is a conflict. */
  readonly base: Hash;
  readonly by: Identity;
  readonly reason?: string | undefined;
}

export interface ContractEdited {
  readonly slug: string;
  readonly hash: Hash;
  readonly contract: Contract;
  /** False if the text is the present one. */
  readonly changed: boolean;
  /** Absent if nothing changed, or git is busy: then it is made later. */
  readonly commit?: Oid;
}

/**
 * Replaces a contract by a checked text (C-3, C-9) in a commit of the owner (G-1a). Throws VALIDATION_FAILED with all problems by
 * line, and CONCURRENT_MODIFICATION if the file is not the one that was edited. The status is not part of an edit: it has its own
 * transitions (C-6).
 */
export async function editContract(garden: Garden, edit: ContractEdit): Promise<ContractEdited> {
  const { slug, base, by, reason } = edit;
  if (by.type !== "owner") throw onlyOwner(by, { en: "edit a contract", uk: "змінити контракт" }, { agent: slug });
  const key = contractKey(slug);
  const stored = await garden.store.get(key);
  if (!stored) throw noAgent(slug);
  const checked = checkedEdit(slug, edit.text, Buffer.from(stored.bytes).toString());
  if (Buffer.from(edit.text).equals(stored.bytes))
    return { slug, hash: stored.hash, contract: checked.contract, changed: false };
  if (stored.hash !== base) throw contractChanged(slug, stored.hash);
  const at = secondsOf(garden.world.now());
  const bytes = Buffer.from(withFrontValues(contractFile(checked.text)!, { updated_at: at })?.text ?? checked.text);
  await commitHandEdits(garden, slug);
  const change = { slug, what: "edit contract", by: identityName(by), at, why: reason };
  if (!(await writeAgentFile(garden, change, { key, expected: base, bytes })))
    throw contractChanged(slug, (await garden.store.get(key))?.hash);
  crashPoint("agent.edit.swapped");
  const hash = blobId(bytes);
  await recordAudit(garden, `${slug}-edited-${hash.slice(0, 8)}`, {
    kind: "agent-edited",
    at,
    by: identityName(by),
    subject: slug,
    ...(reason !== undefined && { why: reason }),
    details: { before: base, hash },
  });
  await refreshRegistry(garden);
  const commit = await commitAgentFiles(garden, slug);
  return { slug, hash, contract: checked.contract, changed: true, ...(commit !== undefined && { commit }) };
}

/** The new text and its contract. Throws VALIDATION_FAILED with every problem. */
export function checkedEdit(slug: string, text: string, before: string): { text: string; contract: Contract } {
  const reading = readContract(Buffer.from(text));
  if (reading.kind === "problems") throw brokenContract(slug, reading.problems);
  if (reading.contract.slug !== slug)
    throw new Failure("VALIDATION_FAILED", {
      en: `slug: found ${reading.contract.slug}; the slug of an agent cannot be changed`,
      uk: `slug: знайдено ${reading.contract.slug}; slug агента не змінюється`,
      hint: { en: `Write \`slug: ${slug}\`.`, uk: `Напишіть \`slug: ${slug}\`.` },
      details: { agent: slug, found: reading.contract.slug },
    });
  const was = statusOfText(before);
  if (was !== undefined && was !== reading.contract.status) throw statusNotByEdit(slug, was, reading.contract.status);
  return { text: reading.text, contract: reading.contract };
}
