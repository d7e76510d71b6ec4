import { createHash } from "node:crypto";
import * as fs from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seeded } from "../../base/testing/seeded.ts";
import { tries } from "../../base/testing/tries.ts";
import { type Diagram, readDiagram } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import { structuredItems, wildItems } from "../testing/arbitrary-diagram.ts";
import { arbitraryText } from "../testing/arbitrary-text.ts";
import { jsonDiagram } from "../testing/json-diagram.ts";
import { flawsOf } from "./crossings/find-flaws.ts";
import { type Drawing, drawDiagram } from "./draw.ts";
import { wrap } from "./measure/wrap-text.ts";
import { drawableItems } from "./testing/drawable-items.ts";
import { plainFlaws } from "./testing/plain-check.ts";
import { xmlFault } from "./testing/well-formed.ts";

const folder = new URL("../../../test/drakon/", import.meta.url);
const files = ["examples", "counterexamples"].flatMap((part) =>
  fs.readdirSync(new URL(part, folder)).map((name) => {
    const text = fs.readFileSync(new URL(`${part}/${encodeURIComponent(name)}`, folder), "utf8");
    return { name: name.replace(".drakon", ""), diagram: readDiagram(text).diagram };
  }),
);
const fileNamed = (name: string): Diagram => files.find((file) => file.name === name)!.diagram;
const ofItems = (items: unknown): Diagram => jsonDiagram({ items });

/** Control-flow icons that are not drawn exactly once. */
function misplaced({ icons }: Diagram, { picture }: Drawing): string[] {
  const places = new Map<string, number>();
  for (const { icon } of picture.icons) if (icon !== undefined) places.set(icon, (places.get(icon) ?? 0) + 1);
  return [...icons.values()]
    .filter(({ id, type }) => (roleOf(type) === "none" ? (places.get(id) ?? 0) > 0 : places.get(id) !== 1))
    .map(({ id, type }) => `${type} ${id}: ${places.get(id) ?? 0}`);
}

/** Lines whose target differs from the file, and exits that are not drawn exactly once. */
function misdrawn({ icons }: Diagram, { picture }: Drawing): string[] {
  const byKey = new Map(picture.icons.map((icon) => [icon.key, icon]));
  const leadsTo = (key: number): string | undefined => {
    const { icon, refersTo, box } = byKey.get(key)!;
    if ((icon ?? refersTo) !== undefined || box.width > 0) return icon ?? refersTo;
    return leadsTo(picture.lines.find(({ from }) => from === key)!.to);
  };
  const drawn = new Map<string, string | undefined>();
  const wrong: string[] = [];
  for (const { fromIcon, exit, to } of picture.lines) {
    if (fromIcon === undefined || exit === undefined) continue;
    const name = `${fromIcon}.${exit}`;
    if (drawn.has(name)) wrong.push(`${name} twice`);
    drawn.set(name, leadsTo(to));
    if (leadsTo(to) !== icons.get(fromIcon)![exit]) wrong.push(`${name} leads to ${leadsTo(to)}`);
  }
  for (const { id, type, final, one, two } of icons.values()) {
    if (final || ["none", "end", "duration"].includes(roleOf(type))) continue;
    if (one !== undefined && !drawn.has(`${id}.one`)) wrong.push(`${id}.one not drawn`);
    if (type === "question" && two !== undefined && !drawn.has(`${id}.two`)) wrong.push(`${id}.two not drawn`);
  }
  return wrong;
}

/** Lines without an arrow head that lead upwards. */
function upwards({ picture }: Drawing): number {
  return picture.lines.filter(({ arrow, points }) => !arrow && points.at(-1)!.y < points[0]!.y).length;
}

describe("examples and counterexamples are drawn", () => {
  it.each(files)("D-8 $name: with every icon and exit once, lines downwards, and no crossing", ({ name, diagram }) => {
    const drawing = drawDiagram(diagram, { name });
    expect(misplaced(diagram, drawing)).toEqual([]);
    expect(misdrawn(diagram, drawing)).toEqual([]);
    expect(upwards(drawing)).toBe(0);
    expect(drawing.findings).toEqual([]);
    expect(flawsOf(drawing.picture)).toEqual([]);
    expect(plainFlaws(drawing.picture)).toEqual([]);
    for (const theme of ["light", "dark", "print"] as const)
      expect(xmlFault(drawDiagram(diagram, { theme }).svg)).toBe(undefined);
  });
});

