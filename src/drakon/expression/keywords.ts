import type { Language } from "../../base/text.ts";
import type { Builtin, Method, Unit } from "./expression.ts";

/** Keywords in both languages. They are case-insensitive; names of variables are case-sensitive. */
export type Operator = "and" | "or" | "not" | "is" | "in" | "contains" | "contain" | "empty" | "equals" | "does";

/** `порожн…` and `пуст…` in every case, gender and number. */
const EMPTY =
  /^(?:порожн(?:ій|я|є|і|ім|ьою|ою|іми|ими|ього|ьої|ьому|их|іх|ю|ьо)|пуст(?:ий|а|е|і|им|ою|ими|ого|ої|ому|их|у|о)|empty)$/;

const OPERATORS = table<Exclude<Operator, "empty">>({
  and: "і й та and",
  or: "або чи or",
  not: "не not",
  is: "є is are",
  in: "в у in",
  contains: "містить містять contains",
  contain: "contain",
  equals: "дорівнює equals",
  does: "does do",
});

export const operatorOf = (word: string): Operator | undefined => {
  const lower = word.toLowerCase();
  return OPERATORS.get(lower) ?? (EMPTY.test(lower) ? "empty" : undefined);
};

const CONSTANTS = table<"true" | "false" | "nothing">({
  true: "так істина true yes",
  false: "ні хиба false no",
  nothing: "нічого null nothing",
});

export const constantOf = (word: string): "true" | "false" | "nothing" | undefined => CONSTANTS.get(word.toLowerCase());

const UNITS = table<Unit>({
  words: "слово слова слів word words",
  characters: "знак знаки знака знаків символ символи символа символів character characters",
  lines: "рядок рядки рядка рядків line lines",
  items: "елемент елементи елемента елементів item items",
});

export const unitOf = (word: string): Unit | undefined => UNITS.get(word.toLowerCase());

/** The first name is printed. */
const builtinNames: Readonly<Record<Builtin, Readonly<Record<Language, string>>>> = {
  length: { uk: "довжина", en: "length" },
  words: { uk: "слів слова", en: "words" },
  lines: { uk: "рядків рядки", en: "lines" },
  empty: { uk: "порожньо порожній порожня порожнє порожні", en: "empty is_empty" },
  contains: { uk: "містить", en: "contains" },
  tags: { uk: "теги", en: "tags" },
};

/** Number of arguments of each builtin; as a method, one of them is the receiver. */
export const builtinArguments: Readonly<Record<Builtin, number>> = {
  length: 1,
  words: 1,
  lines: 1,
  empty: 1,
  contains: 2,
  tags: 1,
};

const methodNames: Readonly<Record<Method, Readonly<Record<Language, string>>>> = {
  ...builtinNames,
  has_tag: { uk: "має_тег", en: "has_tag hasTag" },
  starts_with: { uk: "починається_з", en: "starts_with startsWith" },
  ends_with: { uk: "закінчується_на", en: "ends_with endsWith" },
};

const BUILTINS = bothLanguages(builtinNames);
const METHODS = bothLanguages(methodNames);

export const builtinOf = (word: string): Builtin | undefined => BUILTINS.get(word.toLowerCase());
/** The canonical name of a method; an unknown name is returned unchanged. */
export const methodOf = (word: string): string => METHODS.get(word.toLowerCase()) ?? word;
export const isMethod = (name: string): name is Method => Object.hasOwn(methodNames, name);

export const printedBuiltin = (name: Builtin, language: Language): string =>
  builtinNames[name][language].split(" ")[0]!;
export const printedMethod = (name: string, language: Language): string =>
  isMethod(name) ? methodNames[name][language].split(" ")[0]! : name;

const CLOCK = new Set(["зараз", "поточний_час", "now", "current_time"]);
const CHANCE = new Set(["випадково", "випадкове", "random"]);

/** Clock and random number, as a call or a plain name; a variable with that name shadows them. */
export const clockOrChance = (name: string): "now" | "random" | undefined => {
  const lower = name.toLowerCase();
  return CLOCK.has(lower) ? "now" : CHANCE.has(lower) ? "random" : undefined;
};

const UNIT_FORMS: Readonly<Record<Unit, { readonly uk: readonly [string, string, string]; readonly en: string }>> = {
  words: { uk: ["слово", "слова", "слів"], en: "word" },
  characters: { uk: ["знак", "знаки", "знаків"], en: "character" },
  lines: { uk: ["рядок", "рядки", "рядків"], en: "line" },
  items: { uk: ["елемент", "елементи", "елементів"], en: "item" },
};

/** `1 слово, 2 слова, 5 слів, 0.5 слова`. */
export function printedUnit(unit: Unit, count: number, language: Language): string {
  const { uk, en } = UNIT_FORMS[unit];
  if (language === "en") return count === 1 ? en : `${en}s`;
  if (!Number.isInteger(count)) return uk[1];
  const [tens, ones] = [count % 100, count % 10];
  if (tens > 10 && tens < 20) return uk[2];
  return ones === 1 ? uk[0] : ones > 1 && ones < 5 ? uk[1] : uk[2];
}

function table<T extends string>(words: Readonly<Record<T, string>>): ReadonlyMap<string, T> {
  return new Map(
    Object.entries<string>(words).flatMap(([meaning, names]) => names.split(" ").map((name) => [name, meaning as T])),
  );
}

function bothLanguages<T extends string>(
  names: Readonly<Record<T, Readonly<Record<Language, string>>>>,
): ReadonlyMap<string, T> {
  const all = Object.entries<Readonly<Record<Language, string>>>(names);
  return new Map(
    all.flatMap(([meaning, { uk, en }]) =>
      `${meaning} ${uk} ${en}`.split(" ").map((name) => [name.toLowerCase(), meaning as T]),
    ),
  );
}
