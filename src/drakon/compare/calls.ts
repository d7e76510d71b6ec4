import { isTool, servedBy } from "../../domain/contract/tool.ts";
import type { Icon } from "../diagram/diagram.ts";
import { builtinOf, clockOrChance, isMethod, methodOf } from "../expression/keywords.ts";

const CALL = /[\p{L}_][\p{L}\p{M}\p{N}_'’ʼ]*(?:[-.][\p{L}_][\p{L}\p{M}\p{N}_'’ʼ]*)*(?=\()/gu;

/**
 * Names that an icon calls: tools, proposals and other diagrams. Matched by syntax, also inside prose, so that a call hidden
 * in a sentence is found. Built-in functions and methods are left out.
 */
export function callsOf(icon: Icon): string[] {
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

/**
 * True for an icon with an effect outside the procedure: an output, or a step that calls something that may change the world. A
 * call counts as reading only if it is a tool that serves no output, or its name says so; unknown names may do anything.
 */
export function isOutput(icon: Icon): boolean {
  if (icon.type === "output" || icon.type === "simpleoutput") return true;
  return effectsOf(icon).length > 0;
}

/** The calls of a step that may change the world. */
export const effectsOf = (icon: Icon): string[] =>
  CONDITIONS.has(icon.type) ? [] : callsOf(icon).filter((name) => !reads(name));

const CONDITIONS = new Set(["question", "select", "case", "loopbegin", "loopend"]);
const READING = /^(?:read|search|find|list|get|fetch|load|look|query|count|ask|прочита|чита|знай|шука|пита)/iu;

function reads(name: string): boolean {
  const tool = name.toLowerCase().replaceAll("_", "-");
  return isTool(tool) ? servedBy(tool).length === 0 : READING.test(name);
}
