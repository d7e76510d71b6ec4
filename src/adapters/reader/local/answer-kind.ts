/** The kind of value that a question asks for. A passage without such a value does not answer it. */
export type AnswerKind = "money" | "number" | "time" | "any";

const MONEY =
  /\bhow much\b.*\b(?:costs?|pay|paid|charged?|prices?d?|spend|spent)\b|\b(?:price|cost|fee)s? of\b|\bwhat (?:is|was|are) the (?:\p{L}+ ){0,3}(?:price|cost|fee)s?\b|скільки\s+(?:\p{L}+\s+){0,3}(?:кошту|варту|плат)|(?:яка|за якою)\s+(?:\p{L}+\s+){0,2}цін/iu;
const NUMBER =
  /\bhow (?:many|much|long|old|tall|big|large|far|high|deep|wide|fast|often|heavy)\b|\b(?:phone|telephone) number\b|скільки|(?<!\p{L})як (?:довго|часто|далеко|високо|глибоко)(?!\p{L})|номер телефон/iu;
/** "When should I …" asks for a condition, not for a time. */
const TIME =
  /\bwhen (?:is|was|are|were|did|does|will)\b|\b(?:what|which) (?:year|date|day|month|time)\b|(?<!\p{L})коли(?!\p{L})(?!\s+(?:слід|варто|треба|потрібно|можна))|як(?:ого|ому|ий) (?:році|року|рік|дня|день|місяц)/iu;

const DIGIT = /\d/;
const DATE =
  /(?<![\d.])(?:1\d|20)\d\d(?![\d.]\d)|\d{1,2}:\d\d|\d{1,2}[./-]\d{1,2}[./-]\d|\d\s*(?:a\.?m|p\.?m|st|nd|rd|th|seconds?|minutes?|hours?|days?|weeks?|months?|years?|секунд|хвилин|годин|дн|тиж|місяц|рок|рік|-го|-ї)/iu;
const NUMERAL =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|twice|unlimited|half|none|daily|weekly|monthly|yearly)\b|(?<!\p{L})(?:од(?:ин|на|не|ну|ного)|дв(?:а|і|ох|ічі)|тр(?:и|ьох|ичі)|чотир|п['’ʼ]ят|шіст|сім|вісім|дев['’ʼ]ят|десят|сот|сто|тисяч|мільйон|півтора|половин|щод(?:ня|енн)|щотиж|щомісяц|щорок|ніколи|жодн)/iu;
/** With a capital letter: "may" is also a verb. */
const MONTH =
  /\b(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b/u;
const CALENDAR =
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:spring|summer|autumn|winter|morning|noon|evening|night|midnight|today|tomorrow|yesterday|century)\b|січ(?:ень|н)|лют(?:ий|ого|ому)|берез(?:ень|н)|квіт(?:ень|н)|трав(?:ень|н)|черв(?:ень|н)|лип(?:ень|н)|серп(?:ень|н)|верес(?:ень|н)|жовт(?:ень|н)|листопад|груд(?:ень|н)|понеділ|вівтор|серед[аиуо]|четвер|п['’ʼ]ятниц|субот|неділ|весн|навесні|літ(?:о|а|ку)|влітку|осен|восени|осін|зим|взимку|ранк|вранці|вечор|увечері|опівдні|полудн|ноч|вночі/iu;
const CURRENCY =
  /[$€£₴¥]\s?\d|\d\s?(?:[$€£₴¥]|usd|eur|uah|грн|гривен|dollars?|euros?|cents?|долар|євро)|\bfree\b|безкоштовн|безплатн/iu;

/** True for "how many N": a passage must name what is counted. */
export const isCount = (question: string): boolean => /\bhow many\b|(?<!\p{L})скільки(?!\p{L})/iu.test(question);

export function answerKindOf(question: string): AnswerKind {
  if (MONEY.test(question)) return "money";
  if (NUMBER.test(question)) return "number";
  return TIME.test(question) ? "time" : "any";
}

export function holdsValue(kind: AnswerKind, passage: string): boolean {
  switch (kind) {
    case "money":
      return CURRENCY.test(passage);
    case "number":
      return DIGIT.test(passage) || NUMERAL.test(passage);
    case "time":
      return DATE.test(passage) || MONTH.test(passage) || CALENDAR.test(passage);
    case "any":
      return true;
  }
}
