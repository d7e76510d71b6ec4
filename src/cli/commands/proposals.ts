import { joined, type Text, verbatim } from "../../base/text.ts";
import { actions, isAction } from "../../domain/proposal/action.ts";
import { type ProposalCard, type ProposalState, proposalStates } from "../../domain/proposal/proposal.ts";
import { reviewProposal } from "../../garden/changes/effect/review.ts";
import { history, listPending, resolveId } from "../../garden/changes/proposals/read.ts";
import { takeUp } from "../../garden/changes/proposals/take-up.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { ensureLogicReport } from "../../garden/insight/learning/logic-report.ts";
import { readProposal } from "../../garden/records/proposals/proposal-log.ts";
import { type Command, type Context, type Report, textOption } from "../command.ts";
import { wrongUse } from "../parse.ts";
import { approveOrReject, editOne, retryOne } from "../proposals/decide-verbs.ts";
import { monthAsked, numberOption } from "../proposals/propose-verbs.ts";
import { reportOne } from "../proposals/report-verb.ts";
import { cardLine, proposalText } from "../proposals/tell-proposal.ts";
import { reportText } from "../proposals/tell-report.ts";
import { option, runVerb, type Verbs } from "../verbs.ts";

/** What can be done with proposals. */
const verbs: Verbs = {
  list: {
    usage: "",
    words: [0, 0],
    does: { en: "what waits; with --all what was decided too", uk: "що чекає; з --all також вирішені" },
    run: list,
  },
  show: {
    usage: "ID",
    words: [1, 1],
    does: { en: "what it would do, and the digest", uk: "що вона зробить, і digest" },
    async run(context, garden, [id]) {
      const proposal = await readProposal(garden.store, await resolveId(garden, id!));
      const review = await reviewProposal(garden, proposal);
      const report = await ensureLogicReport(garden, proposal);
      const text = proposalText(proposal, review, context.style, "told");
      return {
        text: report ? joined([reportText(report.report, context.style), text], "\n\n") : text,
        json: { proposal, review, digest: review.digest, ...(report && { report: report.report }) },
        asked: true,
      };
    },
  },
  report: {
    usage: "ID [--svg FILE]",
    words: [1, 1],
    does: {
      en: "of a change of logic: what recorded runs would have done by it",
      uk: "про зміну логіки: як за нею повелися б записані запуски",
    },
    run: reportOne,
  },
  approve: {
    usage: "ID… [--digest D]",
    words: [1, 50],
    does: { en: "and apply", uk: "і застосувати" },
    run: (context, garden, ids) => approveOrReject(context, garden, ids, "approve"),
  },
  reject: {
    usage: "ID… --reason R",
    words: [1, 50],
    does: { en: "with a reason, which the proposer reads", uk: "з причиною, яку прочитає автор" },
    run: (context, garden, ids) => approveOrReject(context, garden, ids, "reject"),
  },
  edit: {
    usage: "ID FILE|-",
    words: [1, 2],
    does: {
      en: "approve it in your own wording: a new proposal that names the first",
      uk: "схвалити у власній редакції: нова пропозиція, що називає першу",
    },
    run: editOne,
  },
  retry: {
    usage: "ID",
    words: [1, 1],
    does: { en: "apply once more what failed", uk: "ще раз застосувати те, що не вдалося" },
    run: (_, garden, [id]) => retryOne(garden, id!),
  },
};

