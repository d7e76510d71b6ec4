import { asFailure, Failure, isFailure } from "../../base/failure.ts";
import { joined, type Text, verbatim } from "../../base/text.ts";
import { commandLineOwner as by } from "../../domain/identity.ts";
import type { ProposalCard } from "../../domain/proposal/proposal-card.ts";
import { reviewProposal } from "../../garden/changes/effect/review.ts";
import { decide } from "../../garden/changes/proposals/decide.ts";
import { listPending } from "../../garden/changes/proposals/list-proposals.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { ensureLogicReport } from "../../garden/insight/learning/logic-report.ts";
import { readProposal } from "../../garden/records/proposals/proposal-log.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { textOption } from "../options.ts";
import { printable } from "../printable.ts";
import { proposalText } from "./print-proposal.ts";
import { logicReportText } from "./print-report.ts";

type Ask = NonNullable<CommandContext["machine"]["ask"]>;
type Outcome = "approved" | "rejected" | "skipped";

/**
 * Shows every pending proposal and asks about it (P-10a): the decision names the digest that was shown. Keys typed before a change was
 * shown are ignored. With `--json` it only lists them. Throws VALIDATION_FAILED without a terminal.
 */
export async function reviewPending(context: CommandContext, garden: Garden): Promise<CommandReport> {
  const cards = await everyPending(garden, textOption(context, "agent"));
  if (context.options["json"] === true) return { text: verbatim(""), json: { proposals: cards }, asked: true };
  const { machine } = context;
  if (!machine.ask) throw noTerminal();
  const ask: Ask = (question, how) => machine.ask!(question, how);
  const counts: Record<Outcome, number> = { approved: 0, rejected: 0, skipped: 0 };
  for (const [at, card] of cards.entries()) {
    const outcome = await reviewOne(context, garden, ask, card, `${at + 1}/${cards.length}`);
    if (outcome === "quit") break;
    counts[outcome]++;
  }
  const { approved, rejected, skipped } = counts;
  return {
    text:
      cards.length === 0
        ? { en: "Nothing is waiting.", uk: "Ніщо не чекає." }
        : {
            en: `Approved ${approved}, rejected ${rejected}, skipped ${skipped} of ${cards.length}.`,
            uk: `Схвалено: ${approved}, відхилено: ${rejected}, пропущено: ${skipped} із ${cards.length}.`,
          },
    json: { ...counts, total: cards.length },
  };
}

async function everyPending(garden: Garden, agent: string | undefined): Promise<ProposalCard[]> {
  const cards: ProposalCard[] = [];
  let after: string | undefined;
  do {
    const page = await listPending(garden, { agent, after, limit: 500 });
    cards.push(...page.proposals);
    after = page.next;
  } while (after !== undefined);
  return cards;
}

/** Shows one proposal, asks until the answer is known, and carries it out. A proposal that was decided meanwhile is skipped. */
async function reviewOne(
  context: CommandContext,
  garden: Garden,
  ask: Ask,
  card: ProposalCard,
  place: string,
): Promise<Outcome | "quit"> {
  const proposal = await readProposal(garden.store, card.id);
  if (proposal.status !== "pending") return "skipped";
  const review = await reviewProposal(garden, proposal);
  const report = await ensureLogicReport(garden, proposal);
  context.say(verbatim(`\n${context.style.bold(printable(`${place}  ${proposal.summary}`))}`));
  if (report) context.say(logicReportText(report.report, context.style));
  context.say(proposalText(proposal, review, context.style, false));
  const question: Text = {
    en: "\na approve, r reject, s skip, q quit: ",
    uk: "\na схвалити, r відхилити, s пропустити, q вийти: ",
  };
  for (;;) {
    const answer = (await ask(question[context.language], { fresh: true })).trim().toLowerCase();
    if (answer === "q" || answer === "") return "quit";
    if (answer === "s") return "skipped";
    if (answer !== "a" && answer !== "r") continue;
    const reason: Text = { en: "Reason (the proposer reads it): ", uk: "Причина (її прочитає автор): " };
    const note = answer === "r" ? (await ask(reason[context.language], { fresh: true })).trim() : undefined;
    if (note === "") continue;
    const verdict = answer === "a" ? "approve" : "reject";
    const sent = { proposal: card.id, verdict, digest: review.digest, by, note, report: report?.id } as const;
    try {
      const after = await decide(garden, sent);
      context.say(verbatim(`${after.id}: ${after.status}`));
      return answer === "a" ? "approved" : "rejected";
    } catch (error) {
      if (!isFailure(error)) throw error;
      const { text, hint } = asFailure(error);
      context.say(hint ? joined([text, hint], "\n") : text);
      return "skipped";
    }
  }
}

const noTerminal = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "`bloom review` asks questions and needs a terminal",
    uk: "`bloom review` ставить запитання й потребує термінала",
    hint: {
      en: "In a script: `bloom review --json` lists them, `bloom proposals approve ID --digest D` decides one.",
      uk: "У сценарії: `bloom review --json` дає перелік, `bloom proposals approve ID --digest D` вирішує одну.",
    },
  });
