/** Letters that look alike in many typefaces, as pairs of letters first. Names are Latin letters, digits and hyphens already. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/-+/g, ""],
  [/rn/g, "m"],
  [/vv/g, "w"],
  [/cl/g, "d"],
  [/[1li]/g, "l"],
  [/0/g, "o"],
  [/5/g, "s"],
  [/2/g, "z"],
  [/8/g, "b"],
  [/6/g, "g"],
];

/** True for two names that a reader may take for each other: a garden with such a name could pass for one that is trusted. */
export const looksLike = (a: string, b: string): boolean => skeleton(a) === skeleton(b);

const skeleton = (name: string): string => ALIKE.reduce((text, [seen, as]) => text.replace(seen, as), name);
