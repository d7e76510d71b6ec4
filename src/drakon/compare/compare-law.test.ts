import * as fs from "node:fs";
import { describe, expect, it } from "vitest";
import { seeded } from "../../base/testing/seeded.ts";
import { behaviourId } from "../canonical.ts";
import { type Diagram, readDiagram } from "../diagram/diagram.ts";
import { applyOperation } from "../edit/apply-operation.ts";
import { structure } from "../structure/structure.ts";
import { type Items, structuredItems } from "../testing/arbitrary-diagram.ts";
import { arbitraryEdit } from "../testing/arbitrary-edit.ts";
import { contradictions, expectGone, reachedWithout } from "../testing/compared-walks.ts";
import { jsonDiagram } from "../testing/json-diagram.ts";
import { compareDiagrams } from "./compare.ts";

const folder = new URL("../../../test/drakon/", import.meta.url);
const fileIn = (part: string, name: string): string =>
  fs.readFileSync(new URL(`${part}/${encodeURIComponent(name)}`, folder), "utf8");

describe("D-8a L-5 the comparison of a pair", () => {
  it.each<[string, "medium" | "high", string[]]>([
    [
      "continue-becomes-break",
      "medium",
      [
        'the answer "yes" to "погано?" now leads to "звіт", leaving the loop "x; xs", instead of the next item of "x; xs"',
        'reached on other conditions: "use(x)"',
      ],
    ],
    [
      "continue-becomes-return",
      "medium",
      [
        'the answer "yes" to "погано?" now leads to the end, leaving the loop "x; xs", instead of the next item of "x; xs"',
        'reached on other conditions: "use(x)"',
      ],
    ],
    [
      "pays-again",
      "high",
      [
        'can now happen more than once: "pay(x)"',
        '"pay(x)" now leads back to the branch "Перевірка" instead of the branch "Кінець"',
        'reached on other conditions: "refuse(x)"',
      ],
    ],
    [
      "and-guard-dissolved",
      "high",
      [
        'no longer behind the check "element.box" (yes): "hitBox(element.box, x, y)"',
        'the answer "no" to "element.box" now leads to "hitBox(element.box, x, y)" instead of the next item of "id, element; elements"',
      ],
    ],
    [
      "both-answers-lead-to-the-letter",
      "high",
      [
        'no longer behind the check "дозволено?" (yes): "надіслати листа"',
        'the answer "no" to "дозволено?" now leads to "надіслати листа" instead of the end',
      ],
    ],
    [
      "check-stands-in-both",
      "medium",
      [
        'the answer "no" to "small?" now leads to the branch "Exit" instead of the branch "Send"',
        'reached on other conditions: "send-letter(x)"',
      ],
    ],
  ])("%s names what changes", (name, risk, sentences) => {
    const [before, after] = ["before", "after"].map(
      (side) => readDiagram(fileIn("pairs", `${name}.${side}.drakon`)).diagram,
    ) as [Diagram, Diagram];
    const found = compareDiagrams(before, after);
    expect({ risk: found.riskLevel, facts: found.facts.map(({ text }) => text.en) }).toEqual({
      risk,
      facts: sentences,
    });
    expect(found.marks.after.size).toBeGreaterThan(0);
    expect(found.summary.en).not.toContain("no difference");
  });

  it("rates the loss of 13 of 14 icons as high", () => {
    const items: Items = { b: { type: "branch", branchId: 0, one: "1" }, e: { type: "end" } };
    for (let i = 1; i <= 14; i++)
      items[i] = { type: "action", content: `step number ${i}`, one: i === 14 ? "e" : `${i + 1}` };
    const left: Items = { b: items["b"]!, e: items["e"]!, 1: { ...items["1"], one: "e" } };
    const { riskLevel, reasons } = compareDiagrams(jsonDiagram({ items }), jsonDiagram({ items: left }));
    expect([riskLevel, reasons[0]?.en]).toEqual(["high", "most of the procedure is gone: 13 / 14 icons"]);
  });
});

const real = ["examples", "counterexamples"].flatMap((part) =>
  fs.readdirSync(new URL(part, folder)).map((name) => (JSON.parse(fileIn(part, name)) as { items: Items }).items),
);

const ROUNDS = process.env["BLOOM_EVERY_POINT"] ? 5000 : 250;

/** One exit of one icon leads to another icon. */
function redirected(items: Items, chance: () => number): Items {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)]!;
  const exits = Object.entries(items).flatMap(([id, { type, one }]) => [
    ...(one && type !== "select" ? [[id, "one"] as const] : []),
    ...(type === "question" ? [[id, "two"] as const] : []),
  ]);
  const [id, exit] = pick(exits);
  const to = pick(Object.keys(items).filter((one) => !["case", "duration"].includes(String(items[one]!["type"]))));
  return { ...items, [id]: { ...items[id], [exit]: to } };
}

describe("D-8a a comparison after a random change", () => {
  const chance = seeded(12);
  const drawn = (): Items =>
    chance() < 0.5
      ? real[Math.floor(chance() * real.length)]!
      : structuredItems(chance, { size: 4 + Math.floor(chance() * 30), silhouette: chance() < 0.3 });
  const edited = (before: Diagram): Diagram => {
    const applied = applyOperation(before, arbitraryEdit(before, chance));
    return applied.kind === "edited" ? applied.diagram : before;
  };
  it.each<[string, (items: Items, before: Diagram) => Diagram]>([
    ["redirect of an exit", (items) => jsonDiagram({ items: redirected(items, chance) })],
    ["edit", (_, before) => edited(before)],
    ["series of edits", (_, before) => edited(edited(edited(before)))],
  ])("has facts exactly if the behaviour differs, and walks confirm them: %s", (_, change) => {
    let [changed, inOtherForm] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      const items = drawn();
      const before = jsonDiagram({ items });
      const after = change(items, before);
      const [old, now] = [structure(before).tree, structure(after).tree];
      if (!old || !now) continue;
      const found = compareDiagrams(before, after);
      const { facts, sameMeaning } = found;
      const same = behaviourId(old) === behaviourId(now);
      expect([sameMeaning, facts.length === 0], after.source.text).toEqual([same, same]);
      if (same) continue;
      changed++;
      if (facts[0]!.kind === "rewritten") inOtherForm++;
      expect(contradictions(before, after, found, 4), `${before.source.text}\n${after.source.text}`).toEqual([]);
      expectGone(before, after, facts);
      for (const { kind, icons, text } of facts) {
        const [, asked, answer] = (kind === "guard-evaded" && / "([^"]*)" \((yes|no)\)/.exec(text.en)) || [];
        const question = icons.after.find((icon) => after.icons.get(icon)!.text === asked);
        if (question === undefined || icons.after[0] === question) continue;
        expect(
          reachedWithout(after, icons.after[0]!, question, answer as "yes" | "no"),
          `${text.en}\n${before.source.text}\n${after.source.text}`,
        ).toBe(true);
      }
    }
    console.log(`${changed} changed, ${inOtherForm} only in form`);
    expect(changed).toBeGreaterThan(ROUNDS / 8);
    expect(inOtherForm / changed).toBeLessThan(0.01);
  });
});
