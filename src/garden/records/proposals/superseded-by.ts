import { parseId } from "../../../base/ids.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Store } from "../../../ports/store.ts";
import { findReadable } from "./proposal-log.ts";

/**
 * The id of the proposal that replaced this one (`editAndApprove`). Rejections recorded before the field existed say it in the
 * note, `edited: prop_…`; the note counts only if that proposal exists and edits this one, because people write notes too.
 */
export async function supersededBy(store: Store, proposal: Proposal): Promise<string | undefined> {
  const { approval } = proposal;
  if (approval?.superseded_by !== undefined) return approval.superseded_by;
  const noted =
    approval?.decision === "rejected" ? /^edited: (.+)$/.exec(approval.decision_note ?? "")?.[1] : undefined;
  if (noted === undefined || parseId(noted)?.prefix !== "prop") return undefined;
  return (await findReadable(store, noted))?.edits === proposal.id ? noted : undefined;
}
