import { runStates } from "../../domain/run/run.ts";
import { example, flag, option } from "../options.ts";
import { compareCommand, whatIfCommand } from "../runs/experiments.ts";
import {
  cancelRunCommand,
  forkRunCommand,
  moveRunCommand,
  printFigures,
  printRuns,
  resumeRun,
  showRun,
  showRunLogs,
} from "../runs/manage-runs.ts";
import { gardenCommand, type Subcommands } from "../subcommands.ts";
import { answerOptions } from "./requests.ts";

const subcommands: Subcommands = {
  list: {
    usage: "[--agent SLUG] [--state STATE] [--version V] [--outcome KIND] [--trigger KIND] [--text T]",
    words: [0, 0],
    does: { en: "list runs, newest first", uk: "запуски, найновіші перші" },
    run: (context, garden) => printRuns(context, garden),
  },
  figures: {
    usage: "[--days N]",
    words: [0, 0],
    does: {
      en: "runs, success and costs of the last days by agent",
      uk: "запуски, частка вдалих і витрати за останні дні за агентами",
    },
    run: (context, garden) => printFigures(context, garden),
  },
  show: {
    usage: "ID",
    words: [1, 1],
    does: { en: "show steps, requests and outcome", uk: "як він ішов: кроки, запитання, наслідок" },
    run: (context, garden, [id]) => showRun(context, garden, id!),
  },
  logs: {
    usage: "ID [--step N] [--follow]",
    words: [1, 1],
    does: { en: "print input and output of each step", uk: "що отримав і що віддав кожен крок" },
    run: (context, garden, [id]) => showRunLogs(context, garden, id!),
  },
  cancel: {
    usage: "ID [--reason R]",
    words: [1, 1],
    does: { en: "stop it before its next step", uk: "зупинити перед наступним кроком" },
    run: (context, garden, [id]) => cancelRunCommand(context, garden, id!),
  },
  fork: {
    usage: "ID --at STEP [--set NAME=VALUE …] [--what-if] [--wait]",
    words: [1, 1],
    does: {
      en: "copy it at a step and continue the copy; its proposals are marked and need a decision",
      uk: "копія, що йде далі сама з кроку; її пропозиції позначено, і вони чекають на людину",
    },
    run: (context, garden, [id]) => forkRunCommand(context, garden, id!),
  },
  "what-if": {
    usage: "REQUEST [--value V | --choice C | --approve | --reject] [--note N] [--wait]",
    words: [1, 1],
    does: {
      en: "an experiment: the run from before a question, with another answer",
      uk: "експеримент: запуск від запитання з іншою відповіддю",
    },
    run: (context, garden, [id]) => whatIfCommand(context, garden, id!),
  },
  compare: {
    usage: "ID ID",
    words: [2, 2],
    does: {
      en: "two runs side by side: answers, results, proposals, files",
      uk: "два запуски поруч: відповіді, результати, пропозиції, файли",
    },
    run: (context, garden, words) => compareCommand(context, garden, words),
  },
  move: {
    usage: "ID [--check]",
    words: [1, 1],
    does: {
      en: "move a held run to the current logic version, if its recorded steps take the same path there",
      uk: "перенести запуск, що чекає, на поточну версію логіки, якщо записані кроки йдуть там тим самим шляхом",
    },
    run: (context, garden, [id]) => moveRunCommand(context, garden, id!),
  },
  resume: {
    usage: "ID",
    words: [1, 1],
    does: { en: "continue it here, from its last step", uk: "продовжити тут, від останнього кроку" },
    run: (context, garden, [id]) => resumeRun(context, garden, id!),
  },
};

export const runsCommand = gardenCommand({
  name: "runs",
  summary: {
    en: "inspect, cancel, fork, move and resume runs",
    uk: "переглядати, зупиняти, відгалужувати, переносити й поновлювати запуски",
  },
  usual: "list",
  subcommands,
  options: {
    agent: option("SLUG", "list: only of this agent", "list: цього агента"),
    state: option(runStates.join("|"), "list: only with this state", "list: лише ці"),
    version: option("V", "list: only of this logic version", "list: лише цієї версії логіки"),
    outcome: option("effects|noop|blocked|failed", "list: only with this outcome", "list: лише з таким підсумком"),
    trigger: option("manual|cron|event|agent", "list: only started by this", "list: лише запущені так"),
    text: option("T", "list: with this text in input or outcome", "list: із цим текстом у вході чи підсумку"),
    days: option("N", "figures: number of days (default: 14)", "figures: скільки днів (14)"),
    limit: option("N", "list: maximum number (default: 100)", "list: не більше (100)"),
    after: option("NEXT", "list: continue after this entry", "list: далі після цього"),
    step: option("N", "logs: only this step", "logs: лише цей крок"),
    follow: { ...flag("logs: follow until the run ends", "logs: далі, доки він триває"), short: "f" },
    reason: option("TEXT", "cancel: reason, for the record", "cancel: чому, для запису"),
    at: option("STEP", "fork: the last common step", "fork: останній спільний крок"),
    set: {
      ...option(
        "NAME=VALUE",
        "fork: change an input from there on (may be repeated)",
        "fork: інший вхід звідти (можна повторювати)",
      ),
      many: true,
    },
    "what-if": flag(
      "fork: as an experiment; its proposals go to the sandbox",
      "fork: як експеримент; його пропозиції йдуть до пісочниці",
    ),
    value: answerOptions.value,
    choice: answerOptions.choice,
    approve: answerOptions.approve,
    reject: answerOptions.reject,
    note: answerOptions.note,
    check: flag("move: only print the result of the replay check", "move: лише сказати, чи той самий шлях"),
    wait: {
      ...flag("fork: run it here and show its steps", "fork: працювати над ним тут і показувати кроки"),
      short: "w",
    },
  },
  examples: [example("bloom runs show abc123", "a suffix of the id is enough", "досить кінця ідентифікатора")],
});
