import type { Text } from "../../base/text.ts";
import type { Fact } from "./fact.ts";

const MAX_FACTS = 3;

/** One line: icon counts, and the first facts. */
export function changeSummary(of: {
  readonly added: readonly unknown[];
  readonly removed: readonly unknown[];
  readonly changed: readonly unknown[];
  readonly moved: readonly unknown[];
  readonly sameMeaning: boolean;
  readonly facts: readonly Fact[];
}): Text {
  const { added, removed, changed, moved, facts } = of;
  const counts: Text[] = [];
  if (added.length > 0) counts.push(icons("+", added.length));
  if (removed.length > 0) counts.push(icons("−", removed.length));
  if (changed.length > 0) counts.push({ en: `changed: ${changed.length}`, uk: `змінено: ${changed.length}` });
  if (moved.length > 0) counts.push({ en: `moved: ${moved.length}`, uk: `переміщено: ${moved.length}` });
  if (counts.length === 0 && facts.length === 0) return { en: "no difference", uk: "без змін" };
  if (of.sameMeaning) counts.push({ en: "the meaning is the same", uk: "зміст той самий" });
  const told = facts.slice(0, MAX_FACTS).map(({ text }) => text);
  if (facts.length > MAX_FACTS)
    told.push({ en: `and ${facts.length - MAX_FACTS} more`, uk: `і ще ${facts.length - MAX_FACTS}` });
  const line = (language: "en" | "uk"): string =>
    [counts, told]
      .map((parts) => parts.map((part) => part[language]).join(parts === counts ? ", " : "; "))
      .filter((part) => part !== "")
      .join(": ");
  return { en: line("en"), uk: line("uk") };
}

function icons(sign: string, count: number): Text {
  const [tens, ones] = [count % 100, count % 10];
  const few = ones > 1 && ones < 5 && !(tens > 11 && tens < 15);
  const uk = ones === 1 && tens !== 11 ? "ікона" : few ? "ікони" : "ікон";
  return { en: `${sign}${count} ${count === 1 ? "icon" : "icons"}`, uk: `${sign}${count} ${uk}` };
}