describe("generated diagrams are drawn", () => {
  it("D-8 without a crossing or a turned question if they are nested", () => {
    for (let seed = 0; seed < tries(400); seed++) {
      const diagram = ofItems(drawableItems(seeded(seed), 5 + (seed % 60), seed % 2 === 1));
      const drawing = drawDiagram(diagram);
      const where = `seed ${seed}`;
      expect(plainFlaws(drawing.picture), where).toEqual([]);
      expect([...drawing.turned], where).toEqual([]);
      expect(misplaced(diagram, drawing), where).toEqual([]);
      expect(misdrawn(diagram, drawing), where).toEqual([]);
      expect(upwards(drawing), where).toBe(0);
    }
  });

  it("D-8 with crossings of lines only, on bridges, and a finding that names the icons", () => {
    let crossed = 0;
    for (let seed = 0; seed < tries(300); seed++) {
      const items =
        seed % 3 === 0
          ? wildItems(seeded(seed), 3 + (seed % 25))
          : structuredItems(seeded(seed), { size: 5 + (seed % 40), silhouette: seed % 3 === 1 });
      const diagram = ofItems(items);
      const drawing = drawDiagram(diagram);
      const flaws = flawsOf(drawing.picture);
      const where = `seed ${seed}`;
      expect(
        flaws.filter(({ kind }) => kind !== "lines cross"),
        where,
      ).toEqual([]);
      expect(flaws.length > 0, where).toBe(plainFlaws(drawing.picture).length > 0);
      expect(flaws.length > 0, where).toBe(drawing.findings.length > 0);
      for (const { code, icon } of drawing.findings)
        expect({ code, isKnownIcon: diagram.icons.has(icon!) }).toEqual({ code: "W-CROSSING", isKnownIcon: true });
      expect(misplaced(diagram, drawing), where).toEqual([]);
      crossed += Number(flaws.length > 0);
    }
    expect(crossed).toBeGreaterThan(tries(30));
  });

  it("D-8 with a question turned and reported if that avoids a crossing", () => {
    const drawing = drawDiagram(fileNamed("ce11-widget-hang-nonplanar"));
    expect([...drawing.turned]).toHaveLength(1);
    expect(drawing.findings).toEqual([]);
  });
});

describe("invalid input is drawn too", () => {
  it("any value gives well-formed XML", () => {
    const exit = fc.oneof(fc.constantFrom("1", "2", "3", "4", "5", "6", "__proto__", "gone"), fc.constant(undefined));
    const types = ["branch", "end", "action", "question", "select", "case", "loopbegin", "loopend", "arrow-loop"];
    const item = fc.record({
      type: fc.constantFrom(...types, "parbegin", "parend", "duration", "shelf", "header", "drakon-image", "nonsense"),
      content: arbitraryText,
      one: exit,
      two: exit,
      side: exit,
      flag1: fc.nat(1),
      branchId: fc.nat(3),
      final: fc.boolean(),
      style: fc.oneof(fc.constant('{"iconBack":"url(javascript:1)"}'), arbitraryText),
    });
    const items = fc.dictionary(fc.constantFrom("1", "2", "3", "4", "5", "6", "__proto__"), item);
    fc.assert(
      fc.property(items, arbitraryText, (some, name) => {
        const diagram = jsonDiagram({ items: some, name, params: name });
        const drawing = drawDiagram(diagram, { focusable: true });
        expect(xmlFault(drawing.svg)).toBe(undefined);
        expect(misplaced(diagram, drawing)).toEqual([]);
        expect(flawsOf(drawing.picture).filter(({ kind }) => kind !== "lines cross")).toEqual([]);
      }),
      { numRuns: tries(400) },
    );
  });

  it.each(["", "null", "[]", "{}", '{"items":3}', '{"items":{"a":null}}', "{"])(
    "the file %j gives well-formed XML",
    (text) => {
      expect(xmlFault(drawDiagram(readDiagram(text).diagram).svg)).toBe(undefined);
    },
  );

  it("an unreachable icon is drawn below the others, with a mark", () => {
    const diagram = ofItems({
      1: { type: "branch", branchId: 0, one: "2" },
      2: { type: "end" },
      3: { type: "action", content: "lost", one: "2" },
    });
    const { picture, svg } = drawDiagram(diagram, { language: "en" });
    const lost = picture.icons.find(({ icon }) => icon === "3")!;
    expect([...lost.marks]).toEqual(["unreachable"]);
    expect(lost.y).toBeGreaterThan(picture.icons.find(({ icon }) => icon === "2")!.y);
    expect(svg).toContain("No line leads to these icons");
  });
});

