import * as fs from "node:fs";
import { describe, expect, it } from "vitest";
import { seeded } from "../base/testing/seeded.ts";
import { behaviourId } from "./canonical.ts";
import { checkText } from "./check.ts";
import type { Items } from "./testing/arbitrary-diagram.ts";
import { checkJson } from "./testing/json-diagram.ts";
import { graphTrace, treeTrace } from "./testing/traces.ts";

const folder = new URL("../../test/drakon/examples/", import.meta.url);
const drawn = fs.readdirSync(folder).map((name) => {
  const json = JSON.parse(fs.readFileSync(new URL(encodeURIComponent(name), folder), "utf8")) as { items: Items };
  return { name, items: json.items };
});

/** Puts one fault into one icon; undefined if the icon cannot have it. */
type Fault = (items: Items, id: string, ids: readonly string[], chance: () => number) => Items | undefined;

const change = (items: Items, id: string, fields: Record<string, unknown>): Items => ({
  ...items,
  [id]: { ...items[id]!, ...fields },
});
const without = (items: Items, id: string, field: string): Items => {
  const { [field]: _, ...rest } = items[id]!;
  return { ...items, [id]: rest };
};
const has = (items: Items, id: string, field: string): boolean => Boolean(items[id]![field]);
const of =
  (...types: string[]) =>
  (items: Items, id: string): boolean =>
    types.includes(String(items[id]!["type"]));

const faults: Record<string, Fault> = {
  "the lower exit is dropped": (items, id) => (has(items, id, "one") ? without(items, id, "one") : undefined),
  "the lower exit is blank": (items, id) => (has(items, id, "one") ? change(items, id, { one: "" }) : undefined),
  "the lower exit leads nowhere": (items, id) =>
    has(items, id, "one") ? change(items, id, { one: "99999" }) : undefined,
  "the right exit is dropped": (items, id) => (has(items, id, "two") ? without(items, id, "two") : undefined),
  "the right exit leads nowhere": (items, id) =>
    has(items, id, "two") ? change(items, id, { two: "99999" }) : undefined,
  "the exit leads to another icon": (items, id, ids, chance) =>
    has(items, id, "one") ? change(items, id, { one: ids[Math.floor(chance() * ids.length)]! }) : undefined,
  "the right exit leads to another icon": (items, id, ids, chance) =>
    has(items, id, "two") ? change(items, id, { two: ids[Math.floor(chance() * ids.length)]! }) : undefined,
  "the exit leads to itself": (items, id) => (has(items, id, "one") ? change(items, id, { one: id }) : undefined),
  "the branch id is dropped": (items, id) => (of("branch")(items, id) ? without(items, id, "branchId") : undefined),
  "the branch id is a word": (items, id) =>
    of("branch")(items, id) ? change(items, id, { branchId: "one" }) : undefined,
  "the branch id is used twice": (items, id, ids) => {
    const twin = ids.find((other) => other !== id && items[other]!["type"] === "branch");
    return of("branch")(items, id) && twin ? change(items, id, { branchId: items[twin]!["branchId"] }) : undefined;
  },
  "the question is blank": (items, id) =>
    of("question", "select", "loopbegin")(items, id) ? change(items, id, { content: "" }) : undefined,
  "one end of a pair becomes an action": (items, id) =>
    of("loopbegin", "loopend", "parbegin", "parend")(items, id)
      ? change(items, id, { type: "action", content: "x" })
      : undefined,
  "the text is a number": (items, id) => (has(items, id, "content") ? change(items, id, { content: 5 }) : undefined),
  "the exit is an object": (items, id) => (has(items, id, "one") ? change(items, id, { one: {} }) : undefined),
  "the type is missing": (items, id) => without(items, id, "type"),
  "the type is unknown": (items, id) =>
    of("action")(items, id) ? change(items, id, { type: "frobnicate" }) : undefined,
  "the icon is null": (items, id) => ({ ...items, [id]: null as unknown as Record<string, unknown> }),
};

/** Findings of which at least one must be there, as code and icon. Empty: the mutant keeps the meaning of its graph. */
type Expected = (items: Items, id: string, mutant: Items) => readonly string[];

const typeOf = (items: Items, id: string): string => String(items[id]?.["type"]);
const at =
  (...codes: string[]): Expected =>
  (_, id) =>
    codes.map((code) => `${code} ${id}`);
/** The exit of a final icon is not followed. */
const unlessFinal =
  (expected: Expected): Expected =>
  (items, id, mutant) =>
    items[id]!["final"] === true ? [] : expected(items, id, mutant);
const lostExit = unlessFinal((items, id) => [
  `${typeOf(items, id) === "select" ? "E-SELECT-NO-CASE" : "E-MISSING-EXIT"} ${id}`,
]);

/** Icons that the exits of an icon lead to, itself included. */
function reachedFrom(items: Items, id: string): string[] {
  const found = new Set([id]);
  for (const one of found)
    for (const field of ["one", "two"]) {
      const to = items[one]?.[field];
      if (typeof to === "string" && items[to]) found.add(to);
    }
  return [...found];
}

