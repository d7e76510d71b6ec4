import { joined, type Text, verbatim } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import type { Proposal } from "../../domain/proposal/proposal.ts";
import { reviewProposal } from "../../garden/changes/effect/review.ts";
import type { Received } from "../../garden/changes/inbox/receive.ts";
import { decide } from "../../garden/changes/proposals/decide.ts";
import type { Garden } from "../../garden/core/garden.ts";
import type { Context, Report } from "../command.ts";
import { printable } from "../printable.ts";
import { fileLines } from "../proposals/tell-proposal.ts";

/**
 * The owner's own change in one step: proposed, shown with its digest, approved by exactly that digest, applied. It is on
 * record like everybody else's (P-1).
 */
export async function carriedOut(context: Context, garden: Garden, received: Received, note?: string): Promise<Report> {
  if (received.kind === "refused") throw received.failure;
  const { proposal } = received;
  if (proposal.status !== "pending") return told(context, proposal, verbatim(""));
  const shown = await showing(context, garden, proposal);
  const { id } = proposal;
  const decided = await decide(garden, {
    proposal: id,
    verdict: "approve",
    digest: shown.digest,
    by: commandLineOwner,
    note,
  });
  return told(context, decided, shown.text);
}

/** Proposed and left to wait, with what it would do. */
export async function waiting(context: Context, garden: Garden, received: Received): Promise<Report> {
  if (received.kind === "refused") throw received.failure;
  const { proposal } = received;
  const shown = await showing(context, garden, proposal);
  return told(context, proposal, shown.text);
}

async function showing(context: Context, garden: Garden, proposal: Proposal): Promise<{ text: Text; digest: string }> {
  const { files, digest } = await reviewProposal(garden, proposal);
  const lines = files.flatMap((file) => fileLines(file, context.style)).join("\n");
  return { text: verbatim(`${lines}\n${context.style.dim(`digest ${digest}`)}`), digest };
}

function told({ style }: Context, proposal: Proposal, shown: Text): Report {
  const { id, status, target, apply_result: result } = proposal;
  const place = result?.git_commit?.slice(0, 10) ?? result?.object_path;
  const error = result?.error?.message;
  const what: Text = {
    en: status === "pending" ? `${id} waits: bloom proposals approve ${id}` : `${id} is ${status}`,
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
