import { between, called, FAILS, given, letter, type Making, reads, type SceneMaker, whole, writes } from "./scene.ts";

/** A right limit on a scale, and a wrong one with the wanted share of values between the two. */
function limits({ chance, share }: Making, top: number): { right: number; wrong: number } {
  const low = between(chance(), 0.2, 0.8 - share);
  const [below, above] = [low, low + share].map((at) => Math.round(at * top)) as [number, number];
  return chance() < 0.5 ? { right: below, wrong: above } : { right: above, wrong: below };
}

/** Threshold for publishing. */
const score: SceneMaker = (making) => {
  const { n } = making;
  const { right, wrong } = limits(making, 100);
  const [rate, publish, shelve] = [`rate-${letter(n)}`, `publish-${letter(n)}`, `shelve-${letter(n)}`];
  const lines = (limit: number): string[] => [
    `score${n} ← ${rate}(topic)`,
    `IF score${n} > ${limit}`,
    `  out${n} ← ${publish}(topic)`,
    "ELSE",
    `  out${n} ← ${shelve}(topic)`,
  ];
  return {
    kind: "threshold",
    shape: "score",
    healthy: lines(right),
    faulty: lines(wrong),
    truth: [`score${n} > ${wrong}`],
    tools: {
      [rate]: reads(180, (_, now) => Math.floor(now.chance(rate) * 100)),
      [publish]: writes(40, () => "published"),
      [shelve]: writes(40, () => "shelved"),
    },
    wrong: (now) =>
      called(now, rate).some(({ value }) => (value as number) > right !== called(now, publish).length > 0),
  };
};

/** Minimum number of items for an expensive step. */
const listLength: SceneMaker = (making) => {
  const { n } = making;
  const limit = limits({ ...making, share: Math.max(making.share, 0.12) }, 20);
  const [right, wrong] = [Math.min(limit.right, limit.wrong - 1), Math.max(limit.wrong, limit.right + 1)].toSorted(
    (a, b) => b - a,
  ) as [number, number];
  const [list, group, each] = [`list-notes-${letter(n)}`, `group-${letter(n)}`, `describe-${letter(n)}`];
  const lines = (least: number): string[] => [
    `notes${n} ← ${list}(folder)`,
    `IF length(notes${n}) ≥ ${least}`,
    `  out${n} ← ${group}(notes${n})`,
    "ELSE",
    `  out${n} ← ${each}(notes${n})`,
  ];
  return {
    kind: "threshold",
    shape: "length of a list",
    healthy: lines(right),
    faulty: lines(wrong),
    truth: [`length(notes${n}) ≥ ${wrong}`],
    tools: {
      [list]: reads(60, (_, now) =>
        Array.from({ length: Math.floor(now.chance(list) * 20) + 1 }, (_item, i) => `n${i}`),
      ),
      [group]: reads(150, (payload) => ((given(payload) as unknown[]).length < right ? FAILS : "groups")),
      [each]: reads(150, () => "descriptions"),
    },
    wrong: () => false,
  };
};

/** Maximum length of a text before it is shortened. */
const words: SceneMaker = (making) => {
  const { n } = making;
  const limit = limits(making, 400);
  const [right, wrong] = [limit.right, limit.wrong];
  const [read, shorten, keep] = [`read-entry-${letter(n)}`, `shorten-${letter(n)}`, `take-${letter(n)}`];
  const lines = (most: number): string[] => [
    `entry${n} ← ${read}(topic)`,
    `IF entry${n}.size > ${most}`,
    `  out${n} ← ${shorten}(entry${n})`,
    "ELSE",
    `  out${n} ← ${keep}(entry${n})`,
  ];
  return {
    kind: "threshold",
    shape: "size of a record",
    healthy: lines(right),
    faulty: lines(wrong),
    truth: [`entry${n}.size > ${wrong}`],
    tools: {
      [read]: reads(160, (_, now) => ({ size: Math.floor(now.chance(read) * 400), lang: "uk" })),
      [shorten]: reads(220, () => "short"),
      [keep]: reads(20, () => "as it is"),
    },
    wrong: (now) =>
      called(now, read).some(
        ({ value }) => (value as { size: number }).size > right !== called(now, shorten).length > 0,
      ),
  };
};

/** Which items of a list are old enough to be put away. */
const age: SceneMaker = (making) => {
  const { n, share } = making;
  const each = 1 - (1 - share) ** (1 / 2);
  const { right, wrong } = limits({ ...making, share: Math.min(each, 0.3) }, 365);
  const [list, look, away] = [`list-tasks-${letter(n)}`, `look-up-${letter(n)}`, `put-away-${letter(n)}`];
  const lines = (limit: number): string[] => [
    `out${n} ← "tidy"`,
    `tasks${n} ← ${list}(folder)`,
    `FOR EACH t${n} IN tasks${n}`,
    `  task${n} ← ${look}(t${n})`,
    `  IF NOT task${n}.age < ${limit}`,
    `    ${away}(t${n})`,
  ];
  return {
    kind: "threshold",
    shape: "age of items",
    healthy: lines(right),
    faulty: lines(wrong),
    truth: [`task${n}.age < ${wrong}`],
    tools: {
      [list]: reads(40, (_, now) => Array.from({ length: whole(now.chance(list), 1, 3) }, (_item, i) => `t${i}`)),
      [look]: reads(60, (payload, now) => ({
        age: Math.floor(now.chance(`${look}${given(payload) as string}`) * 365),
      })),
      [away]: writes(15, () => null),
    },
    wrong: (now) => {
      const gone = new Set(called(now, away).map(({ payload }) => given(payload) as string));
      return called(now, look).some(
        ({ payload, value }) => (value as { age: number }).age >= right !== gone.has(given(payload) as string),
      );
    },
  };
};

export const thresholdScenes: readonly SceneMaker[] = [score, listLength, words, age];
