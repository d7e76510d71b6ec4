import type { AnnouncementRefusal } from "../../../domain/federation/refusals.ts";
import type { Oid } from "../../../domain/git/git-names.ts";

/** The reasons why a bundle is not vouched for. The script `audit-check.js` gives the same ones. */
export type AuditProblem =
  | "names-no-proposal"
  | "names-several-proposals"
  | "not-by-the-gateway"
  | "no-record"
  | "broken-record"
  | "other-digest"
  | "not-approved"
  | "other-decision"
  | "approved-by-its-proposer"
  | "not-its-commit"
  | "false-trailers"
  | "no-run"
  | "other-journal"
  | "other-pins"
  | "other-ref"
  | "other-key"
  | "other-signers"
  | "malformed-grant"
  | "lost-grant"
  | "malformed-peer"
  | "other-keys"
  | "not-announced"
  | AnnouncementRefusal;

export interface AuditFinding {
  /** The ref or file that it is about; null for a commit of the range. */
  readonly where: string | null;
  readonly commit: Oid | null;
  readonly proposal: string | null;
  readonly problem: AuditProblem;
}

export interface AuditReport {
  readonly garden: string;
  readonly from: Oid | null;
  readonly to: Oid;
  readonly commits: number;
  /** Commits by what stands behind them. */
  readonly counts: {
    readonly decided: number;
    readonly bookkeeping: number;
    readonly session: number;
    readonly by_hand: number;
  };
  /** The fingerprint of the key that signed the bundle; null if nobody did. */
  readonly signed_by: string | null;
  /** This garden's own announcements, the gardens that it follows, and the changes of what it grants to them. */
  readonly announcements: number;
  readonly peers: number;
  readonly grants: number;
  readonly findings: readonly AuditFinding[];
}

export const findingAt = (where: string, problem: AuditProblem, commit: Oid | null = null): AuditFinding => ({
  where,
  commit,
  proposal: null,
  problem,
});
