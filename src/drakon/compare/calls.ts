import { builtinOf, clockOrChance, isMethod, methodOf } from "../expression/keywords.ts";
import type { OutlineEntry } from "./outline.ts";

const CALL = /[\p{L}_][\p{L}\p{M}\p{N}_'’ʼ]*(?:[-.][\p{L}_][\p{L}\p{M}\p{N}_'’ʼ]*)*(?=\()/gu;

/**
 * Names that an icon calls: tools, proposals and other diagrams. Matched by syntax, also inside prose, so that a call hidden
 * in a sentence is found. Built-in functions and methods are left out.
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

/** Words before a bracket that are not calls. */
const KEYWORDS = new Set("і й та або чи не якщо and or not if in з у в".split(" "));
