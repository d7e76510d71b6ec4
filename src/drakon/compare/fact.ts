import type { Text } from "../../base/text.ts";
import type { IconId } from "../icon-id.ts";

export const riskLevels = ["low", "medium", "high"] as const;
export type RiskLevel = (typeof riskLevels)[number];

/** One change in what the procedure does, for a reviewer. */
export interface Fact {
  readonly kind: FactKind;
  readonly level: RiskLevel;
  readonly before?: IconId;
  readonly after?: IconId;
  readonly text: Text;
}

/** Risk level and sentence of each kind of change; `{}` is replaced by the quoted text. */
export const factTable = {
  errors: ["high", "the new diagram has errors", "нова діаграма має помилки"],
  "capability-added": ["high", "{} becomes reachable", "{} стає досяжним"],
  "guard-removed": ["high", "a check is removed: {}", "зникає перевірка: {}"],
  "guard-evaded": ["high", "no longer behind the check: {}", "більше не за перевіркою: {}"],
  "guard-reversed": ["high", "the answers of a check are swapped: {}", "відповіді перевірки міняються місцями: {}"],
  "answers-swapped": ["medium", "the answers are swapped: {}", "відповіді міняються місцями: {}"],
  "capability-removed": ["medium", "{} is no longer reachable", "{} більше не досяжне"],
  "call-added": ["medium", "{} is called in one more place", "{} викликається ще в одному місці"],
  "call-changed": ["medium", "a call changes: {}", "змінюється виклик: {}"],
  "threshold-changed": ["medium", "a threshold changes: {}", "змінюється поріг: {}"],
  "condition-changed": ["medium", "a condition changes: {}", "змінюється умова: {}"],
  "order-changed": ["medium", "the order changes: {}", "змінюється порядок: {}"],
  "branch-removed": ["medium", "a branch is removed: {}", "зникає гілка: {}"],
  "loop-added": ["medium", "a loop is added: {}", "додано цикл: {}"],
  "loop-removed": ["medium", "a loop is removed: {}", "зникає цикл: {}"],
  "parallel-added": ["medium", "a parallel block is added", "додано паралельний блок"],
  "stop-changed": [
    "medium",
    "the procedure now stops, or no longer stops, after {}",
    "процедура тепер зупиняється, або вже не зупиняється, за {}",
  ],
  "params-changed": ["medium", "the parameters change", "змінюються параметри"],
  "guard-added": ["low", "a check is added: {}", "додано перевірку: {}"],
  "branch-added": ["low", "a branch is added: {}", "додано гілку: {}"],
  "step-added": ["low", "a step is added: {}", "додано крок: {}"],
  "step-removed": ["low", "a step is removed: {}", "зникає крок: {}"],
  "step-changed": ["low", "a step changes: {}", "змінюється крок: {}"],
} as const satisfies Record<string, readonly [RiskLevel, string, string]>;

export type FactKind = keyof typeof factTable;

export function fact(kind: FactKind, what: string, icons: { before?: IconId; after?: IconId } = {}): Fact {
  const [level, en, uk] = factTable[kind];
  const short = what.replace(/\s+/g, " ").trim();
  const quoted = short.length > MAX_QUOTED ? `${[...short].slice(0, MAX_QUOTED).join("")}…` : short;
  const fill = (sentence: string, quote: string): string =>
    quoted === "" ? sentence.replace(/:? ?\{\}/, "") : sentence.replace("{}", () => quote);
  return { kind, level, ...icons, text: { en: fill(en, `"${quoted}"`), uk: fill(uk, `«${quoted}»`) } };
}

const MAX_QUOTED = 80;
