import { Failure } from "../../base/failure.ts";
import { type Text, verbatim } from "../../base/text.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { placeOfSession, type SessionRequest, sessionRequests } from "../../garden/runs/session-requests.ts";
import { oneCommit } from "../../garden/sessions/start-session.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { textOption } from "../options.ts";
import { answerFound } from "../runs/answer-requests.ts";
import { forkAt } from "../runs/manage-runs.ts";
import { answerLine, requestLines } from "../runs/print-run.ts";
import type { Subcommands } from "../subcommands.ts";
import { inBothLanguages } from "../text-layout.ts";

/** Questions of sessions to people. */
export const sessionDeciding: Subcommands = {
  requests: {
    usage: "",
    words: [0, 0],
    does: { en: "what sessions ask a person, oldest first", uk: "що сесії питають у людини, найдавніше перше" },
    run: (context, garden) => listSessionRequests(context, garden),
  },
  decide: {
    usage: "NAME [REQUEST] [--value V | --choice C | --approve | --reject] [--note N] [--seen COMMIT]",
    words: [1, 2],
    does: {
      en: "answer what a session asks: a commit on its branch, then it continues",
      uk: "відповісти сесії: коміт на її гілці, тоді вона йде далі",
    },
    run: (context, garden, words) => decideForSession(context, garden, words),
  },
  fork: {
    usage: "NAME --at STEP [--what-if] [--wait]",
    words: [1, 1],
    does: {
      en: "copy the run of a session at a step; the copy works on a branch of its own",
      uk: "копія запуску сесії від кроку; вона працює на власній гілці",
    },
    run: async (context, garden, [name]) => forkAt(context, garden, await placeOfSession(garden, name!)),
  },
};

/** Answers the open question of a session (S-8). `seen`: the head that the person has looked at. */
async function decideForSession(
  context: CommandContext,
  garden: Garden,
  [name, written]: readonly string[],
): Promise<CommandReport> {
  const open = (await sessionRequests(garden)).filter(({ session }) => session === name);
  const found = open.filter(({ request }) => written === undefined || request.id.endsWith(written));
  const [only, second] = found;
  if (!only || second) throw notOneRequest(name!, found.length === 0 ? open : found);
  const seen = textOption(context, "seen");
  return answerFound(context, garden, only.request, seen === undefined ? undefined : await oneCommit(garden, seen));
}

async function listSessionRequests(context: CommandContext, garden: Garden): Promise<CommandReport> {
  const open = await sessionRequests(garden);
  const text: Text =
    open.length === 0
      ? { en: "No session waits for a person.", uk: "Жодна сесія не чекає на людину." }
      : inBothLanguages((language) =>
          open
            .flatMap(({ session, head, request }) => [
              ...requestLines({ request, answer: undefined }, context.style, language),
              context.style.dim(`  agents/${session} ${head.slice(0, 10)}`),
              context.style.dim(`  → ${answerLine(request, `session decide ${session}`)}`),
            ])
            .join("\n"),
        );
  return { text, json: { requests: open }, asked: true };
}

const notOneRequest = (session: string, open: readonly SessionRequest[]): Failure =>
  new Failure(open.length === 0 ? "NOT_FOUND" : "VALIDATION_FAILED", {
    ...(open.length === 0
      ? { en: `the session ${session} asks nothing`, uk: `сесія ${session} нічого не питає` }
      : { en: `the session ${session} asks several things`, uk: `сесія ${session} питає кілька речей` }),
    hint:
      open.length === 0
        ? { en: "`bloom session requests` lists what waits.", uk: "`bloom session requests` показує, що чекає." }
        : verbatim(open.map(({ request }) => `\`bloom session decide ${session} ${request.id}\``).join(", ")),
    details: { session },
  });
