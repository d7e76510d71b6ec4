import { joined, type Text, verbatim } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import type { Proposal } from "../../domain/proposal/proposal.ts";
import { reviewProposal } from "../../garden/changes/effect/review.ts";
import type { Received } from "../../garden/changes/inbox/receive.ts";
import { decide } from "../../garden/changes/proposals/decide.ts";
import type { Garden } from "../../garden/core/garden.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { printable } from "../printable.ts";
import { waitingLine } from "./decide-proposals.ts";
import { fileLines } from "./print-proposal.ts";

/**
 * Approves the owner's own proposal by the digest of the effect shown here, and applies it. It is recorded like any other
 * proposal (P-1).
 */
export async function approveOwnChange(
  context: CommandContext,
  garden: Garden,
  received: Received,
  note?: string,
): Promise<CommandReport> {
  if (received.kind === "refused") throw received.failure;
  const { proposal } = received;
  if (proposal.status !== "pending") return resultReport(context, proposal, verbatim(""));
  const shown = await effectOf(context, garden, proposal);
  const { id } = proposal;
  const decided = await decide(garden, {
    proposal: id,
    verdict: "approve",
    digest: shown.digest,
    by: commandLineOwner,
    note,
  });
  return resultReport(context, decided, shown.text);
}

/** Reports a proposal that stays pending, with its effect. */
export async function reportPending(
  context: CommandContext,
  garden: Garden,
  received: Received,
): Promise<CommandReport> {
  if (received.kind === "refused") throw received.failure;
  const { proposal } = received;
  const shown = await effectOf(context, garden, proposal);
  return resultReport(context, proposal, shown.text);
}

async function effectOf(
  context: CommandContext,
  garden: Garden,
  proposal: Proposal,
): Promise<{ text: Text; digest: string }> {
  const { files, digest } = await reviewProposal(garden, proposal);
  const lines = files.flatMap((file) => fileLines(file, context.style)).join("\n");
  return { text: verbatim(`${lines}\n${context.style.dim(`digest ${digest}`)}`), digest };
}

function resultReport({ style }: CommandContext, proposal: Proposal, shown: Text): CommandReport {
  const { id, status, target, apply_result: result, waiting } = proposal;
  const place = result?.git_commit?.slice(0, 10) ?? result?.object_path;
  const error = result?.error?.message;
  const what: Text = waiting
    ? waitingLine(id, waiting)
    : {
        en: status === "pending" ? `${id} is pending: bloom proposals approve ${id}` : `${id} is ${status}`,
        uk: status === "pending" ? `${id} чекає: bloom proposals approve ${id}` : `${id}: ${status}`,
      };
  const tail = { en: error ? `: ${printable(error.en)}` : "", uk: error ? `: ${printable(error.uk)}` : "" };
  const line = joined([verbatim(style.bold(printable(target))), what], "  ");
  const where = place === undefined ? "" : ` (${place})`;
  const last = { en: `${line.en}${where}${tail.en}`, uk: `${line.uk}${where}${tail.uk}` };
  return {
    text: shown.en === "" ? last : joined([shown, last], "\n"),
    json: { proposal },
    ...(status === "failed" && { exit: 5 }),
  };
}