export const proposals: Command = {
  name: "proposals",
  summary: { en: "look at what waits, and decide", uk: "переглянути, що чекає, і вирішити" },
  usage: `[${Object.keys(verbs).join("|")}] [ID…]`,
  words: [0, 51],
  options: {
    all: { type: "boolean", about: { en: "list: decided ones too", uk: "list: також вирішені" } },
    status: option("STATE", "list: only these", "list: лише ці"),
    month: option("YYYY-MM", "list: decided in this month", "list: вирішені цього місяця"),
    agent: option("SLUG", "list: of this agent", "list: цього агента"),
    action: option("ACTION", "list: waiting ones of this kind", "list: ті, що чекають, цього виду"),
    limit: option("N", "list: at most so many (100)", "list: не більше (100)"),
    after: option("NEXT", "list: go on after this", "list: далі після цього"),
    digest: option("D", "what you looked at (8 digits are enough)", "що ви переглянули (досить 8 цифр)"),
    yes: {
      type: "boolean",
      about: { en: "approve: what is shown now, without asking", uk: "approve: те, що показано зараз, без запитання" },
    },
    reason: option("TEXT", "why; a rejection needs it", "чому; для відхилення обов'язково"),
    text: option("TEXT", "edit: the text itself, in place of a file", "edit: сам текст замість файлу"),
    add: option("A,B", "edit: tags to add", "edit: теги, які додати"),
    remove: option("C", "edit: tags to remove", "edit: теги, які зняти"),
    svg: option("FILE", "report: the diagram with where runs part", "report: діаграма з місцями розходження"),
    payload: option("FILE", "edit: the whole payload as JSON", "edit: увесь payload як JSON"),
  },
  examples: [
    { line: "bloom proposals", does: verbs["list"]!.does },
    ...Object.entries(verbs)
      .filter(([name]) => name !== "list")
      .map(([name, { usage, does }]) => ({ line: `bloom proposals ${name} ${usage}`, does })),
    {
      line: "bloom proposals approve k3x9qf --digest 1f0c9a7be2d4",
      does: { en: "the end of an id is enough", uk: "досить кінця ідентифікатора" },
    },
  ],
  run: (context) => runVerb("proposals", verbs, "list", context, takeUp),
};

async function list(context: Context, garden: Garden): Promise<Report> {
  const [status, month] = [stateAsked(context), monthAsked(context)];
  const paging = {
    agent: textOption(context, "agent"),
    after: textOption(context, "after"),
    limit: numberOption(context, "limit"),
  };
  const past = context.options["all"] === true || (status !== undefined && status !== "pending") || month !== undefined;
  if (!past) {
    const page = await listPending(garden, { ...paging, action: actionAsked(context) });
    return listed(context, page.proposals, page.next, NOTHING_WAITS);
  }
  const wanted = status === "pending" ? undefined : status;
  const waiting =
    status === undefined && month === undefined && paging.after === undefined
      ? (await listPending(garden, { agent: paging.agent })).proposals
      : [];
  const page = await history(garden, { ...paging, status: wanted, month });
  return listed(context, [...waiting, ...page.proposals], page.next, {
    en: "There are no such proposals.",
    uk: "Таких пропозицій немає.",
  });
}

const NOTHING_WAITS: Text = {
  en: "Nothing waits for a decision. Decided ones: `bloom proposals --all`.",
  uk: "Жодна пропозиція не чекає на рішення. Усі, разом із вирішеними: `bloom proposals --all`.",
};

function listed({ style }: Context, cards: readonly ProposalCard[], next: string | undefined, none: Text): Report {
  const lines = cards.map((card) => cardLine(card, style));
  const more: Text = { en: `\nMore: --after ${next}`, uk: `\nДалі: --after ${next}` };
  const text =
    cards.length === 0
      ? none
      : next === undefined
        ? verbatim(lines.join("\n"))
        : { en: lines.join("\n") + more.en, uk: lines.join("\n") + more.uk };
  return { text, json: { proposals: cards, ...(next !== undefined && { next }) }, asked: true };
}

function stateAsked(context: Context): ProposalState | undefined {
  const text = textOption(context, "status");
  const state = proposalStates.find((each) => each === text);
  if (text === undefined || state) return state;
  throw wrongUse(
    { en: `no such state: ${text}`, uk: `немає такого стану: ${text}` },
    { en: `One of: ${proposalStates.join(", ")}.`, uk: `Один із: ${proposalStates.join(", ")}.` },
  );
}

function actionAsked(context: Context) {
  const text = textOption(context, "action");
  if (text === undefined || isAction(text)) return text;
  throw wrongUse(
    { en: `no such action: ${text}`, uk: `немає такої дії: ${text}` },
    { en: `One of: ${actions.join(", ")}.`, uk: `Одна з: ${actions.join(", ")}.` },
  );
}
