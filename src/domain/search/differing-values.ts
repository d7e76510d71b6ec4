/**
 * True if two sentences about the same thing give different values: numbers, dates, months, weekdays. Sentences that differ in
 * words only, or of which one gives no value, do not contradict each other as far as a program can tell.
 */
export function differInValue(one: string, other: string): boolean {
  return KINDS.some((pattern) => {
    const [mine, theirs] = [valuesIn(one, pattern), valuesIn(other, pattern)];
    if (mine.size === 0 || theirs.size === 0) return false;
    return ![...mine].every((value) => theirs.has(value)) && ![...theirs].every((value) => mine.has(value));
  });
}

const MONTHS =
  /(?<!\p{L})(?:jan(?:uary)?|feb(?:ruary)?|march|april|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|січ(?:ень|н)|лют(?:ий|ого|ому)|берез(?:ень|н)|квіт(?:ень|н)|трав(?:ень|н)|черв(?:ень|н)|лип(?:ень|н)|серп(?:ень|н)|верес(?:ень|н)|жовт(?:ень|н)|листопад|груд(?:ень|н))|(?<!\p{L})May(?!\p{L})/giu;
const WEEKDAYS =
  /(?<!\p{L})(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|понеділ|вівтор|серед[уаи]|четвер|п['’ʼ]ятниц|субот|неділ)/giu;
const NUMBERS = /(?<![\p{L}\d.,])\d+(?:[.,]\d+)*(?!\p{L})/gu;
const KINDS = [NUMBERS, MONTHS, WEEKDAYS];

const valuesIn = (text: string, pattern: RegExp): ReadonlySet<string> =>
  new Set(
    [...withoutAddresses(text).matchAll(pattern)].map(([value]) => value.toLowerCase().replace(",", ".").slice(0, 20)),
  );

/** Numbers in addresses and link targets are no values. */
const withoutAddresses = (text: string): string => text.replaceAll(/\]\([^)]*\)|https?:\S+|\[\[[^\]|]*\|/g, " ");
