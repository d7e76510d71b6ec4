import { Failure } from "../../base/failure.ts";
import type { Identity } from "../../domain/identity.ts";
import { contractKey } from "../../domain/layout.ts";
import type { PersonAnswer, PersonRequest } from "../../domain/run/request.ts";
import type { RunRequest } from "../../domain/run/run.ts";
import { MAX_STEP_BYTES } from "../../domain/run/run-step.ts";
import { onlyOwner } from "../core/access/only-owner.ts";
import type { RunPlace } from "../core/flow/journal.ts";

export const agentNotRunnable = (slug: string, status: string): Failure =>
  new Failure("INVALID_AGENT_TRANSITION", {
    en: `the agent ${slug} is ${status}; only an active one runs`,
    uk: `агент ${slug} має стан ${status}; запускаються лише активні`,
    hint: {
      en: `\`bloom agent activate ${slug}\` makes it active, if its contract is valid.`,
      uk: `\`bloom agent activate ${slug}\` зробить його активним, якщо контракт у порядку.`,
    },
    details: { agent: slug, status },
  });

export const manualRunsForbidden = (slug: string): Failure =>
  new Failure("FORBIDDEN", {
    en: `the contract of ${slug} does not allow runs by hand (\`triggers.manual: false\`)`,
    uk: `контракт ${slug} не дозволяє запускати його вручну (\`triggers.manual: false\`)`,
    details: { agent: slug, field: "triggers.manual" },
  });

export const badInputName = (slug: string, name: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `input: ${JSON.stringify(name.slice(0, 60))} is not a valid name of a value; a name has 1 to ${MAX_INPUT_NAME} characters`,
    uk: `input: ${JSON.stringify(name.slice(0, 60))} — не назва значення; назва має від 1 до ${MAX_INPUT_NAME} символів`,
    details: { agent: slug, field: "input" },
  });

/** Characters of a name in the input of a run. */
export const MAX_INPUT_NAME = 200;

export const correlationReused = (slug: string, correlation: string, run: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `the correlation id ${JSON.stringify(correlation)} was used for another run of ${slug}`,
    uk: `ідентифікатор ${JSON.stringify(correlation)} уже використано для іншого запуску ${slug}`,
    hint: {
      en: "Use a new one for a new run. Repeat an old one only with an unchanged request.",
      uk: "Для нового запуску візьміть новий; той самий — лише щоб повторити запит без змін.",
    },
    details: { run, correlation_id: correlation },
  });

export const runInputTooLarge = (slug: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the input of the run is larger than ${MAX_STEP_BYTES} bytes`,
    uk: `вхідні дані запуску більші за ${MAX_STEP_BYTES} байтів`,
    details: { agent: slug },
  });

export const onlyOwnerAnswers = (by: Identity): Failure =>
  onlyOwner(by, { en: "answer a question of a run", uk: "відповісти на запитання запуску" });

export const wrongAnswerForm = ({ id, ask }: PersonRequest, expected: { en: string; uk: string }): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the answer to ${id} has the wrong form: expected ${expected.en}`,
    uk: `це не відповідь на ${id}: очікується ${expected.uk}`,
    hint: { en: `The question: ${ask.question}`, uk: `Запитання: ${ask.question}` },
    details: { request: id, form: ask.form, ...(ask.options && { options: ask.options }) },
  });

export const answeredOtherwise = ({ id }: PersonRequest, answer: PersonAnswer): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `${id} was answered by ${answer.by} at ${answer.answered_at}: ${JSON.stringify(answer.value)}`,
    uk: `на ${id} уже відповів ${answer.by} о ${answer.answered_at}: ${JSON.stringify(answer.value)}`,
    details: { request: id, value: answer.value },
  });

export const questionOfEndedRun = ({ id, run_id }: PersonRequest): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the run ${run_id} has ended; its question ${id} can no longer be answered`,
    uk: `запуск ${run_id} завершено; на відповідь до ${id} ніхто не чекає`,
    details: { request: id, run: run_id },
  });

export const noSuchQuestion = (id: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no question ${id}`,
    uk: `немає запитання ${id}`,
    hint: { en: "`bloom requests` lists the open questions.", uk: "`bloom requests` показує ті, що чекають." },
    details: { request: id },
  });

