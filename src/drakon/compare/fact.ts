import type { Text } from "../../base/text.ts";
import type { IconId } from "../icon-id.ts";
import { quotedInBoth } from "./target-names.ts";

export const riskLevels = ["low", "medium", "high"] as const;
export type RiskLevel = (typeof riskLevels)[number];

/** One change in what the procedure does, for a reviewer. */
export interface Fact {
  readonly kind: FactKind;
  readonly level: RiskLevel;
  /** The icon that the sentence is about. */
  readonly before?: IconId;
  readonly after?: IconId;
  /** All icons concerned, in either diagram. */
  readonly icons: { readonly before: readonly IconId[]; readonly after: readonly IconId[] };
  readonly text: Text;
}

/** Risk level and sentence of each kind of change; each `{}` is replaced by the next part. */
export const factTable = {
  errors: ["high", "the new diagram has errors", "нова діаграма має помилки"],
  "mostly-gone": ["high", "most of the procedure is gone: {} icons", "зникає більша частина процедури: {} ікон"],
  "capability-added": ["high", "{} becomes reachable", "{} стає досяжним"],
  "output-removed": ["high", "an output is removed: {}", "зникає вивід: {}"],
  "output-replaced": ["high", "an output is replaced: {}", "вивід замінено: {}"],
  "output-unreached": ["high", "an output is no longer reached: {}", "вивід більше не досягається: {}"],
  "guard-removed": ["high", "a check is removed: {}", "зникає перевірка: {}"],
  "guard-evaded": ["high", "no longer behind the check {} ({}): {}", "більше не за перевіркою {} ({}): {}"],
  "guard-reversed": ["high", "the answers of a check are swapped: {}", "відповіді перевірки міняються місцями: {}"],
  "output-repeated": ["high", "can now happen more than once: {}", "тепер може статися більше одного разу: {}"],
  "exit-changed": ["medium", "{} now leads {} instead of {}", "{} тепер веде {} замість {}"],
  "answers-swapped": ["medium", "the answers are swapped: {}", "відповіді міняються місцями: {}"],
  unreached: ["medium", "no longer reached: {}", "більше не досягається: {}"],
  "newly-reached": ["medium", "reached now, and was not before: {}", "тепер досягається, а раніше ні: {}"],
  "conditions-changed": ["medium", "reached on other conditions: {}", "досягається за інших умов: {}"],
  "step-repeated": ["medium", "can now be done more than once: {}", "тепер може виконуватися більше одного разу: {}"],
  "no-longer-repeated": ["medium", "done at most once now: {}", "тепер виконується щонайбільше раз: {}"],
  "capability-removed": ["medium", "{} is no longer reachable", "{} більше не досяжне"],
  "call-added": ["medium", "{} is called in one more place", "{} викликається ще в одному місці"],
  "call-removed": ["medium", "{} is called in one place less", "{} викликається на одне місце менше"],
  "call-changed": ["medium", "a call changes: {}", "змінюється виклик: {}"],
  "output-added": ["medium", "an output is added: {}", "додано вивід: {}"],
  "output-changed": ["medium", "an output changes: {}", "змінюється вивід: {}"],
  "threshold-changed": ["medium", "a threshold changes: {}", "змінюється поріг: {}"],
  "condition-changed": ["medium", "a condition changes: {}", "змінюється умова: {}"],
  "guard-added": ["medium", "a check is added: {} ({})", "додано перевірку: {} ({})"],
  "question-removed": ["medium", "a question is removed: {}", "зникає запитання: {}"],
  "value-added": ["medium", "a value is set: {}, used in {}", "встановлюється значення: {}, його читає {}"],
  "value-removed": [
    "medium",
    "a value is no longer set: {}, used in {}",
    "значення більше не встановлюється: {}, його читає {}",
  ],
  "value-changed": ["medium", "a value changes: {}, used in {}", "змінюється значення: {}, його читає {}"],
  "order-changed": ["medium", "the order changes: {} now comes {}", "змінюється порядок: {} тепер іде {}"],
  "case-added": ["medium", "a case is added: {}", "додано варіант: {}"],
  "case-removed": ["medium", "a case is removed: {}", "зникає варіант: {}"],
  "cases-reordered": ["medium", "the cases of {} are in another order", "варіанти {} йдуть в іншому порядку"],
  "loop-added": ["medium", "a loop is added: {}", "додано цикл: {}"],
  "loop-removed": ["medium", "a loop is removed: {}", "зникає цикл: {}"],
  "loop-changed": ["medium", "a loop changes: {}", "змінюється цикл: {}"],
  "parallel-added": ["medium", "a parallel block is added", "додано паралельний блок"],
  "parallel-removed": ["medium", "a parallel block is removed", "зникає паралельний блок"],
  "process-added": ["medium", "a parallel process is added", "додано паралельний процес"],
  "process-removed": ["medium", "a parallel process is removed", "зникає паралельний процес"],
  "params-changed": ["medium", "the parameters change: {}", "змінюються параметри: {}"],
  "errors-mended": [
    "medium",
    "the old diagram has errors, the new one has none",
    "стара діаграма має помилки, нова не має",
  ],
  "question-added": [
    "low",
    "a question is added whose answers lead to the same place: {}",
    "додано запитання, відповіді якого ведуть до того самого: {}",
  ],
  "branch-added": ["low", "a branch is added: {}", "додано гілку: {}"],
  "branch-removed": ["low", "a branch is removed: {}", "зникає гілка: {}"],
  "branch-renamed": ["low", "a branch is renamed: {}", "гілку перейменовано: {}"],
  "step-added": ["low", "a step is added: {}", "додано крок: {}"],
  "step-removed": ["low", "a step is removed: {}", "зникає крок: {}"],
  "step-changed": ["low", "a step changes: {}", "змінюється крок: {}"],
  "comment-added": ["low", "a comment is added: {}", "додано коментар: {}"],
  "comment-removed": ["low", "a comment is removed: {}", "зникає коментар: {}"],
  "comment-changed": ["low", "a comment changes: {}", "змінюється коментар: {}"],
  "steps-merged": ["low", "equal steps are drawn as one: {}", "однакові кроки намальовано як один: {}"],
  "step-split": ["low", "a step is drawn once for each way: {}", "крок намальовано окремо для кожного шляху: {}"],
  "condition-negated": [
    "low",
    "a condition is denied and its answers are swapped, which means the same: {}",
    "умову заперечено, а її відповіді переставлено, що означає те саме: {}",
  ],
  rewritten: [
    "low",
    "every icon and every way is the same; only the form of the procedure differs",
    "усі ікони й шляхи ті самі; інша лише форма процедури",
  ],
} as const satisfies Record<string, readonly [RiskLevel, string, string]>;

