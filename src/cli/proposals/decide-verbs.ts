import { Failure, failureTable } from "../../base/failure.ts";
import { joined, type Text } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import type { Proposal } from "../../domain/proposal/proposal.ts";
import { reviewProposal } from "../../garden/changes/effect/review.ts";
import { decide, decideBatch, editAndApprove, retry } from "../../garden/changes/proposals/decide.ts";
import { resolveId } from "../../garden/changes/proposals/read.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { ensureLogicReport } from "../../garden/insight/learning/logic-report.ts";
import { readProposal } from "../../garden/records/proposals/proposal-log.ts";
import { type Context, type Report, textOption } from "../command.ts";
import { wrongUse } from "../parse.ts";
import { printable } from "../printable.ts";
import { editedPayload } from "./edited-payload.ts";
import { proposalText } from "./tell-proposal.ts";
import { reportText } from "./tell-report.ts";

const by = commandLineOwner;

export async function approveOrReject(
  context: Context,
  garden: Garden,
  ids: readonly string[],
  verdict: "approve" | "reject",
): Promise<Report> {
  const note = textOption(context, "reason");
  const named = await Promise.all(ids.map((id) => resolveId(garden, id)));
  if (named.length === 1) {
    const id = named[0]!;
    const digest = await digestSeen(context, garden, id, verdict);
    return ended([await decide(garden, { proposal: id, verdict, digest, by, note })]);
  }
  if (textOption(context, "digest") !== undefined)
    throw wrongUse(
      { en: "--digest is about one proposal", uk: "--digest стосується однієї пропозиції" },
      { en: "Decide them one by one, or leave it out.", uk: "Вирішуйте по одній або не вказуйте його." },
    );
  const proposals: { id: string; digest: string }[] = [];
  for (const id of named) proposals.push({ id, digest: await digestSeen(context, garden, id, verdict) });
  const answers = await decideBatch(garden, { proposals, verdict, by, note });
  const failed = answers.flatMap(({ failure }) => failure ?? []);
  const report = ended(answers.flatMap(({ proposal }) => proposal ?? []));
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

export async function editOne(context: Context, garden: Garden, [written, file]: readonly string[]): Promise<Report> {
  const id = await resolveId(garden, written!);
  const proposal = await readProposal(garden.store, id);
  const payload = await editedPayload(context, proposal.operation, file);
  const digest = await digestGiven(context, garden, proposal);
  const note = textOption(context, "reason");
  const { first, edited } = await editAndApprove(garden, { proposal: id, digest, by, payload, note });
  const report = ended([edited]);
  return {
    ...report,
    text: joined(
      [
        {
          en: `${first.id} is ${first.status}: ${edited.id} takes its place`,
          uk: `${first.id}: ${first.status}, замість неї ${edited.id}`,
        },
        report.text,
      ],
      "\n",
    ),
    json: { first, proposal: edited },
  };
}

export const retryOne = async (garden: Garden, written: string): Promise<Report> =>
  ended([await retry(garden, { proposal: await resolveId(garden, written), by })]);

/**
 * What the person saw (P-10a). Named by `--digest`, of which the beginning is enough; else it is shown here, and they are
 * asked. A script that does not name it says `--yes`: then it decides on what is shown in the same moment.
 */
async function digestSeen(
  context: Context,
  garden: Garden,
  id: string,
  verdict: "approve" | "reject",
): Promise<string> {
  const proposal = await readProposal(garden.store, id);
  if (textOption(context, "digest") !== undefined) return digestGiven(context, garden, proposal);
  const review = await reviewProposal(garden, proposal);
  if (verdict === "reject" || proposal.status !== "pending") return review.digest;
  if (context.options["yes"] !== true && !context.machine.ask) throw notShown(id, review.digest);
  const report = await ensureLogicReport(garden, proposal);
  if (report) context.say(reportText(report.report, context.style));
  context.say(proposalText(proposal, review, context.style, "untold"));
  if (context.options["yes"] === true) return review.digest;
  const question: Text = { en: "\nApprove this? [y/N] ", uk: "\nСхвалити? [т/Н] " };
  const answer = await context.machine.ask!(question[context.language]);
  if (/^(y|yes|т|так)$/i.test(answer.trim())) return review.digest;
  throw new Failure("INVALID_TRANSITION", { en: "not decided", uk: "рішення не прийнято" });
}

async function digestGiven(context: Context, garden: Garden, proposal: Proposal): Promise<string> {
  const given = textOption(context, "digest");
  if (given !== undefined && !/^[0-9a-f]{8,40}$/.test(given))
    throw wrongUse(
      { en: `not a digest: ${given}`, uk: `це не digest: ${given}` },
      { en: "At least its first 8 digits.", uk: "Щонайменше перші 8 цифр." },
    );
  const { digest } = await reviewProposal(garden, proposal);
  if (given === undefined || digest.startsWith(given)) return digest;
  return given; // what was seen is not what is: the decision says so
}

function ended(proposals: readonly Proposal[]): Report {
  const lines = proposals.map((proposal): Text => {
    const { id, status, apply_result: result } = proposal;
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

/** The lines that stand in the way, as apply wrote them down. */
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

const notShown = (id: string, digest: string): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    { en: "a decision names the digest of what was looked at", uk: "рішення називає digest того, що переглянуто" },
    {
      hint: {
        en: `Look at it with \`bloom proposals show ${id}\`, then add --digest ${digest.slice(0, 12)}; --yes decides on what it is now.`,
        uk: `Перегляньте: \`bloom proposals show ${id}\`, потім додайте --digest ${digest.slice(0, 12)}; --yes вирішує про теперішній стан.`,
      },
      details: { proposal: id },
    },
  );