const WAYS = [
  "CYCLE-NO-ARROW",
  "LOOP-ENTRY",
  "LOOP-RESTART",
  "LOOP-UNPAIRED",
  "PAR-ESCAPE",
  "PAR-UNPAIRED",
  "PROCESS-ENTRY",
];
const MOVED = [...WAYS, "CROSS-BRANCH", "WRONG-TARGET", "SELECT-NO-CASE", "CASE-STRAY"].map((code) => `E-${code}`);
/** A moved line is reported at its origin or target, or where it meets lines that it must not meet: below its old or new target. */
const movedLine =
  (field: "one" | "two"): Expected =>
  (items, id, mutant) =>
    [items[id]![field], mutant[id]![field]]
      .flatMap((to) => [id, ...reachedFrom(items, String(to))])
      .flatMap((icon) => MOVED.map((code) => `${code} ${icon}`));

const lostRight: Expected = (items, id) => {
  const next = String(items[id]!["two"]);
  const codes: Readonly<Record<string, string>> = {
    question: `E-MISSING-EXIT ${id}`,
    case: `E-CASE-STRAY ${next}`,
    parbegin: `W-UNREACHABLE ${next}`,
  };
  return [codes[typeOf(items, id)]!];
};

const itself: Expected = (items, id) => {
  const codes: Readonly<Record<string, readonly string[]>> = {
    branch: [],
    "arrow-loop": ["W-ENDLESS"],
    select: ["E-SELECT-NO-CASE"],
    case: ["E-WRONG-TARGET"],
    loopbegin: ["E-LOOP-UNPAIRED"],
    loopend: ["E-LOOP-ENTRY"],
    parbegin: ["E-PROCESS-ENTRY", "E-PAR-ESCAPE"],
    parend: ["E-PAR-ESCAPE", "E-PROCESS-ENTRY"],
  };
  return (codes[typeOf(items, id)] ?? ["E-CYCLE-NO-ARROW", "E-PAR-ESCAPE"]).map((code) => `${code} ${id}`);
};

/** The other end of the pair is reported, or the line that now leads into the block. */
const brokenPair: Expected = (items, id, mutant) => {
  const [code, other] = {
    loopbegin: ["E-LOOP-UNPAIRED", "loopend"],
    loopend: ["E-LOOP-UNPAIRED", "loopbegin"],
    parbegin: ["E-PAR-UNPAIRED", "parend"],
    parend: ["E-PAR-ESCAPE", "action"],
  }[typeOf(items, id)] as [string, string];
  const ends = Object.keys(mutant).filter((icon) => typeOf(mutant, icon) === other);
  const chained = Object.keys(mutant).filter((icon) => mutant[icon]!["two"] === id);
  return [...ends.map((icon) => `${code} ${icon}`), ...chained.map((icon) => `E-WRONG-TARGET ${icon}`)];
};

const expectations: Readonly<Record<keyof typeof faults, Expected>> = {
  "the lower exit is dropped": lostExit,
  "the lower exit is blank": lostExit,
  "the lower exit leads nowhere": unlessFinal(at("E-DANGLING")),
  "the right exit is dropped": lostRight,
  "the right exit leads nowhere": at("E-DANGLING"),
  "the exit leads to another icon": unlessFinal(movedLine("one")),
  "the right exit leads to another icon": movedLine("two"),
  "the exit leads to itself": unlessFinal(itself),
  "the branch id is dropped": at("E-BRANCHID"),
  "the branch id is a word": at("E-BRANCHID"),
  "the branch id is used twice": at("E-BRANCHID"),
  "the question is blank": (items, id) => {
    const codes = { question: "E-EMPTY-QUESTION", select: "E-EMPTY-SELECT", loopbegin: "E-EMPTY-LOOP" };
    return [`${codes[typeOf(items, id) as keyof typeof codes]} ${id}`];
  },
  "one end of a pair becomes an action": brokenPair,
  "the text is a number": at("E-FIELD"),
  "the exit is an object": at("E-FIELD"),
  "the type is missing": at("E-FIELD"),
  "the type is unknown": at("W-UNKNOWN-TYPE"),
  "the icon is null": at("E-ITEM"),
};

/** A line may lead to many places without being wrong. */
const MAY_BE_RIGHT = new Set(["the exit leads to another icon", "the right exit leads to another icon"]);

const oracle =
  (seed: number) =>
  (icon: string, visit: number, choices: number): number => {
    const chance = seeded(seed * 31 + visit * 17 + [...icon].reduce((sum, char) => sum * 33 + char.charCodeAt(0), 5));
    chance();
    return Math.floor(chance() * choices);
  };

