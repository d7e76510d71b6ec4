import { between, called, FAILS, given, letter, reads, type SceneMaker, whole, writes } from "./scene.ts";

/** A call whose answer is sometimes empty, and a step that cannot do anything with that. */
const emptyAnswer: SceneMaker = ({ n, share }) => {
  const [find, sum] = [`find-sources-${letter(n)}`, `digest-${letter(n)}`];
  const call = `out${n} ← ${sum}(hits${n})`;
  return {
    kind: "guard",
    shape: "empty answer",
    healthy: [`out${n} ← "nothing"`, `hits${n} ← ${find}(topic)`, `IF NOT hits${n} is empty`, `  ${call}`],
    faulty: [`out${n} ← "nothing"`, `hits${n} ← ${find}(topic)`, call],
    truth: [call],
    tools: {
      [find]: reads(60, (_, now) =>
        now.chance(`${find}?`) < share
          ? []
          : Array.from({ length: whole(now.chance(find), 1, 6) }, (_item, i) => `source ${i}`),
      ),
      [sum]: reads(220, (payload) => ((given(payload) as string[]).length === 0 ? FAILS : "a digest")),
    },
    wrong: () => false,
  };
};

/** One item of a list that has no text; people notice what was made of nothing. */
const itemWithoutText: SceneMaker = ({ n, share }) => {
  const [list, open, take] = [`list-pages-${letter(n)}`, `open-page-${letter(n)}`, `extract-${letter(n)}`];
  const call = `out${n} ← out${n} + ${take}(page${n}.body)`;
  const items = 3;
  const each = 1 - (1 - share) ** (1 / 2);
  return {
    kind: "guard",
    shape: "item without text",
    healthy: [
      `out${n} ← "nothing"`,
      `pages${n} ← ${list}(topic)`,
      `FOR EACH p${n} IN pages${n}`,
      `  page${n} ← ${open}(p${n})`,
      `  IF NOT page${n}.body is empty`,
      `    ${call}`,
    ],
    faulty: [
      `out${n} ← "nothing"`,
      `pages${n} ← ${list}(topic)`,
      `FOR EACH p${n} IN pages${n}`,
      `  page${n} ← ${open}(p${n})`,
      `  ${call}`,
    ],
    truth: [call],
    tools: {
      [list]: reads(40, (_, now) =>
        Array.from({ length: whole(now.chance(list), 1, items) }, (_item, i) => `page-${i}`),
      ),
      [open]: reads(90, (payload, now) => {
        const page = given(payload) as string;
        return { title: page, body: now.chance(`${open}${page}`) < each ? "" : `text of ${page}` };
      }),
      [take]: reads(160, (payload) => ` · ${(given(payload) as string) || "no idea"}`),
    },
    wrong: (now) => called(now, take).some(({ payload }) => (given(payload) as string) === ""),
  };
};

/** A size that the next step cannot take. */
const tooLarge: SceneMaker = ({ n, share, chance }) => {
  const [weigh, send] = [`weigh-${letter(n)}`, `upload-${letter(n)}`];
  const limit = 10 * whole(chance(), 3, 20);
  const call = `out${n} ← ${send}(topic, size: size${n})`;
  return {
    kind: "guard",
    shape: "too large",
    healthy: [`out${n} ← "kept"`, `size${n} ← ${weigh}(topic)`, `IF size${n} ≤ ${limit}`, `  ${call}`],
    faulty: [`out${n} ← "kept"`, `size${n} ← ${weigh}(topic)`, call],
    truth: [call],
    tools: {
      [weigh]: reads(30, (_, now) => {
        const u = now.chance(weigh);
        return Math.round(u < share ? between(u / share, limit + 1, limit * 2) : between(u, 1, limit));
      }),
      [send]: writes(50, (payload) => ((payload["size"] as number) > limit ? FAILS : "uploaded")),
    },
    wrong: () => false,
  };
};

/** The condition that forbids the step is in a value that the step does not mention. */
const elsewhere: SceneMaker = ({ n, share }) => {
  const [ask, post] = [`read-quota-${letter(n)}`, `post-${letter(n)}`];
  const call = `out${n} ← ${post}(topic)`;
  return {
    kind: "guard",
    shape: "condition elsewhere",
    healthy: [
      `out${n} ← "kept"`,
      `quota${n} ← ${ask}(topic)`,
      `note-quota-${letter(n)}(quota${n})`,
      `IF quota${n} > 0`,
      `  ${call}`,
    ],
    faulty: [`out${n} ← "kept"`, `quota${n} ← ${ask}(topic)`, `note-quota-${letter(n)}(quota${n})`, call],
    truth: [call],
    tools: {
      [ask]: reads(30, (_, now) => (now.chance(`${ask}?`) < share ? 0 : whole(now.chance(ask), 1, 9))),
      [`note-quota-${letter(n)}`]: writes(10, () => null),
      [post]: writes(50, (_, now) => (now.chance(`${ask}?`) < share ? FAILS : "posted")),
    },
    wrong: () => false,
  };
};

