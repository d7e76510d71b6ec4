import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkText } from "../check.ts";
import { comparePrograms } from "../compare/compare-programs.ts";
import { readProgram } from "../diagram-program.ts";
import { diagramFromTree } from "../from-tree/diagram-from-tree.ts";
import { parsePseudocode } from "../text/parse.ts";
import { joinDiagrams, splitDiagrams } from "./called-diagrams.ts";

const drawn = (name: string, ...lines: string[]): string => {
  const { tree } = parsePseudocode(`BEGIN "${name}"\n\n${lines.map((line) => `  ${line}`).join("\n")}\n\nEND\n`);
  return diagramFromTree(tree!).source.text;
};

const CHECK = "check.drakon.json";
const MAIN = drawn("Main", "CALL check", "read-notes()");
const held = (text: string): string => joinDiagrams({ main: MAIN, called: new Map([[CHECK, text]]) });

test("D-1 a file with called diagrams gives back each of them, and the main one byte for byte", () => {
  const file = fc.constantFrom("a.drakon.json", "b.drakon.json", "перевірка тегів.drakon.json");
  const layout = fc.constantFrom(undefined, 1, 2, "\t");
  fc.assert(
    fc.property(
      layout,
      fc.array(fc.tuple(file, fc.string(), layout), { maxLength: 3 }),
      fc.string(),
      (space, parts, name) => {
        const main = `${JSON.stringify({ name, items: {}, other: [1, { a: 2 }] }, null, space)}\n`;
        const called = new Map(
          parts.map(([one, text, inner]) => [one, `${JSON.stringify({ items: {}, text }, null, inner)}\n`]),
        );
        const back = splitDiagrams(joinDiagrams({ main, called }));
        expect(back.main).toBe(main);
        expect(new Map(back.called)).toEqual(called);
      },
    ),
  );
});

describe("a file that holds called diagrams", () => {
  test("means the same as before to a program that does not know of them", () => {
    expect(checkText(held(drawn("Check", "read-notes()"))).tree).toEqual(checkText(MAIN).tree);
  });

  test("has another behaviour if a called diagram changes, and its own if it calls nothing", () => {
    const [one, other] = [held(drawn("Check", "read-notes()")), held(drawn("Check", "search-notes(q=1)"))];
    expect(readProgram(one).behaviour).not.toBe(readProgram(other).behaviour);
    const plain = drawn("Main", "read-notes()");
    const unused = joinDiagrams({ main: plain, called: new Map([[CHECK, drawn("Check", "read-notes()")]]) });
    expect(readProgram(unused).behaviour).toBe(readProgram(plain).behaviour);
  });

  test.each(["../../escape.drakon.json", "folder/x.drakon.json", "x.json", ".drakon.json/.."])(
    "does not hold %s: a name with a path would be written elsewhere",
    (name) => {
      const text = JSON.stringify({ items: {}, calledDiagrams: { [name]: { items: {} } } });
      expect([...splitDiagrams(text).called.keys()]).toEqual([]);
    },
  );

  test("D-8a is compared with all of them: a tool that only a called diagram gains is not a low risk", () => {
    const { main, called, riskLevel, reasons } = comparePrograms(
      held(drawn("Check", "read-notes()")),
      held(drawn("Check", "read-notes()", 'create-proposal(action="propose-note")')),
    );
    expect(main.sameMeaning).toBe(true);
    expect(called.map(({ file, change }) => [file, change])).toEqual([[CHECK, "changed"]]);
    expect(riskLevel).not.toBe("low");
    expect(reasons[0]?.en).toContain("in “check”:");
  });

  test("is no change of what an older version called and did not hold", () => {
    const { called, riskLevel } = comparePrograms(MAIN, held(drawn("Check", "read-notes()")));
    expect(called.map(({ change }) => change)).toEqual(["recorded"]);
    expect(riskLevel).toBe("low");
  });
});
