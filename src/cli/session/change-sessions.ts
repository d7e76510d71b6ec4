import { verbatim } from "../../base/text.ts";
import { adoptSession } from "../../garden/sessions/adopt-session.ts";
import { headMoved } from "../../garden/sessions/failures.ts";
import { mergeSession } from "../../garden/sessions/merge-session.ts";
import { startSession } from "../../garden/sessions/start-session.ts";
import { textOption } from "../options.ts";
import type { Subcommands } from "../subcommands.ts";
import { execCommand } from "./exec.ts";
import { conflictReport, resolveCommand } from "./resolve.ts";
import { traceSubcommands } from "./traces.ts";

const kept = { kept: "був", made: "створено", repaired: "виправлено" } as const;

/** Subcommands that write. None of them moves main: that takes an approved proposal. */
export const sessionChanging: Subcommands = {
  spawn: {
    usage: "NAME",
    words: [1, 1],
    does: {
      en: "start a session on its own branch, at main unless told otherwise",
      uk: "почати сесію на власній гілці, від main, якщо не вказано інше",
    },
    async run(context, garden, [name]) {
      const spawned = await startSession(garden, {
        name: name!,
        goal: textOption(context, "goal") ?? "",
        from: textOption(context, "from"),
        at: textOption(context, "at"),
        empty: context.options["empty"] === true,
      });
      return { text: verbatim(`agents/${name}  ${spawned.commit.slice(0, 10)}`), json: spawned };
    },
  },
  merge: {
    usage: "FROM INTO",
    words: [2, 2],
    does: {
      en: "merge one session into another, as a commit with two parents",
      uk: "злити одну сесію в іншу комітом з двома батьками",
    },
    async run(context, garden, [from, into]) {
      const merged = await mergeSession(garden, { from: from!, into: into! });
      if (merged.kind === "conflict") throw headMoved(into!);
      if (merged.kind === "merged") return { text: verbatim(merged.commit), json: merged };
      if (merged.kind === "up-to-date")
        return { text: { en: "nothing to merge", uk: "зливати нема чого" }, json: merged };
      return conflictReport(context, garden, { from: from!, into: into!, ...merged });
    },
  },
  resolve: resolveCommand,
  exec: execCommand,
  adopt: {
    usage: "NAME",
    words: [1, 1],
    does: {
      en: "take a branch up again that a person made, worked on or rewrote with git",
      uk: "взяти гілку, яку людина створила, доповнила чи переписала за допомогою git",
    },
    async run(context, garden, [name]) {
      const done = await adoptSession(garden, { name: name!, goal: textOption(context, "goal") });
      const { head, byHand, rebound } = done;
      return {
        text: {
          en: `agents/${name}  ${head.slice(0, 10)}\nspawn commit: ${done.genesis}; dossier: ${done.dossier}; commits by hand: ${byHand}; traces bound again: ${rebound.bound.length}`,
          uk: `agents/${name}  ${head.slice(0, 10)}\nперший коміт: ${kept[done.genesis]}; досьє: ${kept[done.dossier]}; комітів людей: ${byHand}; сліди прив'язано знову: ${rebound.bound.length}`,
        },
        json: done,
      };
    },
  },
  rebind: traceSubcommands.rebind,
};
