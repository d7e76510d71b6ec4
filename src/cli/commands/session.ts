import type { Command } from "../command.ts";
import { example, flag, option } from "../options.ts";
import { sessionArchiving } from "../session/archive.ts";
import { sessionChanging } from "../session/change-sessions.ts";
import { sessionDeciding } from "../session/decide-session.ts";
import { sessionKinds } from "../session/kinds.ts";
import { sessionReading } from "../session/show-sessions.ts";
import { gardenCommand } from "../subcommands.ts";
import { answerOptions } from "./requests.ts";

/** With `history`: the traces of a binding that the history shows. */
export const notes = option(
  "COMMIT",
  "with history: the traces as this binding had them",
  "із history: сліди, якими їх мала ця прив'язка",
);

export const sessionCommand: Command = gardenCommand({
  name: "session",
  summary: { en: "agents at work on branches of their own", uk: "агенти за роботою на власних гілках" },
  usual: "list",
  options: {
    goal: option(
      "TEXT",
      "with spawn and adopt: what the session is to achieve",
      "зі spawn і adopt: чого має досягти сесія",
    ),
    from: option(
      "NAME",
      "with spawn: begin where this session is, as its sub-agent; PEER/SESSION is one of another garden; with kinds: a followed garden",
      "зі spawn: почати там, де ця сесія, її підагентом; PEER/SESSION — сесія іншого саду; із kinds: сад, за яким стежите",
    ),
    at: option(
      "COMMIT",
      "with spawn: begin at this commit; with restore and delete: the head of the session; with fork: the last common step",
      "зі spawn: почати від цього коміту; із restore і delete: останній коміт сесії; із fork: останній спільний крок",
    ),
    "what-if": flag(
      "with fork: as an experiment; its proposals go to the sandbox",
      "із fork: як експеримент; його пропозиції йдуть до пісочниці",
    ),
    folder: option(
      "DIR",
      "with merge: write files in conflict there, with markers; with resolve: read them there",
      "із merge: записати туди файли з розбіжностями й позначками; із resolve: прочитати їх звідти",
    ),
    file: {
      ...option("PATH=FILE", "with resolve: the text of one path in conflict", "із resolve: текст одного шляху"),
      many: true,
    },
    delete: {
      ...option("PATH", "with resolve: this path is removed", "із resolve: цей шлях видалено"),
      many: true,
    },
    ours: option("COMMIT", "with resolve: the head of INTO that was shown", "із resolve: показаний коміт сесії INTO"),
    theirs: option("COMMIT", "with resolve: the head of FROM that was shown", "із resolve: показаний коміт сесії FROM"),
    notes,
    ...answerOptions,
    seen: option(
      "COMMIT",
      "with decide: the commit of the session that the decision is about",
      "із decide: коміт сесії, якого стосується рішення",
    ),
    kind: option("KIND", "with exec: kind of the commits (agent-commit)", "з exec: вид комітів (agent-commit)"),
    message: option("TEXT", "with exec: message of the commit (the command)", "з exec: повідомлення коміту (команда)"),
    take: flag("with exec: commit what an earlier program left", "з exec: закомітити те, що лишила попередня програма"),
    discard: flag("with exec: delete it", "з exec: видалити це"),
    outcome: option("good|changes|comment", "with review: how the work is (comment)", "з review: яка робота (comment)"),
    text: option("TEXT", "with review: what you say", "з review: що ви кажете"),
    archived: flag("with list: those that were put away", "із list: відкладені"),
    empty: flag("with spawn: begin without files", "зі spawn: почати без файлів"),
  },
  subcommands: { ...sessionReading, ...sessionKinds, ...sessionChanging, ...sessionArchiving, ...sessionDeciding },
  examples: [
    example(
      'bloom session spawn tidy-up --goal "Sort the inbox"',
      "a branch agents/tidy-up, at main",
      "гілка agents/tidy-up, від main",
    ),
    example("bloom session merge helper tidy-up", "the work of helper into tidy-up", "робота helper у tidy-up"),
    example(
      "bloom session exec tidy-up -- sed -i s/teh/the/ notes/a.md",
      "any program works in the session",
      "у сесії працює будь-яка програма",
    ),
    example("git log --graph --notes=trace agents/tidy-up", "the same in plain git", "те саме у звичайному git"),
  ],
});
