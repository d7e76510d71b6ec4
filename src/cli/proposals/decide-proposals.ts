import { Failure, failureTable } from "../../base/failure.ts";
import { joined, type Text } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import type { Proposal } from "../../domain/proposal/proposal.ts";
import { reviewProposal } from "../../garden/changes/effect/review.ts";
import { decide, decideBatch, retryApply } from "../../garden/changes/proposals/decide.ts";
import { editAndApprove } from "../../garden/changes/proposals/edit-and-approve.ts";
import { resolveProposalId } from "../../garden/changes/proposals/list-proposals.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { ensureLogicReport } from "../../garden/insight/learning/logic-report.ts";
import { readProposal } from "../../garden/records/proposals/proposal-log.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { usageError } from "../failures.ts";
import { textOption } from "../options.ts";
import { printable } from "../printable.ts";
import type { Subcommand } from "../subcommands.ts";
import { choosesFiles, chosenOfMerge } from "./chosen-of-merge.ts";
import { editedPayload } from "./edited-payload.ts";
import { proposalText } from "./print-proposal.ts";
import { logicReportText } from "./print-report.ts";

const by = commandLineOwner;

export async function decideProposals(
  context: CommandContext,
  garden: Garden,
  ids: readonly string[],
  verdict: "approve" | "reject",
): Promise<CommandReport> {
  const note = textOption(context, "reason");
  const named = await Promise.all(ids.map((id) => resolveProposalId(garden, id)));
  if (named.length === 1) {
    const id = named[0]!;
    const digest = await confirmDigest(context, garden, id, verdict);
    const review = choosesFiles(context) && (await reviewProposal(garden, await readProposal(garden.store, id)));
    const files = review ? chosenOfMerge(context, review) : undefined;
    return decisionReport([await decide(garden, { proposal: id, verdict, digest, by, note, files })]);
  }
  if (choosesFiles(context))
    throw usageError(
      { en: "--only and --except work with one proposal only", uk: "--only і --except стосуються однієї пропозиції" },
      { en: "Approve the merge alone.", uk: "Схваліть злиття окремо." },
    );
  if (textOption(context, "digest") !== undefined)
    throw usageError(
      { en: "--digest works with one proposal only", uk: "--digest стосується однієї пропозиції" },
      { en: "Decide them one by one, or omit --digest.", uk: "Вирішуйте по одній або не вказуйте його." },
    );
  const proposals: { id: string; digest: string }[] = [];
  for (const id of named) proposals.push({ id, digest: await confirmDigest(context, garden, id, verdict) });
  const answers = await decideBatch(garden, { proposals, verdict, by, note });
  const failed = answers.flatMap(({ failure }) => failure ?? []);
  const report = decisionReport(answers.flatMap(({ proposal }) => proposal ?? []));
  return {
    text: joined([...(report.text.en === "" ? [] : [report.text]), ...failed.map(({ text }) => text)], "\n"),
    json: {
      results: answers.map(({ id, proposal, failure }) => ({
        id,
        ...(proposal && { proposal }),
        ...(failure && { error: { code: failure.code, message: failure.text, details: failure.details } }),
      })),
    },
    exit: failed[0] ? failureTable[failed[0].code].exit : (report.exit ?? 0),
  };
}

export const editProposal: Subcommand["run"] = async (context, garden, [written, file]) => {
  const id = await resolveProposalId(garden, written!);
  const proposal = await readProposal(garden.store, id);
  const payload = await editedPayload(context, proposal.operation, file);
  const digest = await digestFromOption(context, garden, proposal);
  const note = textOption(context, "reason");
  const { first, edited } = await editAndApprove(garden, { proposal: id, digest, by, payload, note });
  const report = decisionReport([edited]);
  return {
    ...report,
    text: joined(
      [
        {
          en: `${first.id} is ${first.status}: superseded by ${edited.id}`,
          uk: `${first.id}: ${first.status}, замість неї ${edited.id}`,
        },
        report.text,
      ],
      "\n",
    ),
    json: { first, proposal: edited },
  };
};

export const retryOne = async (garden: Garden, written: string): Promise<CommandReport> =>
  decisionReport([await retryApply(garden, { proposal: await resolveProposalId(garden, written), by })]);

/**
 * The digest of the reviewed effect (P-10a): from `--digest`, of which a prefix is enough, or by showing the effect and asking.
 * With `--yes` the current effect is approved without asking.
 */