export const notOneOpenQuestion = (run: string, open: readonly PersonRequest[]): Failure =>
  new Failure(open.length === 0 ? "NOT_FOUND" : "VALIDATION_FAILED", {
    ...(open.length === 0
      ? { en: `the run ${run} has no open question`, uk: `запуск ${run} зараз нічого не питає` }
      : { en: `the run ${run} has ${open.length} open questions`, uk: `запуск ${run} має запитань: ${open.length}` }),
    hint: {
      en: open.length === 0 ? "`bloom requests` lists what waits." : `Name one: ${open.map(({ id }) => id).join(", ")}`,
      uk:
        open.length === 0
          ? "`bloom requests` показує, що чекає."
          : `Назвіть одне: ${open.map(({ id }) => id).join(", ")}`,
    },
    details: { run },
  });

export const reservedEventName = (name: string): Failure =>
  new Failure("FORBIDDEN", {
    en: `${name} is an event of the garden itself and cannot be sent`,
    uk: `${name} — подія самого саду; про неї не повідомляє ніхто інший`,
    hint: {
      en: "Use a name of your own, such as mail/received.",
      uk: "Візьміть власну назву, наприклад mail/received.",
    },
    details: { name },
  });

export const notAnEvent = (name: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the event ${JSON.stringify(name)} has an invalid name, id or payload`,
    uk: `${JSON.stringify(name)} з таким id чи даними — не подія`,
    hint: {
      en: "A name is two to five words joined by / or . (mail/received); the id has 1–300 characters.",
      uk: "Назва — від двох до п'яти слів через / або . (mail/received); id — 1–300 символів.",
    },
    details: { name },
  });

export const onlyOwnerForks = (by: Identity): Failure => onlyOwner(by, { en: "fork a run", uk: "відгалузити запуск" });

export const noStepToForkAt = (run: string, at: number, last: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the run ${run} has no step ${at} to fork at`,
    uk: `запуск ${run} не має кроку ${at}, на якому його можна відгалузити`,
    hint: {
      en: last === 0 ? "It has not begun." : `It has steps 1 to ${last}; \`bloom runs show ${run}\` lists them.`,
      uk: last === 0 ? "Він ще не почався." : `Він має кроки від 1 до ${last}; їх показує \`bloom runs show ${run}\`.`,
    },
    details: { run, at, last },
  });

export const forkOfInactiveAgent = (slug: string, status: string): Failure =>
  new Failure("INVALID_AGENT_TRANSITION", {
    en: `the agent ${slug} is ${status}; only an active one runs, also in a fork`,
    uk: `агент ${slug} має стан ${status}; запускаються лише активні, і відгалуження теж`,
    details: { agent: slug, status },
  });

export const forkOriginChanged = ({ run }: RunPlace, origin: NonNullable<RunRequest["forked_from"]>): Failure =>
  new Failure("NOT_FOUND", {
    en: `the steps that ${run} shares with ${origin.run} were changed or deleted`,
    uk: `кроків, які ${run} поділяє з ${origin.run}, уже немає такими, як були`,
    details: { run, from: origin.run, step: origin.step },
  });

