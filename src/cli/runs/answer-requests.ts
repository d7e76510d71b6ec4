import type { Json } from "../../base/canonical.ts";
import { Failure } from "../../base/failure.ts";
import { type Text, verbatim } from "../../base/text.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import type { PersonRequest } from "../../domain/run/request.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { answerRequest } from "../../garden/runs/answer.ts";
import { openRequests } from "../../garden/runs/hold.ts";
import { readRun } from "../../garden/runs/read-runs.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { usageError } from "../failures.ts";
import { textOption } from "../options.ts";
import { inBothLanguages, oneLine } from "../text-layout.ts";
import { answerLine, requestLines } from "./print-run.ts";
import { workAndWatch } from "./work-and-watch.ts";

export async function listRequests(context: CommandContext, garden: Garden): Promise<CommandReport> {
  const agent = textOption(context, "agent");
  const open = (await openRequests(garden)).filter((each) => agent === undefined || each.agent_slug === agent);
  const text: Text =
    open.length === 0
      ? { en: "No open requests.", uk: "Ніхто нічого не питає." }
      : inBothLanguages((language) =>
          open
            .flatMap((request) => [
              ...requestLines({ request, answer: undefined }, context.style, language),
              context.style.dim(`  → ${answerLine(request)}`),
            ])
            .join("\n"),
        );
  return { text, json: { requests: open }, asked: true };
}

/** `written` is the id of the request, its end, or the run that asks. */
export const answerPersonRequest = async (
  context: CommandContext,
  garden: Garden,
  written: string,
): Promise<CommandReport> => answerFound(context, garden, await findRequest(garden, written));

/** `seen`: the head of the run's session that the person has looked at. */
export async function answerFound(
  context: CommandContext,
  garden: Garden,
  request: PersonRequest,
  seen?: Oid,
): Promise<CommandReport> {
  const value = (await answerFromOptions(context, request)) ?? (await promptForAnswer(context, request));
  const note = textOption(context, "note");
  const { place, answer } = await answerRequest(garden, {
    request: request.id,
    value,
    by: commandLineOwner,
    ...(note !== undefined && { note }),
    seen,
  });
  if (context.options["wait"] === true) {
    const { steps } = await readRun(garden, place);
    return await workAndWatch(context, garden, place, steps.at(-1)?.position ?? 0);
  }
  return {
    text: {
      en: `Answered ${request.id}: ${oneLine(JSON.stringify(answer.value))}. A running \`bloom up\` continues ${place.run}; to continue it here: \`bloom runs resume ${place.run}\`.`,
      uk: `Відповідь на ${request.id}: ${oneLine(JSON.stringify(answer.value))}. Далі ${place.run} продовжить \`bloom up\`, а тут — \`bloom runs resume ${place.run}\`.`,
    },
    json: { request, answer },
  };
}

/** The answer from the options, checked against the form; undefined without one. */
export async function answerFromOptions(
  context: CommandContext,
  { id, ask }: PersonRequest,
): Promise<Json | undefined> {
  const [value, choice] = [textOption(context, "value"), textOption(context, "choice")];
  const [approve, reject] = [context.options["approve"] === true, context.options["reject"] === true];
  const given = [value !== undefined, choice !== undefined, approve, reject].filter(Boolean).length;
  if (given === 0) return undefined;
  if (given > 1)
    throw usageError({ en: "several answers given", uk: "одна відповідь, а не кілька" }, answerHint({ id, ask }));
  switch (ask.form) {
    case "review":
      if (approve || reject) return review(context, approve);
      break;
    case "choice":
      if (choice !== undefined || value !== undefined)
        return { choice: optionMeant(ask.options ?? [], choice ?? value!) };
      break;
    case "number":
      if (value !== undefined) return { number: numberOf(value) };
      break;
    case "text":
      if (value !== undefined) return { text: value };
      break;
  }
  throw usageError(
    { en: `${id} needs an answer of the form ${ask.form}`, uk: `${id} потребує відповіді виду ${ask.form}` },
    answerHint({ id, ask }),
  );
}

