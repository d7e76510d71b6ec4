import { builtinOf, clockOrChance, isMethod, methodOf } from "../expression/keywords.ts";
import type { OutlineEntry } from "./outline.ts";

const CALL = /[\p{L}_][\p{L}\p{M}\p{N}_'’ʼ]*(?:[-.][\p{L}_][\p{L}\p{M}\p{N}_'’ʼ]*)*(?=\()/gu;

/**
 * Names of what an icon calls: tools, proposals and other diagrams. By their looks, in words too: a call that hides in a
 * sentence must not go unseen. What only computes is left out.
 */
export function callsOf({ icon }: OutlineEntry): string[] {
  if (icon.type === "comment" || icon.type === "duration") return [];
  const texts = [icon.text, icon.secondary ?? ""];
  const names = texts.flatMap((text) => text.match(CALL) ?? []).filter((name) => !computes(name));
  return icon.type === "insertion" ? [icon.text.replace(/\(.*$/s, "").trim(), ...names] : names;
}

function computes(name: string): boolean {
  const last = name.slice(name.lastIndexOf(".") + 1);
  return (
    builtinOf(last) !== undefined ||
    isMethod(methodOf(last)) ||
    clockOrChance(last) !== undefined ||
    KEYWORDS.has(last.toLowerCase())
  );
}

/** Words that may stand before a bracket and call nothing. */
const KEYWORDS = new Set("і й та або чи не якщо and or not if in з у в".split(" "));
