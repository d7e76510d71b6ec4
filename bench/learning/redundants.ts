import { called, FAILS, given, letter, reads, type SceneMaker, whole, writes } from "./scene.ts";

/** A question that is not needed goes to a person who is often unavailable. */
const flakyAndUnused: SceneMaker = ({ n, share }) => {
  const [ask, make] = [`weather-${letter(n)}`, `make-card-${letter(n)}`];
  const idle = `sky${n} ← ${ask}(folder)`;
  return {
    kind: "redundant",
    shape: "flaky and unused",
    healthy: [`out${n} ← ${make}(topic)`],
    faulty: [idle, `out${n} ← ${make}(topic)`],
    truth: [idle],
    tools: {
      [ask]: reads(15, (_, now) => (now.chance(ask) < share ? FAILS : "clear")),
      [make]: reads(200, (_, now) => `card ${whole(now.chance(make), 1, 99)}`),
    },
    wrong: () => false,
  };
};

/** A model produces long text that no step uses. */
const thoughtForNothing: SceneMaker = ({ n }) => {
  const make = `outline-${letter(n)}`;
  const idle = `ideas${n} ← think of everything that could be said about topic in part ${letter(n)}`;
  return {
    kind: "redundant",
    shape: "thought for nothing",
    healthy: [`out${n} ← ${make}(topic)`],
    faulty: [`out${n} ← ${make}(topic)`, idle],
    truth: [idle],
    tools: {
      [make]: reads(200, (_, now) => `outline ${whole(now.chance(make), 1, 99)}`),
      [`words:${idle.slice(idle.indexOf("think"))}`]: reads(1800, () => "many ideas"),
    },
    wrong: () => false,
    costly: true,
  };
};

/** The same page is read twice, and the server limits requests. */
const readTwice: SceneMaker = ({ n, share }) => {
  const [read, quote] = [`read-page-${letter(n)}`, `quote-${letter(n)}`];
  const again = `again${n} ← ${read}(topic)`;
  return {
    kind: "redundant",
    shape: "read twice",
    healthy: [`page${n} ← ${read}(topic)`, `out${n} ← ${quote}(page${n})`],
    faulty: [`page${n} ← ${read}(topic)`, again, `out${n} ← ${quote}(again${n})`],
    // Either of the two can go.
    truth: [again, `page${n} ← ${read}(topic)`],
    tools: {
      [read]: reads(350, (_, now) => {
        const before = called(now, read).length;
        return before > 0 && now.chance(`${read}limit`) < share ? FAILS : `page ${whole(now.chance(read), 1, 1e6)}`;
      }),
      [quote]: reads(120, () => "a quotation"),
    },
    wrong: () => false,
  };
};

/** A decoration that some readers do not want. */
const unwantedDecoration: SceneMaker = ({ n, share }) => {
  const [write, adorn, save] = [`compose-${letter(n)}`, `add-pictures-${letter(n)}`, `file-away-${letter(n)}`];
  const idle = `text${n} ← ${adorn}(text${n})`;
  return {
    kind: "redundant",
    shape: "unwanted decoration",
    healthy: [`text${n} ← ${write}(topic)`, `out${n} ← ${save}(text${n})`],
    faulty: [`text${n} ← ${write}(topic)`, idle, `out${n} ← ${save}(text${n})`],
    truth: [idle],
    tools: {
      [write]: reads(300, (_, now) => ({
        style: now.chance(write) < share ? "formal" : whole(now.chance(`${write}s`), 0, 1) === 0 ? "warm" : "plain",
        pictures: 0,
      })),
      [adorn]: reads(260, (payload) => ({ ...(given(payload) as object), pictures: 3 })),
      [save]: writes(30, () => "filed"),
    },
    wrong: (now) =>
      called(now, save).some(({ payload }) => {
        const { style, pictures } = given(payload) as { style: string; pictures: number };
        return style === "formal" && pictures > 0;
      }),
  };
};

/** A style guide is fetched in every round of a loop that does not depend on it. */
const fetchedEveryRound: SceneMaker = ({ n }) => {
  const [list, style, apply] = [`list-pages-${letter(n)}`, `style-guide-${letter(n)}`, `apply-style-${letter(n)}`];
  const idle = `style${n} ← ${style}(folder)`;
  const work = `out${n} ← ${apply}(page${n}, style${n})`;
  const start = [`out${n} ← "none"`, `pages${n} ← ${list}(topic)`];
  return {
    kind: "redundant",
    shape: "fetched every round",
    healthy: [...start, idle, `FOR EACH page${n} IN pages${n}`, `  ${work}`],
    faulty: [...start, `FOR EACH page${n} IN pages${n}`, `  ${idle}`, `  ${work}`],
    truth: [idle],
    tools: {
      [list]: reads(60, (_, now) => Array.from({ length: whole(now.chance(list), 2, 5) }, (_one, i) => `page ${i}`)),
      [style]: reads(900, () => "plain words"),
      [apply]: reads(120, () => "styled"),
    },
    wrong: () => false,
    costly: true,
  };
};

export const redundantScenes: readonly SceneMaker[] = [
  flakyAndUnused,
  thoughtForNothing,
  readTwice,
  unwantedDecoration,
  fetchedEveryRound,
];
