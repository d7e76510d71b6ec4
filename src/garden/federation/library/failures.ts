import { Failure } from "../../../base/failure.ts";
import { type BehaviourRefusal, behaviourRefusals } from "../../../domain/library/behaviour-refusals.ts";

export const noSuchBehaviour = (wanted: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `the library has no behaviour ${JSON.stringify(wanted)}`,
    uk: `у бібліотеці немає поведінки ${JSON.stringify(wanted)}`,
    hint: { en: "`bloom library list` shows them", uk: "їх показує `bloom library list`" },
  });

export const severalBehaviours = (wanted: string, ids: readonly string[]): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${JSON.stringify(wanted)} names ${ids.length} behaviours of the library`,
    uk: `${JSON.stringify(wanted)} називає поведінок бібліотеки: ${ids.length}`,
    hint: { en: `Name one: ${ids.join(", ")}.`, uk: `Назвіть одну: ${ids.join(", ")}.` },
    details: { ids: [...ids] },
  });

export const behaviourRefused = (why: BehaviourRefusal, subject?: string): Failure => {
  const beside = subject === undefined ? "" : ` (${subject})`;
  return new Failure("VALIDATION_FAILED", {
    en: `the behaviour is not taken: ${why}${beside}. ${behaviourRefusals[why].en}`,
    uk: `поведінку не взято: ${why}${beside}. ${behaviourRefusals[why].uk}`,
    details: { why, ...(subject !== undefined && { subject }) },
  });
};

export const cannotStrip = (agent: string, version: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the diagram of ${agent} ${version} cannot be written without its additions, so it is not published`,
    uk: `діаграму ${agent} ${version} не вдається записати без додатків, тож її не оприлюднено`,
    hint: {
      en: "`bloom diagram check` shows texts that cannot be written plainly; simplify them in a new version",
      uk: "`bloom diagram check` показує тексти, які не записати просто; спростіть їх у новій версії",
    },
    details: { agent, version },
  });

export const secretInLogic = (agent: string, version: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the logic of ${agent} ${version} holds a secret or something that looks like a key, so it is not published`,
    uk: `логіка ${agent} ${version} містить таємницю або щось схоже на ключ, тож її не оприлюднено`,
    hint: {
      en: "take it out of the diagram or the text in a new version; secrets belong into the settings",
      uk: "приберіть її з діаграми чи тексту в новій версії; таємниці — для налаштувань",
    },
    details: { agent, version },
  });
