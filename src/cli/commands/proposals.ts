import { joined, type Text, verbatim } from "../../base/text.ts";
import { actions } from "../../domain/proposal/action.ts";
import { type Proposal } from "../../domain/proposal/proposal.ts";
import { type ProposalCard } from "../../domain/proposal/proposal-card.ts";
import { proposalStates } from "../../domain/proposal/proposal-state.ts";
import { withWaiting } from "../../garden/changes/apply/apply-proposal.ts";
import { reviewProposal } from "../../garden/changes/effect/review.ts";
import {
  groupPending,
  listHistory,
  listPending,
  type PendingWish,
  resolveProposalId,
} from "../../garden/changes/proposals/list-proposals.ts";
import { remarksOn } from "../../garden/changes/proposals/remarks.ts";
import { recoverChanges } from "../../garden/changes/recover-changes.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { ensureLogicReport } from "../../garden/insight/learning/logic-report.ts";
import { readProposal } from "../../garden/records/proposals/proposal-log.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { choiceOption, example, flag, monthOption, numberOption, option, textOption } from "../options.ts";
import { decideProposals, editProposal, retryOne } from "../proposals/decide-proposals.ts";
import { cardLine, groupLines, proposalText } from "../proposals/print-proposal.ts";
import { logicReportText } from "../proposals/print-report.ts";
import { commentProposal, remarkLines, sendBackProposals } from "../proposals/remark-proposals.ts";
import { resolveProposal } from "../proposals/resolve-proposal.ts";
import { showLogicReport } from "../proposals/show-report.ts";
import { gardenCommand, type Subcommands } from "../subcommands.ts";
import { inBothLanguages } from "../text-layout.ts";

const subcommands: Subcommands = {
  list: {
    usage: "",
    words: [0, 0],
    does: { en: "list pending proposals; with --all decided ones too", uk: "що чекає; з --all також вирішені" },
    run: list,
  },
  show: {
    usage: "ID",
    words: [1, 1],
    does: { en: "show the effect and the digest", uk: "що вона зробить, і digest" },
    async run(context, garden, [id]) {
      const found = await readProposal(garden.store, await resolveProposalId(garden, id!));
      const [proposal] = (await withWaiting(garden, [found])) as [Proposal];
      const review = await reviewProposal(garden, proposal);
      const report = await ensureLogicReport(garden, proposal);
      const remarks = await remarksOn(garden.store, proposal.id);
      const parts = [
        ...(report ? [logicReportText(report.report, context.style)] : []),
        proposalText(proposal, review, context.style, true),
        ...(remarks.length > 0 ? [remarkLines(remarks, context.style)] : []),
      ];
      return {
        text: joined(parts, "\n\n"),
        json: { proposal, review, digest: review.digest, remarks, ...(report && { report: report.report }) },
        asked: true,
      };
    },
  },
  report: {
    usage: "ID [--svg FILE]",
    words: [1, 1],
    does: {
      en: "for a change of logic: replay recorded runs against it",
      uk: "про зміну логіки: як за нею повелися б записані запуски",
    },
    run: showLogicReport,
  },
  approve: {
    usage: "ID… [--digest D] [--only PATH… | --except PATH…]",
    words: [1, 50],
    does: { en: "approve and apply; of a merge only these files", uk: "і застосувати; зі злиття лише ці файли" },
    run: (context, garden, ids) => decideProposals(context, garden, ids, "approve"),
  },
  reject: {
    usage: "ID… --reason R",
    words: [1, 50],
    does: { en: "reject, with a reason for the proposer", uk: "з причиною, яку прочитає автор" },
    run: (context, garden, ids) => decideProposals(context, garden, ids, "reject"),
  },
  "send-back": {
    usage: "ID… --reason R",
    words: [1, 50],
    does: {
      en: "reject, and have the agent revise it in a new run",
      uk: "відхилити й доручити агентові доопрацювати в новому запуску",
    },
    run: sendBackProposals,
  },
  comment: {
    usage: "ID --text T [--line N]",
    words: [1, 1],
    does: {
      en: "comment on it, on a line of its change or on an icon, without deciding",
      uk: "прокоментувати її, рядок її зміни або ікону, нічого не вирішуючи",
    },
    run: commentProposal,
  },
  edit: {
    usage: "ID FILE|-",
    words: [1, 2],
    does: {
      en: "approve an edited copy: a new proposal that supersedes the first",
      uk: "схвалити у власній редакції: нова пропозиція, що називає першу",
    },
    run: editProposal,
  },
  resolve: {
    usage: "ID --with PATH=FILE… [--delete PATH…]",
    words: [1, 1],
    does: {
      en: "resolve the conflicts of a merge with these texts: a new proposal in place of this one",
      uk: "розв'язати конфлікти злиття цими текстами: нова пропозиція замість цієї",
    },
    run: resolveProposal,
  },
  retry: {
    usage: "ID",
    words: [1, 1],
    does: { en: "apply a failed proposal again", uk: "ще раз застосувати те, що не вдалося" },
    run: (_, garden, [id]) => retryOne(garden, id!),
  },
};