describe("the SVG", () => {
  const sample = (): Diagram => fileNamed("all icons");

  it("has no scripts and no external references, for any file", () => {
    const evil = '</text><script>alert(1)</script><image href="http://x/y"/>';
    const style = '{"iconBack":"red;background:url(http://x)","color":"expression(1)","iconBorder":"#123456"}';
    const diagram = ofItems({
      1: { type: "branch", branchId: 0, one: "2" },
      2: { type: "action", content: evil, style, link: "javascript:alert(1)", one: "3" },
      3: { type: "drakon-image", image: "4", one: "5" },
      4: { type: "image", content: "data:image/svg+xml;base64,PHN2Zz4=" },
      5: { type: "end" },
    });
    const { svg } = drawDiagram(diagram, { name: evil });
    expect(xmlFault(svg)).toBe(undefined);
    expect(svg).not.toMatch(/<script|<image|javascript:|url\(|expression/);
    expect(svg.replaceAll("http://www.w3.org/2000/svg", "").match(/(?:href|src)\s*="/)).toBe(null);
    expect(svg).toContain("stroke:#123456");
  });

  it("is deterministic, and independent of the order of the file", () => {
    const { json } = sample().source;
    const turned = Object.fromEntries(Object.entries(json["items"] as object).toReversed());
    const again = jsonDiagram({ ...json, items: turned });
    expect(drawDiagram(again).svg).toBe(drawDiagram(sample()).svg);
  });

  it.each([
    ["all icons", "uk", "light", "64c4d352865dc6bc"],
    ["How to tune PID on a quadcopter", "en", "dark", "d492b37cb3028e43"],
  ] as const)("of %s in %s, %s has the expected hash", (name, language, theme, hash) => {
    const { svg } = drawDiagram(fileNamed(name), { name, language, theme });
    expect(createHash("sha256").update(svg).digest("hex").slice(0, 16)).toBe(hash);
  });

  it("labels exits in the reader's language, on their side", () => {
    expect(drawDiagram(sample(), { language: "uk" }).svg).toMatch(/>Так<[\s\S]*>Ні</);
    expect(drawDiagram(sample(), { language: "en" }).svg).toMatch(/>Yes<[\s\S]*>No</);
  });

  it("has an id and a label for every icon, and can be focused with the keyboard", () => {
    const { svg } = drawDiagram(sample(), { language: "en", name: "all icons", focusable: true });
    for (const { id, type } of sample().icons.values()) {
      if (roleOf(type) !== "none") expect(svg.split(`data-icon="${id}"`)).toHaveLength(2);
    }
    expect(svg).toContain("<title>all icons</title>");
    expect(svg).toMatch(/role="group" aria-label="DRAKON diagram/);
    expect(svg).toContain('tabindex="0" role="img" aria-label="action: работай"');
  });

  it("shows counts, heat, marks and badges on icons, and highlights a path", () => {
    const { svg } = drawDiagram(sample(), {
      overlays: new Map([
        ["5", { count: 1234, heat: 0.5, mark: "changed", badge: "<b>" }],
        ["7", { heat: Number.NaN, mark: "removed" }],
      ]),
      highlight: ["2", "6", "5", "13"],
    });
    expect(xmlFault(svg)).toBe(undefined);
    expect(svg).toContain(">1.2k<");
    expect(svg).toContain("&lt;b&gt;");
    expect(svg).toContain('class="step changed p"');
    expect(svg).toMatch(/class="l m p" d="[^"]+" data-from="6" data-to="5"/);
  });

  it("D-8 gives the icons of one vertical one width, branch heads and addresses included", () => {
    const { picture } = drawDiagram(fileNamed("all icons"));
    const upright = picture.icons.filter(
      ({ box: { outline } }) => !["point", "bar", "end", "header", "params", "duration"].includes(outline),
    );
    // The first branch: from its head to its address, straight down.
    const head = upright.find(({ box }) => box.outline === "branch")!;
    const middle = head.x + head.box.width / 2;
    const skewer = upright.filter(({ x, box }) => x + box.width / 2 === middle);
    expect(skewer.map(({ box }) => box.outline)).toEqual(expect.arrayContaining(["branch", "question", "address"]));
    expect(new Set(skewer.map(({ box }) => box.width)).size).toBe(1);
  });

  it.each([
    ["memory ← read-memory(mode: wide, agent: target)", /^memory ← read-memory\($/],
    ["x ← performance_of_every_version_that_was_ever_made", /^performance_of_every_version_that_was_ever_made$/],
    ["f(\n    a_long_argument_name, another_argument, third\n)", /^ {4}another_argument, third$/],
    ["a-tool-with-a-long-kebab-name-of-its-own(x)", /^a-tool-with-a-long-kebab-name-of-its-own\($/],
  ])("D-8 breaks %j after operators and keeps names and indentation whole", (text, line) => {
    const { lines } = wrap(text, { maxWidth: 200 });
    expect(lines.length).toBeGreaterThan(1);
    expect(
      lines.some((one) => line.test(one)),
      lines.join("|"),
    ).toBe(true);
  });

  it("has the requested width", () => {
    expect(drawDiagram(sample(), { width: 500 }).svg).toMatch(/viewBox="0 0 \d+ \d+" width="500"/);
  });
});
