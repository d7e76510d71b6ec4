import { Failure } from "../../../base/failure.ts";
import { joined, type Text } from "../../../base/text.ts";
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

export const malformedName = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "the name of a behaviour is one line of at most 120 characters",
    uk: "назва поведінки — один рядок не довший за 120 знаків",
    details: { field: "name" },
  });

export const lyingBehaviour = (id: string, lies: readonly Text[]): Failure => {
  const { en, uk } = joined(lies, "; ");
  return new Failure("VALIDATION_FAILED", {
    en: `the evidence of ${id} does not hold, so it is not adopted: ${en}`,
    uk: `докази ${id} не справджуються, тож її не перейнято: ${uk}`,
    details: { id },
  });
};

export const unnamedBehaviour = (agent: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the behaviour of ${agent} has no name to publish it under`,
    uk: `поведінка ${agent} не має назви, під якою її оприлюднити`,
    hint: {
      en: `\`bloom library name ${agent} "NAME"\`, or publish with --name`,
      uk: `\`bloom library name ${agent} "НАЗВА"\` або оприлюдніть із --name`,
    },
    details: { agent },
  });

export const notPublished = (id: string): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `${id} is a behaviour of another garden, so this one cannot withdraw it`,
    uk: `${id} — поведінка іншого саду, тож цей не може її відкликати`,
    hint: { en: "`bloom peer remove` ends following its garden", uk: "`bloom peer remove` припиняє стежити за садом" },
  });

export const otherThanPreviewed = (): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: "the behaviour, its runs or the library have changed since its publication was shown",
    uk: "поведінка, її запуски чи бібліотека змінилися відтоді, як було показано, що піде назовні",
    hint: { en: "look again, then publish", uk: "перегляньте ще раз і тоді публікуйте" },
  });

export const followedAlready = (agent: string, version: string): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `${agent} follows this behaviour already (${version})`,
    uk: `${agent} уже дотримується цієї поведінки (${version})`,
    hint: {
      en: "`bloom library show` has the figures of both sides",
      uk: "числа обох сторін показує `bloom library show`",
    },
    details: { agent, version },
  });
