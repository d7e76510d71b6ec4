import { joined, type Text, verbatim } from "../../base/text.ts";
import { rebindTraces } from "../../garden/sessions/rebind-traces.ts";
import { commitTraces, type ReadTrace } from "../../garden/sessions/traces.ts";
import { textOption } from "../options.ts";
import type { Subcommand } from "../subcommands.ts";
import { alignColumns, formatTime, oneLine } from "../text-layout.ts";

const NEVER_BOUND: Text = {
  en: "no trace was ever bound to this commit",
  uk: "до цього коміту слідів не прив'язували",
};

/** `bloom trace`; `bloom session` has the same two. */
export const traceSubcommands: Readonly<Record<"rebind" | "history", Subcommand>> = {
  rebind: {
    usage: "",
    words: [0, 0],
    does: {
      en: "bind traces again after a rebase, squash or cherry-pick by hand",
      uk: "прив'язати сліди знову після rebase, squash чи cherry-pick вручну",
    },
    async run(_, garden) {
      const done = await rebindTraces(garden);
      return {
        text: {
          en: `bound again: ${done.bound.length}; without a commit in any branch: ${done.orphans.length}`,
          uk: `прив'язано знову: ${done.bound.length}; без коміту в жодній гілці: ${done.orphans.length}`,
        },
        json: done,
      };
    },
  },
  history: {
    usage: "COMMIT",
    words: [1, 1],
    does: {
      en: "what was recorded with a commit, and when which trace was bound to it (--notes: as it was then)",
      uk: "що записано з комітом і коли який слід до нього прив'язано (--notes: як було тоді)",
    },
    async run(context, garden, [commit]) {
      const found = await commitTraces(garden, commit!, textOption(context, "notes"));
      const bindings = found.history.map(({ notes, at, id, why }) => [
        notes.slice(0, 10),
        formatTime(at),
        id?.slice(0, 10) ?? "-",
        oneLine(why),
      ]);
      const lines = [...alignColumns(bindings), ...found.traces.flatMap(traceLines)];
      return {
        text: lines.length === 0 ? NEVER_BOUND : joined([verbatim(found.commit), verbatim(lines.join("\n"))], "\n"),
        json: found,
        asked: true,
      };
    },
  },
};

const LONGEST_LINE = 200;

/** The entries of a trace, one line each. */
export const traceLines = ({ entries, truncated }: ReadTrace): readonly string[] => [
  ...entries.map(({ kind, text }) => `  ${oneLine(kind)}: ${oneLine(text).slice(0, LONGEST_LINE)}`),
  ...(truncated ? [`  … +${truncated.entries}`] : []),
];
