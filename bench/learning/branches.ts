import { between, called, FAILS, given, letter, type Making, reads, type SceneMaker, writes } from "./scene.ts";

/** Rate at which the needless branch is taken, and its failure rate. */
function visits({ share, chance }: Making): { taken: number; bad: number } {
  const bad = between(chance(), Math.max(0.5, share / 0.6), 1);
  return { taken: share / bad, bad };
}

/** A short cut past a check that is needed. */
const shortCut: SceneMaker = (making) => {
  const { n } = making;
  const { taken, bad } = visits(making);
  const [draft, check, save] = [`draft-${letter(n)}`, `proof-read-${letter(n)}`, `hand-in-${letter(n)}`];
  const ask = `text${n}.kind = "memo"`;
  const step = `text${n} ← ${check}(text${n})`;
  return {
    kind: "branch",
    shape: "short cut",
    healthy: [`text${n} ← ${draft}(topic)`, step, `out${n} ← ${save}(text${n})`],
    faulty: [`text${n} ← ${draft}(topic)`, `IF NOT ${ask}`, `  ${step}`, `out${n} ← ${save}(text${n})`],
    truth: [ask, step],
    tools: {
      [draft]: reads(280, (_, now) => ({
        kind: now.chance(draft) < taken ? "memo" : "letter",
        proof: false,
        part: Math.floor(now.chance(`${draft}p`) * 1e6),
      })),
      [check]: reads(150, (payload) => ({ ...(given(payload) as object), proof: true })),
      [save]: writes(30, () => "handed in"),
    },
    wrong: (now) =>
      now.chance(`${save}bad`) < bad &&
      called(now, save).some(({ payload }) => !(given(payload) as { proof: boolean }).proof),
  };
};

/** A way round that leads through something that breaks. */
const detour: SceneMaker = (making) => {
  const { n } = making;
  const { taken, bad } = visits(making);
  const [open, turn, sum] = [`open-source-${letter(n)}`, `convert-${letter(n)}`, `sum-up-${letter(n)}`];
  const ask = `src${n}.format = "old"`;
  const step = `src${n} ← ${turn}(src${n})`;
  return {
    kind: "branch",
    shape: "detour",
    healthy: [`src${n} ← ${open}(topic)`, `out${n} ← ${sum}(src${n})`],
    faulty: [`src${n} ← ${open}(topic)`, `IF ${ask}`, `  ${step}`, `out${n} ← ${sum}(src${n})`],
    truth: [ask, step],
    tools: {
      [open]: reads(140, (_, now) => ({ format: now.chance(open) < taken ? "old" : "new", lines: 40 })),
      [turn]: reads(160, (payload, now) =>
        now.chance(turn) < bad ? FAILS : { ...(given(payload) as object), format: "new" },
      ),
      [sum]: reads(170, () => "a summary"),
    },
    wrong: () => false,
  };
};

/** One case of a choice has a branch of its own, which is faulty. */
const oddCase: SceneMaker = (making) => {
  const { n } = making;
  const { taken, bad } = visits(making);
  const [sort, file, burn] = [`sort-mail-${letter(n)}`, `file-${letter(n)}`, `auto-reply-${letter(n)}`];
  const lines = (odd: readonly string[]): string[] => [
    `sort${n} ← ${sort}(topic)`,
    `SELECT sort${n}`,
    '  CASE "letter"',
    `    out${n} ← ${file}("letters", topic)`,
    ...odd,
    '  CASE "bill"',
    `    out${n} ← ${file}("bills", topic)`,
    "  OTHERWISE",
    `    out${n} ← ${file}("other", topic)`,
  ];
  const step = `out${n} ← ${burn}(topic)`;
  return {
    kind: "branch",
    shape: "odd case",
    healthy: lines([]),
    faulty: lines(['  CASE "offer"', `    ${step}`]),
    truth: [`sort${n}`, '"offer"', step],
    tools: {
      [sort]: reads(90, (_, now) => {
        const u = now.chance(sort);
        if (u < taken) return "offer";
        return u < taken + (1 - taken) * 0.4 ? "letter" : u < taken + (1 - taken) * 0.8 ? "bill" : "card";
      }),
      [file]: writes(30, () => "filed"),
      [burn]: writes(60, () => "answered"),
    },
    wrong: (now) => now.chance(`${burn}bad`) < bad && called(now, burn).length > 0,
  };
};

/** A model is asked whether something is worth it, and turns good work away. */
const turnedAway: SceneMaker = (making) => {
  const { n } = making;
  const { taken, bad } = visits(making);
  const [look, make] = [`look-at-${letter(n)}`, `make-page-${letter(n)}`];
  const ask = `Is the matter of view${n} too small?`;
  const step = `out${n} ← ${make}(view${n})`;
  return {
    kind: "branch",
    shape: "turned away",
    healthy: [`out${n} ← "left out"`, `view${n} ← ${look}(topic)`, step],
    faulty: [`out${n} ← "left out"`, `view${n} ← ${look}(topic)`, `IF NOT ${ask}`, `  ${step}`],
    truth: [ask, step],
    tools: {
      [look]: reads(110, (_, now) => `view ${Math.floor(now.chance(`${look}v`) * 1e6)}`),
      [`words:${ask}`]: reads(60, (_, now) => now.chance(look) < taken),
      [make]: reads(210, () => "a page"),
    },
    wrong: (now) => now.chance(`${make}bad`) < bad && called(now, make).length === 0 && called(now, look).length > 0,
  };
};

export const branchScenes: readonly SceneMaker[] = [shortCut, detour, oddCase, turnedAway];