async function confirmDigest(
  context: CommandContext,
  garden: Garden,
  id: string,
  verdict: "approve" | "reject",
): Promise<string> {
  const proposal = await readProposal(garden.store, id);
  if (textOption(context, "digest") !== undefined) return digestFromOption(context, garden, proposal);
  const review = await reviewProposal(garden, proposal);
  if (verdict === "reject" || proposal.status !== "pending") return review.digest;
  if (context.options["yes"] !== true && !context.machine.ask) throw digestRequired(id, review.digest);
  const report = await ensureLogicReport(garden, proposal);
  if (report) context.say(logicReportText(report.report, context.style));
  context.say(proposalText(proposal, review, context.style, false));
  if (context.options["yes"] === true) return review.digest;
  const question: Text = { en: "\nApprove this? [y/N] ", uk: "\nСхвалити? [т/Н] " };
  const answer = await context.machine.ask!(question[context.language]);
  if (/^(y|yes|т|так)$/i.test(answer.trim())) return review.digest;
  throw new Failure("INVALID_TRANSITION", { en: "not decided", uk: "рішення не прийнято" });
}

async function digestFromOption(context: CommandContext, garden: Garden, proposal: Proposal): Promise<string> {
  const given = textOption(context, "digest");
  if (given !== undefined && !/^[0-9a-f]{8,40}$/.test(given))
    throw usageError(
      { en: `not a digest: ${given}`, uk: `це не digest: ${given}` },
      { en: "Use at least its first 8 digits.", uk: "Щонайменше перші 8 цифр." },
    );
  const { digest } = await reviewProposal(garden, proposal);
  if (given === undefined || digest.startsWith(given)) return digest;
  return given; // the effect has changed: `decide` refuses this digest
}

function decisionReport(proposals: readonly Proposal[]): CommandReport {
  const lines = proposals.map((proposal): Text => {
    const { id, status, apply_result: result, waiting } = proposal;
    if (waiting) return waitingLine(proposal.id, waiting);
    if (proposal.returned && status === "pending") return returnedLine(id, proposal.returned.why);
    const where = result?.git_commit?.slice(0, 10) ?? result?.object_path;
    const error = result?.error;
    const tail = where === undefined ? "" : ` (${where})`;
    const conflict = error ? printable(conflictLines(error.details)) : "";
    return {
      en: `${id} is ${status}${tail}${error ? `: ${printable(error.message.en)}${conflict}` : ""}`,
      uk: `${id}: ${status}${tail}${error ? `: ${printable(error.message.uk)}${conflict}` : ""}`,
    };
  });
  const failed = proposals.some(({ status }) => status === "failed");
  return {
    text: joined(lines, "\n"),
    json: proposals.length === 1 ? { proposal: proposals[0] } : { proposals },
    ...(failed && { exit: 5 }),
  };
}

/** A proposal that waits for a running git command. */
export const waitingLine = (id: string, why: Text): Text => ({
  en: `${id} is approved and not applied yet: ${why.en}`,
  uk: `${id} схвалено й ще не застосовано: ${why.uk}`,
});

/** P-10a: an approval that was not applied, because it would not do any more what was approved. */
const returnedLine = (id: string, why: Text): Text => ({
  en: `${id} is pending again: ${why.en}; review it with \`bloom proposals show ${id}\``,
  uk: `${id} знову чекає рішення: ${why.uk}; перегляньте її: \`bloom proposals show ${id}\``,
});

/** The conflicting lines that apply recorded. */
function conflictLines(details: Readonly<Record<string, unknown>>): string {
  const conflicts = Array.isArray(details["conflicts"]) ? (details["conflicts"] as Conflicting[]) : [];
  return conflicts
    .flatMap(({ path, hunks }) =>
      (hunks ?? []).map(
        ({ line, ours, theirs }) => `\n  ${path}:${line}\n${marked(ours, "-")}\n${marked(theirs, "+")}`,
      ),
    )
    .join("");
}

interface Conflicting {
  readonly path: string;
  readonly hunks?: readonly { readonly line: number; readonly ours: string; readonly theirs: string }[];
}

const marked = (text: string, mark: string): string =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `    ${mark} ${line}`)
    .join("\n");

const digestRequired = (id: string, digest: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "an approval needs the digest of the reviewed effect",
    uk: "рішення називає digest того, що переглянуто",
    hint: {
      en: `Review it with \`bloom proposals show ${id}\`, then add --digest ${digest.slice(0, 12)}; --yes approves the current effect.`,
      uk: `Перегляньте: \`bloom proposals show ${id}\`, потім додайте --digest ${digest.slice(0, 12)}; --yes вирішує про теперішній стан.`,
    },
    details: { proposal: id },
  });
