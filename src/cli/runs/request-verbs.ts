import type { Json } from "../../base/canonical.ts";
import { Failure } from "../../base/failure.ts";
import { type Text, verbatim } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import type { PersonRequest } from "../../domain/run/request.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { answerRequest } from "../../garden/runs/answer.ts";
import { openRequests } from "../../garden/runs/hold.ts";
import { readRun } from "../../garden/runs/read-runs.ts";
import { type Context, type Report, textOption } from "../command.ts";
import { wrongUse } from "../parse.ts";
import { answerLine, inBoth, oneLine, requestLines } from "./tell-run.ts";
import { workAndWatch } from "./work-here.ts";

export async function listRequests(context: Context, garden: Garden): Promise<Report> {
  const agent = textOption(context, "agent");
  const open = (await openRequests(garden)).filter((each) => agent === undefined || each.agent_slug === agent);
  const text: Text =
    open.length === 0
      ? { en: "Nobody is asked anything.", uk: "Ніхто нічого не питає." }
      : inBoth((language) =>
          open
            .flatMap((request) => [
              ...requestLines({ request, answer: undefined }, context.style, language),
              context.style.dim(`  → ${answerLine(request)}`),
            ])
            .join("\n"),
        );
  return { text, json: { requests: open }, asked: true };
}

export async function answerOne(context: Context, garden: Garden, written: string): Promise<Report> {
  const request = await meant(garden, written);
  const value = (await answerGiven(context, request)) ?? (await answerAsked(context, request));
  const note = textOption(context, "note");
  const { place, answer } = await answerRequest(garden, {
    request: request.id,
    value,
    by: commandLineOwner,
    ...(note !== undefined && { note }),
  });
  if (context.options["wait"] === true) {
    const { steps } = await readRun(garden, place);
    return await workAndWatch(context, garden, place, steps.at(-1)?.position ?? 0);
  }
  return {
    text: {
      en: `Answered ${request.id}: ${oneLine(JSON.stringify(answer.value))}. \`bloom up\` goes on with ${place.run}, or \`bloom runs resume ${place.run}\` does here.`,
      uk: `Відповідь на ${request.id}: ${oneLine(JSON.stringify(answer.value))}. Далі ${place.run} продовжить \`bloom up\`, а тут — \`bloom runs resume ${place.run}\`.`,
    },
    json: { request, answer },
  };
}

/** What the options say, checked against the form; undefined if they say nothing. */
async function answerGiven(context: Context, { id, ask }: PersonRequest): Promise<Json | undefined> {
  const [value, choice] = [textOption(context, "value"), textOption(context, "choice")];
  const [approve, reject] = [context.options["approve"] === true, context.options["reject"] === true];
  const given = [value !== undefined, choice !== undefined, approve, reject].filter(Boolean).length;
  if (given === 0) return undefined;
  if (given > 1)
    throw wrongUse({ en: "one answer, not several", uk: "одна відповідь, а не кілька" }, howText({ id, ask }));
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
  throw wrongUse(
    { en: `${id} asks for a ${ask.form}`, uk: `${id} потребує відповіді виду ${ask.form}` },
    howText({ id, ask }),
  );
}

/** Asks the person at the terminal, where there is one. */
async function answerAsked(context: Context, request: PersonRequest): Promise<Json> {
  const { id, ask } = request;
  if (!context.machine.ask)
    throw wrongUse({ en: `${id}: which answer?`, uk: `${id}: яка відповідь?` }, howText({ id, ask }));
  for (const line of requestLines({ request, answer: undefined }, context.style, context.language))
    context.say({ en: line, uk: line });
  const line = (await context.machine.ask(`${PROMPT[ask.form][context.language]} `)).trim();
  if (line === "") throw wrongUse({ en: "nothing was answered", uk: "відповіді не дано" }, howText({ id, ask }));
  switch (ask.form) {
    case "review": {
      const approve = /^(y|yes|approve|т|так|схвалити)$/i.test(line);
      if (!approve && !/^(n|no|reject|н|ні|відхилити)$/i.test(line))
        throw wrongUse({ en: `neither yes nor no: ${line}`, uk: `ні так, ні ні: ${line}` }, howText({ id, ask }));
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

function review(context: Context, approve: boolean): Json {
  const comment = textOption(context, "note");
  return { decision: approve ? "approve" : "reject", ...(comment !== undefined && { comment }) };
}

/** The option itself, or its number in the list. */
function optionMeant(options: readonly string[], written: string): string {
  if (options.includes(written)) return written;
  const numbered = /^\d{1,3}$/.test(written) ? options[Number(written) - 1] : undefined;
  if (numbered !== undefined) return numbered;
  throw wrongUse(
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
  throw wrongUse(
    { en: `not a number: ${text}`, uk: `це не число: ${text}` },
    {
      en: "For example: --value 12.5 (a negative one: --value=-3).",
      uk: "Наприклад: --value 12.5 (від'ємне: --value=-3).",
    },
  );
}

const howText = (request: Pick<PersonRequest, "id" | "ask">): Text => verbatim(`\`${answerLine(request)}\``);

/** By its id, the end of it, or the run that asks. */
async function meant(garden: Garden, written: string): Promise<PersonRequest> {
  const open = await openRequests(garden);
  const exact = open.filter(({ id }) => id === written);
  const found = exact.length > 0 ? exact : open.filter(({ id, run_id }) => fits(id, written) || fits(run_id, written));
  const [only, second] = found;
  if (only && !second) return only;
  throw new Failure(
    "NOT_FOUND",
    found.length === 0
      ? { en: `nothing that waits fits ${written}`, uk: `серед того, що чекає, немає ${written}` }
      : {
          en: `${written} fits ${found.length}: ${found.map(({ id }) => id).join(", ")}`,
          uk: `${written} підходить до ${found.length}: ${found.map(({ id }) => id).join(", ")}`,
        },
    {
      hint: { en: "`bloom requests` lists what waits.", uk: "`bloom requests` показує, що чекає." },
      details: { request: written },
    },
  );
}

const fits = (id: string, written: string): boolean => written.length >= 2 && id.endsWith(written);
