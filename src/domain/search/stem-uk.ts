/**
 * What Ukrainian word forms have in common, by endings alone: no dictionary. It need not be a root that a grammar knows; it has
 * to be the same for the forms of one word and, as far as endings can tell, another for other words. Words come in lower case,
 * composed, without apostrophes.
 */
export function stemUk(word: string): string {
  const known = STRANGE.get(word);
  if (known !== undefined) return known;
  if (word.length <= SHORTEST) return settled(word);
  if (word.startsWith("памят")) return "памят";
  const plain = word.replaceAll("ґ", "г");
  const bare = withoutEnding(withoutReflexive(plain));
  return settled(withoutDerivation(bare));
}

const SHORTEST = 3;
const VOWEL = /[аеєиіїоуюя]/;

/** `вчитися`, `навчається`; not `вісь` and not `колись`. */
const withoutReflexive = (word: string): string =>
  word.length > 5 && /(?:ти|ть|[вшлмв]|ло|ла|ли|є|е|ю|у|йте|ючи|ячи)с[яь]$/.test(word) ? word.slice(0, -2) : word;

/** Endings of nouns, adjectives and verbs in one list: which of the three a word is, nobody says. */
const ENDINGS = [
  // nouns of action, beside the verbs that they come from
  "уваннями уванням уваннях уванню уванні ування увань юваннями юванням юваннях юванню юванні ювання ювань",
  "аннями анням аннях анню анні ання ань яннями янням яннях янню янні яння янь",
  // verbs
  "уватимуть уватиме увати уваючи увала ували увало ував уємо уєте уєш уючи ують ує юватимуть юватиме ювати ювала ювали ювало ював",
  "атимуть атиме ати ала али ало ав аємо аєте аєш аючи авши ають ає ай айте яти яла яли яло яв яємо яєте яєш яючи явши яють яє",
  "итимуть итиме ити ила или ило ив имо ите иш ить ивши іти іла іли іло ів іємо ієте ієш іючи ють уть ать ять ючи учи ачи ячи",
  "аєть яєть уєть юєть ієть уться",
  // adjectives
  "іших ішим ішими ішого ішому ішої ішою іша іше іші ішу іший",
  "ього ьому ього ьою ьої ого ому ими іми ої ою ий ій их іх им ім",
  // nouns
  "остями остям остях істю остей ості ість",
  "ями ами ові еві єві ями ях ах ям ам ою ею єю ом ем єм ів їв ей ій ї",
  "я ю є а у и і о е й ь",
]
  .flatMap((line) => line.split(" "))
  .filter((ending, index, all) => all.indexOf(ending) === index)
  .toSorted((a, b) => b.length - a.length);

const BY_LAST = Map.groupBy(ENDINGS, (ending) => ending.at(-1)!);

function withoutEnding(word: string): string {
  for (const ending of BY_LAST.get(word.at(-1)!) ?? []) {
    const left = word.length - ending.length;
    if (left < SHORTEST || !word.endsWith(ending) || !VOWEL.test(word.slice(0, left))) continue;
    return word.slice(0, left);
  }
  return word;
}

/** What makes one part of speech of another: `музичний` and `музика`, `український` and `Україна`, `швидкість` and `швидкий`. */
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
  ["нн", "н"],
];

function withoutDerivation(stem: string): string {
  for (const [suffix, instead] of DERIVED) {
    if (!stem.endsWith(suffix)) continue;
    const left = stem.slice(0, -suffix.length) + instead;
    if (left.length >= SHORTEST && VOWEL.test(left)) return left;
  }
  return stem;
}

/** Sounds that come, go and change with the ending: `скрипок – скрипка – скрипці`, `рік – року`, `камінь – каменя`, `лід – льоду`. */
function settled(stem: string): string {
  let end = stem.replace(/(?<=.)ь$/, "").replaceAll("ьо", "о");
  end = end.replace(/ц$/, "к").replace(/([бвгджзклмнпрстфхцчшщ])\1$/, "$1");
  if (end.length > SHORTEST) {
    end = end.replace(/([бвгджзклмнпрстфхцчшщ])(?:ь?[оеє])([кцн])$/, "$1$2").replace(/ц$/, "к");
    end = end.replace(/([бвгджзклмнпрстфхцчшщ])ін$/, "$1н").replace(/([тдп])ер$/, "$1р");
  }
  return end.replace(/і([бвгджзклмнпрстфхцчшщ])$/, "о$1");
}

/** Forms that no ending explains. */
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
    дні: "ден",
    днів: "ден",
    дня: "ден",
    дням: "ден",
    день: "ден",
    рік: "рок",
    роки: "рок",
    років: "рок",
    очі: "око",
    очей: "око",
    час: "час",
  }),
);
