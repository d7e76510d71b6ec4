import { Failure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import { type LayerOneFile, layerOneLimits } from "./memory-limits.ts";

export const EMPTY_OPERATION: Text = { en: "the operation is empty", uk: "операція порожня" };
export const MALFORMED_VALUES: Text = {
  en: "values.json is not a JSON object; correct it first",
  uk: "values.json — не група названих значень; спершу виправте його",
};
export const ambiguousSection = (file: string, section: string): Text => ({
  en: `${file} has several sections “${section}”`,
  uk: `у ${file} кілька розділів із назвою «${section}»`,
});
export const textChangedSinceRead = (file: string, section: string | undefined): Text =>
  section === undefined
    ? { en: `${file} changed since it was read`, uk: `${file} змінився відтоді, як його прочитано` }
    : {
        en: `the section “${section}” of ${file} changed since it was read`,
        uk: `розділ «${section}» у ${file} змінився відтоді, як його прочитано`,
      };
export const loopAlreadyClosed = (loop: string): Text => ({
  en: `the loop “${loop}” was closed meanwhile`,
  uk: `питання «${loop}» тим часом уже закрито`,
});
export const noSuchLoop = (loop: string): Text => ({
  en: `there is no open loop “${loop}”`,
  uk: `немає відкритого питання «${loop}»`,
});
export const ambiguousLoop = (loop: string): Text => ({
  en: `several open loops have the text “${loop}”: use an id`,
  uk: `відкритих питань «${loop}» кілька: назвіть одне за його id`,
});
export const valueChangedSinceRead = (name: string): Text => ({
  en: `the value ${name} changed since it was read`,
  uk: `значення ${name} змінилося відтоді, як його прочитано`,
});

export function overLimit(
  file: LayerOneFile,
  size: { readonly characters: number; readonly tokens: number | undefined },
): Text {
  const most = layerOneLimits[file];
  const [en, uk] =
    size.tokens === undefined
      ? [`${size.characters} characters`, `${size.characters} знаків`]
      : [`${size.tokens} tokens`, `${size.tokens} токенів`];
  return {
    en: `${file} would have ${en}; at most ${most} tokens are kept: ${ADVICE[file].en}`,
    uk: `${file} мав би ${uk}; зберігається не більше ${most} токенів: ${ADVICE[file].uk}`,
  };
}
const ADVICE: Readonly<Record<LayerOneFile, Text>> = {
  "snapshot.md": { en: "shorten it", uk: "скажіть це коротше" },
  "facts.md": { en: "propose less at once, or shorter facts", uk: "пропонуйте менше за раз або коротші факти" },
  "open_loops.md": {
    en: "close some loops first; those of high priority are never frozen",
    uk: "спершу закрийте деякі питання; важливі не заморожуються",
  },
  "values.json": { en: "keep fewer or shorter values", uk: "тримайте менше значень або коротші" },
};
export const NOTHING_TO_EVICT: Text = {
  en: "there are no older facts to evict",
  uk: "старіших фактів, які можна витіснити, не лишилося",
};

export const notMemoryArchive = (where: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${where} is not a memory archive`,
    uk: `${where} — не архів пам'яті`,
    details: { where },
  });

export const memoryArchiveChanged = (where: string, digest: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${where} was changed since it was made: its digest does not match`,
    uk: `${where} змінено після створення: дайджест інший`,
    details: { where, digest },
  });
