/**
 * Ukrainian stemmer, by endings alone, without a dictionary. The stem need not be a linguistic root; it must be equal
 * for the forms of one word and, as far as endings allow, different for other words. Expects lower case, composed,
 * without apostrophes.
 *
 * It removes twice: first an ending, then what may be an ending in one word and part of another (`проблем` beside
 * `учителем`, `матеріал` beside `писала`). The second step applies to every form, so the forms of a word stay
 * together.
 */
export function stemUk(word: string): string {
  const known = STRANGE.get(word);
  if (known !== undefined) return known;
  if (word.length <= SHORTEST) return settled(word);
  const bare = without(ENDINGS, withoutReflexive(word.replaceAll("ґ", "г")));
  return settled(without(THEMES, single(withoutDerivation(bare))));
}

const SHORTEST = 3;
const VOWEL = /[аеєиіїоуюя]/;
const CONSONANT = "[бвгджзклмнпрстфхцчшщ]";

/** `вчитися`, `навчається`; not `вісь` and not `колись`. */
const withoutReflexive = (word: string): string =>
  word.length > 5 && /(?:ти|ть|[вшлм]|ло|ла|ли|є|е|ю|у|йте|ючи|ячи)с[яь]$/.test(word) ? word.slice(0, -2) : word;

type Endings = ReadonlyMap<string, readonly string[]>;

/** Grouped by last letter, longest first. */
const endings = (...lines: string[]): Endings =>
  Map.groupBy(
    [...new Set(lines.flatMap((line) => line.split(" ")))].toSorted((a, b) => b.length - a.length),
    (ending) => ending.at(-1)!,
  );

/** Nouns, adjectives and verbs in one list, because the part of speech is unknown. */
const ENDINGS = endings(
  "іших ішим ішими ішого ішому ішої ішою іша іше іші ішу іший",
  "ього ьому ьою ьої ого ому ими іми ої ою ий ій их іх им ім",
  "остями остям остях істю остей ості ість",
  "ями ами ові еві єві ях ах ям ам ею єю ом ем єм ів їв ей ї",
  "єть ить ать ять уть ють емо ємо имо ете єте ите еш єш иш учи ючи ачи ячи вши",
  "я ю є а у и і о е й ь",
);

/** Possible remains of an ending that may also be part of the word. */
const THEMES = endings(
  "ува юва ував ював увал ювал уват юват уван юван",
  "ан ян ал ял ил іл ав яв ив ів ат ят ит іт ем ом ам ям ах ях",
  "а я и і у е є ю",
);

function without(list: Endings, word: string): string {
  for (const ending of list.get(word.at(-1) ?? "") ?? []) {
    const left = word.length - ending.length;
    if (left >= SHORTEST && word.endsWith(ending) && VOWEL.test(word.slice(0, left))) return word.slice(0, left);
  }
  return word;
}

/** Derivations between parts of speech: `музичний` and `музика`, `український` and `Україна`. */
const DERIVED: readonly (readonly [suffix: string, instead: string])[] = [
  ["ичн", "ик"],
  ["ічн", "ік"],
  ["альн", ""],
  ["івськ", ""],
  ["овськ", ""],
  ["ськ", ""],
  ["цьк", "к"],
  ["овн", "ов"],
  ["ков", "к"],
];

function withoutDerivation(stem: string): string {
  for (const [suffix, instead] of DERIVED) {
    if (!stem.endsWith(suffix)) continue;
    const left = stem.slice(0, -suffix.length) + instead;
    if (left.length >= SHORTEST && VOWEL.test(left)) return left;
  }
  return stem;
}

const DOUBLE = new RegExp(`(${CONSONANT})\\1$`);
const single = (stem: string): string => stem.replace(DOUBLE, "$1");

const FLEETING = new RegExp(`(${CONSONANT})ь?[оеє]([кцн])$`);
const FLEETING_I = new RegExp(`(${CONSONANT})ін$`);
const CLOSED = new RegExp(`і(${CONSONANT})$`);

/**
 * Vowels and consonants that alternate with the ending: `скрипок – скрипка – скрипці`, `рік – року`, `камінь –
 * каменя`, `лід – льоду`.
 */
function settled(stem: string): string {
  let end = single(
    stem
      .replace(/(?<=.)ь$/, "")
      .replaceAll("ьо", "о")
      .replace(/ц$/, "к"),
  );
  if (end.length > SHORTEST)
    end = end
      .replace(FLEETING, "$1$2")
      .replace(/ц$/, "к")
      .replace(FLEETING_I, "$1н")
      .replace(/([тдп])ер$/, "$1р");
  return end.replace(CLOSED, "о$1");
}

/** Irregular forms. */
const STRANGE = new Map(
  Object.entries({
    людина: "людин",
    люди: "людин",
    людей: "людин",
    людям: "людин",
    людьми: "людин",
    діти: "дитин",
    дітей: "дитин",
    дітям: "дитин",
    папір: "папр",
    паперу: "папр",
    паперів: "папр",
    папери: "папр",
    день: "ден",
    дня: "ден",
    дні: "ден",
    днів: "ден",
    дням: "ден",
    очі: "око",
    очей: "око",
  }),
);
