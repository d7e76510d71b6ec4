import { called, FAILS, given, letter, reads, type SceneMaker, whole, writes } from "./scene.ts";

/** A query that needs the index to be fresh. */
const staleIndex: SceneMaker = ({ n, share }) => {
  const [refresh, query] = [`refresh-index-${letter(n)}`, `query-index-${letter(n)}`];
  const [one, two] = [`${refresh}(folder)`, `out${n} ← ${query}(folder, topic)`];
  return {
    kind: "order",
    shape: "stale index",
    healthy: [one, two],
    faulty: [two, one],
    truth: [one, two],
    tools: {
      [refresh]: writes(20, (_, now) => {
        now.done.add(refresh);
        return null;
      }),
      [query]: reads(130, (_, now) =>
        now.chance(query) < share && !now.done.has(refresh) ? FAILS : `hit ${whole(now.chance(`${query}h`), 1, 9)}`,
      ),
    },
    wrong: () => false,
  };
};

/** A text is saved before it is checked: what is wrong with it is saved too. */
const checkedTooLate: SceneMaker = ({ n, share }) => {
  const [draft, check, save] = [`draft-${letter(n)}`, `check-facts-${letter(n)}`, `save-draft-${letter(n)}`];
  const [one, two] = [`text${n} ← ${check}(text${n})`, `out${n} ← ${save}(text${n})`];
  return {
    kind: "order",
    shape: "checked too late",
    healthy: [`text${n} ← ${draft}(topic)`, one, two],
    faulty: [`text${n} ← ${draft}(topic)`, two, one],
    truth: [one, two],
    tools: {
      [draft]: reads(300, (_, now) => ({
        id: whole(now.chance(`${draft}i`), 1, 1e6),
        sound: now.chance(draft) >= share,
      })),
      [check]: reads(180, (payload) => ({ ...(given(payload) as object), sound: true })),
      [save]: writes(30, () => "saved"),
    },
    wrong: (now) => called(now, save).some(({ payload }) => !(given(payload) as { sound: boolean }).sound),
  };
};

/** A note is written before it is locked, so concurrent writers sometimes collide. */
const lockedTooLate: SceneMaker = ({ n, share }) => {
  const [lock, write, unlock] = [`lock-note-${letter(n)}`, `write-note-${letter(n)}`, `unlock-note-${letter(n)}`];
  const [one, two] = [`${lock}(folder, topic)`, `out${n} ← ${write}(folder, topic, words${n})`];
  const words = `words${n} ← compose-${letter(n)}(topic)`;
  const end = `${unlock}(folder, topic)`;
  return {
    kind: "order",
    shape: "locked too late",
    healthy: [words, one, two, end],
    faulty: [words, two, one, end],
    truth: [one, two],
    tools: {
      [`compose-${letter(n)}`]: reads(260, () => "some words"),
      [lock]: writes(10, (_, now) => {
        now.done.add(lock);
        return null;
      }),
      [write]: writes(40, (_, now) => (now.chance(write) < share && !now.done.has(lock) ? FAILS : "written")),
      [unlock]: writes(10, () => null),
    },
    wrong: () => false,
  };
};

/** Something long is read before it is known whether it is wanted. */
const readTooEarly: SceneMaker = ({ n, share }) => {
  const [read, judge, sum] = [`read-long-${letter(n)}`, `is-wanted-${letter(n)}`, `shorten-${letter(n)}`];
  const [one, ask] = [`long${n} ← ${read}(topic)`, `wanted${n} = true`];
  return {
    kind: "order",
    shape: "read too early",
    healthy: [
      `out${n} ← "none"`,
      `wanted${n} ← ${judge}(topic)`,
      `IF ${ask}`,
      `  ${one}`,
      `  out${n} ← ${sum}(long${n})`,
    ],
    faulty: [`out${n} ← "none"`, `wanted${n} ← ${judge}(topic)`, one, `IF ${ask}`, `  out${n} ← ${sum}(long${n})`],
    truth: [one, ask],
    tools: {
      [read]: reads(2400, (_, now) => `a long text ${whole(now.chance(read), 1, 1e6)}`),
      [judge]: reads(40, (_, now) => now.chance(judge) >= Math.max(0.2, share)),
      [sum]: reads(200, () => "a short text"),
    },
    wrong: () => false,
    costly: true,
  };
};

/** A file is attached before it is converted: this fails for one format only, where a guard would lose the attachment. */
const convertedTooLate: SceneMaker = ({ n, share }) => {
  const [open, convert, attach] = [`open-file-${letter(n)}`, `convert-file-${letter(n)}`, `attach-file-${letter(n)}`];
  const [one, two] = [`${convert}(file${n})`, `out${n} ← ${attach}(file${n})`];
  return {
    kind: "order",
    shape: "converted too late",
    healthy: [`file${n} ← ${open}(topic)`, one, two],
    faulty: [`file${n} ← ${open}(topic)`, two, one],
    truth: [one, two],
    tools: {
      [open]: reads(90, (_, now) => ({
        format: now.chance(open) < share ? "odt" : "pdf",
        id: whole(now.chance(`${open}i`), 1, 1e6),
      })),
      [convert]: writes(30, (_, now) => {
        now.done.add(convert);
        return null;
      }),
      [attach]: writes(40, (payload, now) =>
        (given(payload) as { format: string }).format === "odt" && !now.done.has(convert) ? FAILS : "attached",
      ),
    },
    wrong: () => false,
  };
};

export const orderScenes: readonly SceneMaker[] = [
  staleIndex,
  checkedTooLate,
  lockedTooLate,
  readTooEarly,
  convertedTooLate,
];