export const proposalsCommand = gardenCommand({
  name: "proposals",
  summary: { en: "review and decide proposals", uk: "переглянути, що чекає, і вирішити" },
  usual: "list",
  subcommands,
  before: recoverChanges,
  options: {
    all: flag("list: include decided ones", "list: також вирішені"),
    status: option("STATE", "list: only with this status", "list: лише ці"),
    month: option("YYYY-MM", "list: decided in this month", "list: вирішені цього місяця"),
    agent: option("SLUG", "list: of this agent", "list: цього агента"),
    action: option("ACTION", "list: pending ones with this action", "list: ті, що чекають, цього виду"),
    run: option("RUN", "list: pending ones of this run", "list: ті, що чекають, із цього запуску"),
    group: flag("list: pending ones by sender and run", "list: ті, що чекають, за автором і запуском"),
    limit: option("N", "list: maximum number (default: 100)", "list: не більше (100)"),
    after: option("NEXT", "list: continue after this entry", "list: далі після цього"),
    digest: option(
      "D",
      "digest of the effect that you reviewed (8 digits are enough)",
      "що ви переглянули (досить 8 цифр)",
    ),
    only: { ...option("PATH", "approve: only this file of a merge", "approve: лише цей файл злиття"), many: true },
    except: {
      ...option("PATH", "approve: all files of a merge but this one", "approve: усі файли злиття, крім цього"),
      many: true,
    },
    with: {
      ...option("PATH=FILE", "resolve: the text of one file in conflict", "resolve: текст одного файлу з конфліктом"),
      many: true,
    },
    delete: { ...option("PATH", "resolve: this file is removed", "resolve: цей файл видалено"), many: true },
    yes: flag("approve: the current effect, without asking", "approve: те, що показано зараз, без запитання"),
    reason: option(
      "TEXT",
      "reason; required for a rejection; send-back: what to change",
      "чому; для відхилення обов'язково; send-back: що змінити",
    ),
    text: option(
      "TEXT",
      "list: pending ones with this text; edit: the text, instead of a file; comment: the comment",
      "list: ті, що чекають, із цим текстом; edit: сам текст замість файлу; comment: коментар",
    ),
    line: option("N", "comment: line of the changed file", "comment: рядок зміненого файлу"),
    icon: option("ID", "comment: icon of the proposed diagram", "comment: ікона запропонованої діаграми"),
    diagram: option("FILE", "comment: the called diagram of that icon", "comment: викликана діаграма цієї ікони"),
    file: option("PATH", "comment: the file, if several change", "comment: файл, якщо змінюється кілька"),
    add: option("A,B", "edit: tags to add", "edit: теги, які додати"),
    remove: option("C", "edit: tags to remove", "edit: теги, які зняти"),
    svg: option(
      "FILE",
      "report: write the diagram with the differences to this file",
      "report: діаграма з місцями розходження",
    ),
    payload: option("FILE", "edit: the whole payload as JSON", "edit: увесь payload як JSON"),
  },
  examples: [
    example(
      "bloom proposals approve k3x9qf --digest 1f0c9a7be2d4",
      "a suffix of the id is enough",
      "досить кінця ідентифікатора",
    ),
  ],
});

async function list(context: CommandContext, garden: Garden): Promise<CommandReport> {
  const [status, month] = [choiceOption(context, "status", proposalStates), monthOption(context)];
  const paging = {
    agent: textOption(context, "agent"),
    after: textOption(context, "after"),
    limit: numberOption(context, "limit"),
  };
  const past = context.options["all"] === true || (status !== undefined && status !== "pending") || month !== undefined;
  const wish = {
    agent: paging.agent,
    action: choiceOption(context, "action", actions),
    run: textOption(context, "run"),
    text: textOption(context, "text"),
  };
  if (context.options["group"] === true) return grouped(context, garden, wish);
  if (!past) {
    const page = await listPending(garden, { ...paging, ...wish });
    return listed(context, page.proposals, page.next, NOTHING_WAITS);
  }
  const wanted = status === "pending" ? undefined : status;
  const waiting =
    status === undefined && month === undefined && paging.after === undefined
      ? (await listPending(garden, { agent: paging.agent })).proposals
      : [];
  const page = await listHistory(garden, { ...paging, status: wanted, month });
  return listed(context, [...waiting, ...(await withWaiting(garden, page.proposals))], page.next, {
    en: "No matching proposals.",
    uk: "Таких пропозицій немає.",
  });
}

async function grouped({ style }: CommandContext, garden: Garden, wish: PendingWish): Promise<CommandReport> {
  const { groups, isWhole } = await groupPending(garden, wish);
  const text = groups.length === 0 ? NOTHING_WAITS : inBothLanguages((each) => groupLines(groups, style, each));
  return { text, json: { groups, whole: isWhole }, asked: true };
}

const NOTHING_WAITS: Text = {
  en: "No pending proposals. Decided ones: `bloom proposals --all`.",
  uk: "Жодна пропозиція не чекає на рішення. Усі, разом із вирішеними: `bloom proposals --all`.",
};

function listed(
  { style }: CommandContext,
  cards: readonly ProposalCard[],
  next: string | undefined,
  none: Text,
): CommandReport {
  const more: Text =
    next === undefined ? verbatim("") : { en: `\nMore: --after ${next}`, uk: `\nДалі: --after ${next}` };
  const lines = inBothLanguages(
    (language) => cards.map((card) => cardLine(card, style, language)).join("\n") + more[language],
  );
  const text = cards.length === 0 ? none : lines;
  return { text, json: { proposals: cards, ...(next !== undefined && { next }) }, asked: true };
}