describe("D-2 a diagram with one fault", () => {
  it.each(Object.entries(faults))("has the expected finding at the expected icon: %s", (fault, make) => {
    const chance = seeded(fault.length);
    const tally = { named: 0, accepted: 0, wrong: [] as string[] };
    for (const { name, items } of drawn) {
      const ids = Object.keys(items);
      for (const id of ids) {
        const mutant = make(items, id, ids, chance);
        if (!mutant) continue;
        const { diagram, tree, findings } = checkJson({ items: mutant });
        const found = new Set(findings.map(({ code, icon }) => `${code} ${icon}`));
        const expected = expectations[fault]!(items, id, mutant);
        if (expected.some((one) => found.has(one))) tally.named++;
        else if (!tree || (expected.length > 0 && !MAY_BE_RIGHT.has(fault)))
          tally.wrong.push(`${name} ${id} (${typeOf(items, id)}): ${[...found].join(", ")}`);
        else {
          const agree = [0, 1, 2, 3].every(
            (seed) => graphTrace(diagram, oracle(seed)).join() === treeTrace(tree, oracle(seed)).join(),
          );
          if (agree) tally.accepted++;
          else tally.wrong.push(`${name} ${id}: accepted with another meaning`);
        }
      }
    }
    console.log(
      `${fault}: ${tally.named} named, ${tally.accepted} accepted with the graph's meaning, ${tally.wrong.length} wrong`,
    );
    expect(tally.wrong.slice(0, 5)).toEqual([]);
    expect(tally.named).toBeGreaterThan(0);
  });

  it("a line into the second process of a parallel block is reported at both ends", () => {
    const items = {
      1: { type: "branch", branchId: 0, one: "2" },
      2: { type: "question", content: "q", one: "3", two: "4", flag1: 1 },
      3: { type: "parbegin", one: "6", two: "4" },
      4: { type: "parbegin", one: "6" },
      6: { type: "parend", one: "7" },
      7: { type: "end" },
    };
    const { tree, findings } = checkJson({ items });
    expect(tree).toBeUndefined();
    expect(findings.map(({ code, icon }) => `${code} ${icon}`)).toEqual(["E-PROCESS-ENTRY 4", "E-PROCESS-ENTRY 2"]);
  });

  it("an unreachable icon is reported, and the rest keeps its meaning", () => {
    for (const { items } of drawn) {
      const { tree, findings } = checkJson({
        items: { ...items, orphan: { type: "action", content: "lost", one: Object.keys(items)[0]! } },
      });
      expect(tree).toBeDefined();
      expect(findings.filter(({ icon }) => icon === "orphan").map(({ code }) => code)).toEqual(["W-UNREACHABLE"]);
    }
  });
});

describe("D-2 any input", () => {
  const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
  it.each([
    ["an empty file", "", "E-NO-BRANCH"],
    ["white space", " \n", "E-NO-BRANCH"],
    ["an empty object", "{}", "E-NO-BRANCH"],
    ["null", "null", "E-JSON"],
    ["a number", "5", "E-JSON"],
    ["an array", "[]", "E-JSON"],
    ["a string", '"x"', "E-JSON"],
    ["half a file", '{"items": {"1":', "E-JSON"],
    ["deep nesting", nested(100_000), "E-JSON"],
    ["items that are a list", '{"items": []}', "E-FIELD"],
    ["items that are null", '{"items": null}', "E-FIELD"],
    ["icons that are numbers", '{"items": {"1": 2}}', "E-ITEM"],
    ["a file above the size limit", `"${"x".repeat(33 * 1024 * 1024)}"`, "E-TOO-LARGE"],
  ])("is reported without a crash: %s", (_, text, code) => expect(checkText(text).findings[0]?.code).toBe(code));

  it.each(["question", "select", "parbegin", "loopbegin", "arrow-loop", "branch"])(
    "with `final` on a %s is reported without a crash",
    (type) => {
      const items = {
        1: { type: "branch", branchId: 0, one: "2" },
        2: { type, content: "x", branchId: 1, final: true },
        4: { type: "end" },
      };
      expect(
        checkJson({ items }).findings.some(
          ({ code, icon, field }) => code === "E-FIELD" && icon === "2" && field === "final",
        ),
      ).toBe(true);
    },
  );

  it("with deep values and lone surrogates is read without a crash", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const odd = {
      items: {
        1: { type: "branch", branchId: 0, one: "2" },
        2: { type: "action", content: "\ud800", one: "3" },
        3: { type: "end" },
      },
    };
    expect(checkText(`{"items":{"1":{"type":"end","x":${deep}}}}`).tree).toBeUndefined();
    expect(behaviourId(checkJson(odd).tree!)).toHaveLength(40);
  });

  it("may have names of JavaScript members as ids", () => {
    const items =
      '{"items":{"__proto__":{"type":"branch","branchId":0,"one":"constructor"},"constructor":{"type":"action","content":"x","one":"toString"},"toString":{"type":"end"}}}';
    const { tree, findings } = checkText(items);
    expect(findings).toEqual([]);
    expect(tree?.branches[0]?.icon).toBe("__proto__");
  });

  it("may be wrapped in the envelope of .drakon.json", () => {
    const bare = { name: "x", items: { 1: { type: "branch", branchId: 0, one: "2" }, 2: { type: "end" } } };
    const enveloped = {
      version: 1,
      id: "d",
      name: "from the envelope",
      createdAt: "",
      updatedAt: "",
      diagram: { items: bare.items },
    };
    expect(checkJson(bare).diagram.name).toBe("x");
    expect(checkJson(enveloped)).toMatchObject({ diagram: { name: "from the envelope" }, findings: [] });
  });
});