/** A mark on a record that says hands off. */
const lockedRecord: SceneMaker = ({ n, share }) => {
  const [open, edit] = [`open-note-${letter(n)}`, `rewrite-${letter(n)}`];
  const call = `out${n} ← ${edit}(doc${n})`;
  return {
    kind: "guard",
    shape: "locked record",
    healthy: [`out${n} ← "kept"`, `doc${n} ← ${open}(topic)`, `IF NOT doc${n}.locked`, `  ${call}`],
    faulty: [`out${n} ← "kept"`, `doc${n} ← ${open}(topic)`, call],
    truth: [call],
    tools: {
      [open]: reads(120, (_, now) => ({
        title: `note ${whole(now.chance(`${open}t`), 1, 99)}`,
        locked: now.chance(`${open}?`) < share,
        words: whole(now.chance(`${open}w`), 20, 900),
      })),
      [edit]: writes(240, () => "rewritten"),
    },
    wrong: (now) => called(now, edit).some(({ payload }) => (given(payload) as { locked: boolean }).locked),
  };
};

/** There is nothing to do, and everything behind would be about nothing. */
const nothingToDo: SceneMaker = ({ n, share }) => {
  const [plan, work] = [`plan-${letter(n)}`, `work-off-${letter(n)}`];
  const first = `plan${n} ← ${plan}(todo${n})`;
  return {
    kind: "guard",
    shape: "nothing to do",
    healthy: [`out${n} ← "idle"`, `IF NOT todo${n} is empty`, `  ${first}`, `  out${n} ← ${work}(plan${n})`],
    faulty: [`out${n} ← "idle"`, first, `out${n} ← ${work}(plan${n})`],
    truth: [first, `out${n} ← ${work}(plan${n})`],
    tools: {
      [plan]: reads(150, (payload) => ({ steps: (given(payload) as unknown[]).length })),
      [work]: writes(200, (payload) => ((given(payload) as { steps: number }).steps === 0 ? FAILS : "done")),
    },
    input: (now) => ({
      [`todo${n}`]:
        now.chance(`todo${n}?`) < share
          ? []
          : Array.from({ length: whole(now.chance(`todo${n}`), 1, 4) }, (_, i) => `task ${i}`),
    }),
    wrong: () => false,
  };
};

/** A question lacks its second condition: what is long enough, but a draft, is published. */
const secondCondition: SceneMaker = ({ n, share }) => {
  const [open, publish, shelve] = [`open-draft-${letter(n)}`, `publish-${letter(n)}`, `shelve-${letter(n)}`];
  const [ask, both] = [`doc${n}.words > 200`, `doc${n}.words > 200 and doc${n}.state ≠ "draft"`];
  const arms = [`  out${n} ← ${publish}(doc${n})`, "ELSE", `  out${n} ← ${shelve}(doc${n})`];
  return {
    kind: "guard",
    shape: "second condition",
    healthy: [`doc${n} ← ${open}(topic)`, `IF ${both}`, ...arms],
    faulty: [`doc${n} ← ${open}(topic)`, `IF ${ask}`, ...arms],
    truth: [ask, `out${n} ← ${publish}(doc${n})`],
    tools: {
      [open]: reads(110, (_, now) => ({
        words:
          now.chance(`${open}w`) < 0.8
            ? whole(now.chance(`${open}n`), 210, 900)
            : whole(now.chance(`${open}n`), 20, 190),
        state: now.chance(open) < share ? "draft" : "final",
      })),
      [publish]: writes(60, () => "published"),
      [shelve]: writes(20, () => "shelved"),
    },
    wrong: (now) => called(now, publish).some(({ payload }) => (given(payload) as { state: string }).state === "draft"),
  };
};

export const guardScenes: readonly SceneMaker[] = [
  emptyAnswer,
  itemWithoutText,
  tooLarge,
  elsewhere,
  lockedRecord,
  nothingToDo,
  secondCondition,
];
