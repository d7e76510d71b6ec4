import { peerSessionText } from "../../../domain/federation/peer-origin.ts";
import { GATEWAY } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { Trailer } from "../../../domain/git/trailers.ts";
import { type Operation, originsOf } from "../../../domain/proposal/operation.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { CommitDraft, Signature } from "../../../ports/repo.ts";
import type { ReadyEffect } from "../effect/effect.ts";

const MAX_SUBJECT = 200;

/**
 * The commit of a proposal on a parent (P-8). Derived from the record alone, without a clock: every process that builds it gets the
 * same id, so landing is idempotent.
 */
export function commitOf(proposal: Proposal, ready: ReadyEffect, parent: Oid): CommitDraft {
  const decided = proposal.approval?.decided_at ?? proposal.created_at;
  return {
    parents: [parent, ...(ready.merges === undefined ? [] : [ready.merges])],
    edits: ready.edits,
    author: authorOf(proposal),
    committer: { ...GATEWAY, at: Date.parse(decided) },
    message: oneLine(ready.subject ?? `[${proposal.source.identity}] ${summaryOf(proposal)}`, MAX_SUBJECT),
    trailers: [...trailersFor(proposal), ...originTrailers(proposal.operation)],
  };
}

/** `Agent`, `Run` and `Logic` are present only for an agent's proposal. */
export function trailersFor(proposal: Pick<Proposal, "id" | "approval" | "source" | "agent">): Trailer[] {
  const { id, approval, source, agent } = proposal;
  const trailers: Trailer[] = [
    ["Proposal", id],
    ["Approved-by", oneLine(approval?.decided_by ?? "", MAX_SUBJECT)],
  ];
  if (source.type !== "agent" || !agent) return trailers;
  trailers.push(["Agent", oneLine(`${agent.slug} v${agent.version.replace(/^v/, "")}`, MAX_SUBJECT)]);
  if (source.run_id !== undefined) trailers.push(["Run", oneLine(source.run_id, MAX_SUBJECT)]);
  if (agent.logic !== undefined) trailers.push(["Logic", oneLine(agent.logic, MAX_SUBJECT)]);
  return trailers;
}

/** S-10: the other gardens whose work the commit brings, each with the announcement that named it. */
function originTrailers(operation: Operation): readonly Trailer[] {
  const told = originsOf(operation).map(
    (origin) =>
      `${peerSessionText(origin)} ${origin.head} ${oneLine(origin.space, MAX_SUBJECT)} ${origin.seq} ${origin.announcement}`,
  );
  return told.length === 0 ? [] : [["Origin", told.join(", ")]];
}

function authorOf({ source, created_at }: Proposal): Signature {
  const at = Date.parse(created_at);
  const name = oneLine(source.identity, 100);
  if (source.type === "agent") return { name, email: `${name}@agents.garden.invalid`, at };
  const mailbox = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return { name, email: `${mailbox || source.type}@garden.invalid`, at };
}

/** The proposer's summary, or else the action and its target. */
const summaryOf = ({ summary, action, target }: Proposal): string =>
  oneLine(summary, MAX_SUBJECT) || `${action} ${target}`;

/** Text of a proposer on one line: a line break could forge a trailer, invisible characters could reverse the line. */
function oneLine(text: string, limit: number): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length <= limit
    ? line
    : `${line
        .slice(0, limit - 1)
        .toWellFormed()
        .replace(/\ufffd$/, "")}…`;
}
