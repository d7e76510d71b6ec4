import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { flowerBytes, flowerHues, flowerRings, flowerShape } from "./flower.ts";

const texts = fc.string({ unit: "grapheme", maxLength: 40 });

describe("flower", () => {
  test("the bytes of a slug are the ones that every garden draws", () => {
    expect(flowerBytes("gardener").slice(0, 5)).toEqual([92, 8, 57, 35, 126]);
  });

  test("a flower has five to nine petals in each ring, one of three tips and a hue of its own", () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(1, 2, 3), (text, rings) => {
        const { petals, hue } = flowerShape(text, { sizePx: 24, rings });
        const inRing = petals.filter(({ ring }) => ring === 1).length;
        return (
          inRing === 5 + (flowerBytes(text)[0]! % 5) &&
          petals.length === inRing * rings &&
          [262, 288, 312, 340, 8, 32, 58, 78].includes(hue)
        );
      }),
    );
  });

  test.for([
    [0, 1],
    [9, 1],
    [10, 2],
    [99, 2],
    [100, 3],
  ])("an agent with %i approved proposals has %i rings", ([approvals, rings]) => {
    expect(flowerRings(approvals!)).toBe(rings);
  });

  test("no ring is green", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { hue, innerHues } = flowerShape(text, { sizePx: 24, rings: 3 });
        return [hue, ...innerHues].every((each) => each % 360 <= 90 || each % 360 >= 250);
      }),
    );
  });

  test("a flower under 60 points has neither veins nor seeds", () => {
    const small = flowerShape("gardener", { sizePx: 59, rings: 1 });
    const large = flowerShape("gardener", { sizePx: 60, rings: 1 });
    expect([small, large].map(({ seeds, petals }) => [seeds.length, petals[0]!.vein !== undefined])).toEqual([
      [0, false],
      [9, true],
    ]);
  });

  test("a plant has a stem and three leaves", () => {
    const { stem, leaves } = flowerShape("gardener", { sizePx: 400, rings: 3, hasStem: true });
    expect([stem === undefined, leaves.length]).toEqual([false, 3]);
  });

  test("no two of the first eight agents share a hue, and an older agent keeps its own", () => {
    fc.assert(
      fc.property(fc.uniqueArray(texts, { minLength: 1, maxLength: 8 }), (slugs) => {
        const older = slugs.slice(0, -1);
        const [before, after] = [flowerHues(older), flowerHues(slugs)];
        return (
          new Set(after.values()).size === slugs.length && older.every((slug) => before.get(slug) === after.get(slug))
        );
      }),
    );
  });
});