export const questionMoved = ({ id, run_id: run }: PersonRequest, to: string): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the run ${run} of the question ${id} was moved to ${to}, which asks it again`,
    uk: `запуск ${run} із запитанням ${id} перенесено на ${to}; він запитає знову`,
    hint: { en: "`bloom requests` lists the open questions.", uk: "Відкриті запитання показує `bloom requests`." },
    details: { request: id, run, moved_to: to },
  });

export const movedRunWentOn = ({ run }: RunPlace, origin: NonNullable<RunRequest["moved_from"]>): Failure =>
  new Failure("NOT_FOUND", {
    en: `the steps that ${run} takes over from ${origin.run} changed while that run was moved`,
    uk: `кроки, які ${run} переймає від ${origin.run}, змінилися, доки той запуск переносили`,
    hint: {
      en: `Its question was answered at the same moment. \`bloom runs show ${origin.run}\` lists its steps; \`bloom runs fork ${origin.run} --at N\` continues from its last one.`,
      uk: `Тієї ж миті на його запитання відповіли. \`bloom runs show ${origin.run}\` покаже кроки; \`bloom runs fork ${origin.run} --at N\` продовжить від останнього.`,
    },
    details: { run, from: origin.run, step: origin.step },
  });

export const changedAfterMove = (
  { slug, run }: RunPlace,
  { run: origin, step }: NonNullable<RunRequest["moved_from"]>,
): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the contract or the diagrams of ${slug} changed again before ${run}, moved from ${origin}, began`,
    uk: `контракт або діаграми ${slug} змінилися ще раз, перш ніж почався ${run}, перенесений із ${origin}`,
    hint: {
      en: `Nothing was done. \`bloom runs fork ${origin} --at ${step}\` continues it under its own version; or start a new run.`,
      uk: `Нічого не зроблено. \`bloom runs fork ${origin} --at ${step}\` продовжить за його версією; або запустіть агента знову.`,
    },
    details: { agent: slug, run, from: origin, step },
  });

export const runIsOver = (run: string, status: string): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the run ${run} is ${status}; there is nothing left to cancel`,
    uk: `запуск ${run} має стан ${status}; скасовувати вже нічого`,
    details: { run, status },
  });

export const noSuchRun = (run: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no run ${run}`,
    uk: `немає запуску ${run}`,
    hint: { en: "`bloom runs` lists them.", uk: "Їх показує `bloom runs`." },
    details: { run },
  });

export const severalRuns = (written: string, found: readonly RunPlace[]): Failure => {
  const some = found
    .slice(0, 5)
    .map(({ slug, run }) => `${run} (${slug})`)
    .join(", ");
  return new Failure("NOT_FOUND", {
    en: `${written} matches ${found.length} runs: ${some}`,
    uk: `${written} підходить до ${found.length} запусків: ${some}`,
    hint: { en: "Use more characters of the id.", uk: "Вкажіть більше з ідентифікатора." },
    details: { run: written },
  });
};

export const noProcedureToFollow = (slug: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${slug} has \`execution: flow\`, but neither its contract nor its diagrams have a readable procedure`,
    uk: `${slug} виконується ікона за іконою (\`execution: flow\`), а його контракт і діаграми не містять процедури, яку можна прочитати`,
    hint: { en: `\`bloom agent check ${slug}\` says more.`, uk: `Докладніше — \`bloom agent check ${slug}\`.` },
    details: { agent: slug, file: contractKey(slug) },
  });

export const diagramsTooLarge = (slug: string, most: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the diagrams of ${slug} have more than ${most} bytes together`,
    uk: `діаграми ${slug} разом мають понад ${most} байтів`,
    details: { agent: slug, file: contractKey(slug) },
  });

export const notFromAgent = (proposal: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${proposal} was not made by an agent: nobody would revise it`,
    uk: `${proposal} створив не агент: доопрацювати її нікому`,
    hint: { en: "Edit it, approve it or reject it.", uk: "Виправте її, схваліть або відхиліть." },
    details: { proposal },
  });

/** P-10c. */
export const tooManyRevisions = (proposal: string, most: number): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `${proposal} is the ${most}rd revision in a row: it cannot be sent back again`,
    uk: `${proposal} — уже ${most}-тє доопрацювання поспіль: повернути ще раз не можна`,
    hint: { en: "Edit it, approve it or reject it.", uk: "Виправте її, схваліть або відхиліть." },
    details: { proposal, max: most },
  });

export const otherAgentInBatch = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "only proposals of one agent can be sent back together",
    uk: "разом повертають пропозиції лише одного агента",
  });
