import type { Failure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import {
  discardKeptWork,
  type ExecReport,
  execInSession,
  type ProgramHost,
  takeKeptWork,
} from "../../garden/sessions/exec-session.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { usageError } from "../failures.ts";
import { textOption } from "../options.ts";
import type { Subcommand } from "../subcommands.ts";

/** `bloom session exec`: a program of the owner works in a session. */
export const execCommand: Subcommand = {
  usage: "NAME -- COMMAND …",
  words: [1, Infinity],
  does: {
    en: "run a program in a copy of the session's files; commit what it did, with its console as the trace",
    uk: "запустити програму в копії файлів сесії; закомітити зроблене, з консоллю як слідом",
  },
  async run(context, garden, [session, ...command]) {
    const program = hostOf(context);
    const [isTake, isDiscard] = [context.options["take"] === true, context.options["discard"] === true];
    if (Number(isTake) + Number(isDiscard) + Number(command.length > 0) !== 1) throw oneOfThree();
    if (isDiscard) {
      await discardKeptWork(garden, session!, program);
      return { text: { en: "deleted", uk: "видалено" }, json: { kind: "discarded" } };
    }
    if (isTake) return execReport({ ...(await takeKeptWork(garden, session!, program)), exit: 0 });
    const [kind, message] = ["kind", "message"].map((name) => textOption(context, name));
    return execReport(await execInSession(garden, { session: session!, command, kind, message }, program));
  },
};

function execReport(report: ExecReport): CommandReport {
  const { session, exit, commits, merged, rewritten, kept } = report;
  const lines: Text[] =
    kept === undefined
      ? [
          ...commits.map((commit) => ({ en: commit, uk: commit })),
          ...(merged
            ? [{ en: "merged with what the session got meanwhile", uk: "злито з тим, що сесія тим часом отримала" }]
            : []),
          ...(rewritten
            ? [
                {
                  en: "the program rewrote the history: its files are one commit",
                  uk: "програма переписала історію: її файли — один коміт",
                },
              ]
            : []),
        ]
      : [
          {
            en: `exit code ${exit}; nothing was committed. The changes are in ${kept}\n\`bloom session exec ${session} --take\` commits them, \`--discard\` deletes them`,
            uk: `код завершення ${exit}; нічого не закомічено. Зміни — у ${kept}\n\`bloom session exec ${session} --take\` комітить їх, \`--discard\` видаляє`,
          },
        ];
  const text = {
    en: lines.map(({ en }) => en).join("\n"),
    uk: lines.map(({ uk }) => uk).join("\n"),
  };
  return { text, json: report, exit };
}

function hostOf({ machine: { program }, options }: CommandContext): ProgramHost {
  if (!program) throw noPrograms();
  const shownOn = options["json"] === true ? "stderr" : undefined;
  return { ...program, run: (call) => program.run({ ...call, shownOn }) };
}

const oneOfThree = (): Failure =>
  usageError(
    {
      en: "session exec: a command, or --take, or --discard",
      uk: "session exec: команда, або --take, або --discard",
    },
    {
      en: "Write `bloom session exec NAME -- COMMAND …`.",
      uk: "Пишіть `bloom session exec НАЗВА -- КОМАНДА …`.",
    },
  );

const noPrograms = (): Failure =>
  usageError(
    { en: "programs cannot be started here", uk: "тут не можна запускати програм" },
    { en: "Use the command line.", uk: "Скористайтеся командним рядком." },
  );