/** Prompts at the terminal; throws if there is none. */
async function promptForAnswer(context: CommandContext, request: PersonRequest): Promise<Json> {
  const { id, ask } = request;
  if (!context.machine.ask)
    throw usageError({ en: `${id}: missing answer`, uk: `${id}: яка відповідь?` }, answerHint({ id, ask }));
  for (const line of requestLines({ request, answer: undefined }, context.style, context.language))
    context.say({ en: line, uk: line });
  const line = (await context.machine.ask(`${PROMPT[ask.form][context.language]} `)).trim();
  if (line === "") throw usageError({ en: "empty answer", uk: "відповіді не дано" }, answerHint({ id, ask }));
  switch (ask.form) {
    case "review": {
      const approve = /^(y|yes|approve|т|так|схвалити)$/i.test(line);
      if (!approve && !/^(n|no|reject|н|ні|відхилити)$/i.test(line))
        throw usageError({ en: `neither yes nor no: ${line}`, uk: `ні так, ні ні: ${line}` }, answerHint({ id, ask }));
      return review(context, approve);
    }
    case "choice":
      return { choice: optionMeant(ask.options ?? [], line) };
    case "number":
      return { number: numberOf(line) };
    case "text":
      return { text: line };
  }
}

const PROMPT: Readonly<Record<PersonRequest["ask"]["form"], Text>> = {
  review: { en: "Approve? [y/n]", uk: "Схвалити? [т/н]" },
  choice: { en: "Which one? (number or text)", uk: "Котрий? (номер або текст)" },
  number: { en: "A number:", uk: "Число:" },
  text: { en: "Answer:", uk: "Відповідь:" },
};

function review(context: CommandContext, approve: boolean): Json {
  const comment = textOption(context, "note");
  return { decision: approve ? "approve" : "reject", ...(comment !== undefined && { comment }) };
}

/** Resolves an option by its text or its number. */
function optionMeant(options: readonly string[], written: string): string {
  if (options.includes(written)) return written;
  const numbered = /^\d{1,3}$/.test(written) ? options[Number(written) - 1] : undefined;
  if (numbered !== undefined) return numbered;
  throw usageError(
    { en: `not one of the options: ${written}`, uk: `немає такого варіанта: ${written}` },
    {
      en: `Use ${options.map((each, index) => `${index + 1} (${oneLine(each)})`).join(", ")}.`,
      uk: `Є: ${options.map((each, index) => `${index + 1} (${oneLine(each)})`).join(", ")}.`,
    },
  );
}

function numberOf(text: string): number {
  const number = Number(text.trim().replace(",", "."));
  if (text.trim() !== "" && Number.isFinite(number)) return number;
  throw usageError(
    { en: `not a number: ${text}`, uk: `це не число: ${text}` },
    {
      en: "For example: --value 12.5 or --value -3.",
      uk: "Наприклад: --value 12.5 або --value -3.",
    },
  );
}

const answerHint = (request: Pick<PersonRequest, "id" | "ask">): Text => verbatim(`\`${answerLine(request)}\``);

/** Finds an open request by its id, a suffix of it, or the id of its run. */
async function findRequest(garden: Garden, written: string): Promise<PersonRequest> {
  const open = await openRequests(garden);
  const exact = open.filter(({ id }) => id === written);
  const found =
    exact.length > 0 ? exact : open.filter(({ id, run_id }) => hasSuffix(id, written) || hasSuffix(run_id, written));
  const [only, second] = found;
  if (only && !second) return only;
  throw new Failure("NOT_FOUND", {
    ...(found.length === 0
      ? { en: `no open request matches ${written}`, uk: `серед того, що чекає, немає ${written}` }
      : {
          en: `${written} matches ${found.length} requests: ${found.map(({ id }) => id).join(", ")}`,
          uk: `${written} підходить до ${found.length}: ${found.map(({ id }) => id).join(", ")}`,
        }),
    hint: { en: "Open requests: `bloom requests`.", uk: "`bloom requests` показує, що чекає." },
    details: { request: written },
  });
}

const hasSuffix = (id: string, written: string): boolean => written.length >= 2 && id.endsWith(written);