export type FactKind = keyof typeof factTable;

interface FactIcons {
  readonly before?: IconId;
  readonly after?: IconId;
  /** Further icons concerned. */
  readonly alsoBefore?: readonly IconId[];
  readonly alsoAfter?: readonly IconId[];
}

/** A string is quoted; an empty one is left out with the colon before it. */
export function fact(kind: FactKind, what: string | readonly Text[], icons: FactIcons = {}): Fact {
  const [level, en, uk] = factTable[kind];
  const parts = typeof what === "string" ? (what.trim() === "" ? [] : [quotedInBoth(what)]) : what;
  const fill = (sentence: string, language: "en" | "uk"): string => {
    const words = parts.map((part) => part[language]);
    return words.length === 0 ? sentence.replace(/:? ?\{\}/, "") : sentence.replaceAll("{}", () => words.shift() ?? "");
  };
  const { before, after, alsoBefore = [], alsoAfter = [] } = icons;
  return {
    kind,
    level,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    icons: {
      before: [...new Set([...(before === undefined ? [] : [before]), ...alsoBefore])],
      after: [...new Set([...(after === undefined ? [] : [after]), ...alsoAfter])],
    },
    text: { en: fill(en, "en"), uk: fill(uk, "uk") },
  };
}

/** The same fact with further icons concerned. */
export const concerning = (one: Fact, before: readonly IconId[], after: readonly IconId[]): Fact => ({
  ...one,
  icons: {
    before: [...new Set([...one.icons.before, ...before])],
    after: [...new Set([...one.icons.after, ...after])],
  },
});

/** More facts of one kind than this are summarised in one sentence. */
const MAX_ALIKE = 4;
/** Facts of one kind that the joined sentence quotes. */
const MAX_TOLD = 3;

/** Sorts by risk, the highest first, and joins many facts of one kind. */
export function arranged(facts: readonly Fact[]): Fact[] {
  const groups = Map.groupBy(facts, ({ kind }) => kind);
  const joined = [...groups].flatMap(([kind, alike]) => (alike.length > MAX_ALIKE ? [together(kind, alike)] : alike));
  return joined.toSorted((a, b) => riskLevels.indexOf(b.level) - riskLevels.indexOf(a.level));
}

function together(kind: FactKind, alike: readonly Fact[]): Fact {
  const rest = alike.length - MAX_TOLD;
  const line = (language: "en" | "uk", more: string): string =>
    [...alike.slice(0, MAX_TOLD).map(({ text }) => text[language]), more].join("; ");
  const { before, after } = alike[0]!;
  return {
    kind,
    level: factTable[kind][0],
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    icons: {
      before: [...new Set(alike.flatMap(({ icons }) => icons.before))],
      after: [...new Set(alike.flatMap(({ icons }) => icons.after))],
    },
    text: { en: line("en", `and ${rest} more of this kind`), uk: line("uk", `і ще ${rest} таких`) },
  };
}
