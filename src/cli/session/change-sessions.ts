import { verbatim } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { adoptSession } from "../../garden/sessions/adopt-session.ts";
import { headMoved } from "../../garden/sessions/failures.ts";
import { mergeSession } from "../../garden/sessions/merge-session.ts";
import { reviewSession, reviewsOf } from "../../garden/sessions/review-session.ts";
import { startSession } from "../../garden/sessions/start-session.ts";
import { textOption } from "../options.ts";
import type { Subcommands } from "../subcommands.ts";
import { alignColumns, formatTime, oneLine } from "../text-layout.ts";
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
  review: {
    usage: "SESSION|PEER/SESSION",
    words: [1, 1],
    does: {
      en: "say something about the work of a session at its newest commit (--outcome, --text)",
      uk: "висловитися про роботу сесії на її найновішому коміті (--outcome, --text)",
    },
    async run(context, garden, [session]) {
      const wish = { outcome: textOption(context, "outcome") ?? "comment", text: textOption(context, "text") ?? "" };
      const review = await reviewSession(garden, { session: session!, ...wish }, commandLineOwner);
      return { text: verbatim(`${session}  ${review.head.slice(0, 10)}  ${review.outcome}`), json: review };
    },
  },
  reviews: {
    usage: "SESSION|PEER/SESSION",
    words: [1, 1],
    does: { en: "the reviews of a session, newest first", uk: "огляди сесії, найновіші перші" },
    async run(_, { repo }, [session]) {
      const reviews = await reviewsOf(repo, session!);
      const lines = alignColumns(
        reviews.map(({ at, by, outcome, head, text }) => [
          formatTime(at),
          oneLine(by),
          outcome,
          head.slice(0, 10),
          oneLine(text),
        ]),
      );
      const none = { en: "no reviews", uk: "оглядів немає" };
      return { text: lines.length === 0 ? none : verbatim(lines.join("\n")), json: { reviews }, asked: true };
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
