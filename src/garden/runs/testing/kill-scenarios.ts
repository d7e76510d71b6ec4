import type { Script } from "../../../adapters/runtime/testing/scripted-model.ts";
import { Failure } from "../../../base/failure.ts";
import { seeded } from "../../../base/testing/seeded.ts";

/** A run to be killed: its contract, what the scripted model says, and what must come of it in the end. */
export interface KillScenario {
  readonly name: string;
  readonly contract: Readonly<Record<string, string>>;
  readonly body: string;
  /** `fails` answers true the first time in all lives together: a call that has to be tried again. */
  readonly script: (fails: () => boolean) => Script;
  /** Paths of the notes that it proposes. */
  readonly proposes: readonly string[];
}

const SCRIPTED = "claude-sonnet-4-5-20250929";
const TOOLS = "[read-notes, read-context, create-proposal, write-memory, ask-human]";
const SAFE = "[propose-note]";
const contract = { tools: TOOLS, safe_outputs: SAFE, max_steps: "20" };
const note = (path: string) => ({
  tool: "create-proposal",
  input: { type: "propose-note", path, content: `# ${path}\n` },
});
const question = { question: "Which?", form: "choice", options: ["a", "b"] };

/** A model that tells where it is by how often it has spoken: reads side by side, fails once, asks, proposes side by side. */
const prompted: KillScenario = {
  name: "prompt: calls side by side, a retry, a hold",
  contract: { ...contract, model: SCRIPTED },
  body: "Propose two notes.\n",
  script: (fails) => (_, turn) => {
    if (turn === 1 && fails()) return { throws: away() };
    const turns = [
      { calls: [{ tool: "read-notes" }, { tool: "read-context", input: { name: "notes/a.md" } }] },
      { calls: [{ tool: "ask-human", input: question }] },
      { calls: [note("notes/n.md"), note("notes/m.md")] },
    ];
    return turns[turn] ?? { text: "Two proposals." };
  },
  proposes: ["notes/m.md", "notes/n.md"],
};

const lines = (...text: string[]): string => `Be brief.\n\nBEGIN "Try"\n  ${text.join("\n  ")}\nEND\n`;
const PROPOSE = (path: string): string => `create-proposal(type: "propose-note", path: "${path}", content: "# N")`;
const ASK = 'ask-human("Which?", form: "choice", options: ["a", "b"])';

const PARALLEL = [
  "all ← read-notes()",
  "PARALLEL",
  "  PROCESS 1",
  `    answer ← ${ASK}`,
  `    ${PROPOSE("notes/n.md")}`,
  "  PROCESS 2",
  '    text ← read-context("notes/a.md")',
  `    ${PROPOSE("notes/m.md")}`,
];

/** The interpreter leads, the model is asked about two icons, and once it is away. */
const flowing: KillScenario = {
  name: "flow: icons side by side, a retry, a hold",
  contract: { ...contract, model: SCRIPTED, execution: "flow" },
  body: lines(
    ...PARALLEL,
    "gist ← sum up the text in three words",
    "IF Is the gist cheerful?",
    `  ${PROPOSE("notes/o.md")}`,
    "write-memory(gist)",
  ),
  script:
    (fails) =>
    ({ prompt }) => {
      if (fails()) return { throws: away() };
      return { text: JSON.stringify(prompt.slice(1)).includes("cheerful") ? "yes" : "sun and sea" };
    },
  proposes: ["notes/m.md", "notes/n.md", "notes/o.md"],
};

/** No model but the follower, which reads the procedure in its instructions. */
const followed: KillScenario = {
  name: "follower: a procedure with a hold",
  contract: { ...contract, model: "bloom/follower" },
  body: lines("all ← read-notes()", `answer ← ${ASK}`, PROPOSE("notes/n.md"), "write-memory(answer.choice)"),
  script: () => [],
  proposes: ["notes/n.md"],
};

export const killScenarios: readonly KillScenario[] = [prompted, flowing, followed];

const MOST_WORDED = 12;

/**
 * A random diagram for `execution: flow`. What it must propose is worked out here, while it is drawn, and not by the interpreter:
 * answers of the model follow from the number in its question.
 */
export function randomScenario(seed: number): KillScenario {
  const random = seeded(seed);
  const upTo = (most: number): number => Math.floor(random() * most);
  const proposes: string[] = [];
  let number = 0;
  /** Icons in words, which `max_steps` of the contract counts. */
  let worded = 0;
  const drawn = (depth: number, reached: boolean, once: boolean): string[] => {
    const icons = Array.from({ length: 1 + upTo(depth === 0 ? 4 : 2) }, (): string[] => {
      const n = ++number;
      switch (depth > 2 ? upTo(3) : upTo(7)) {
        case 0:
          return [`text${n} ← read-context("notes/a.md")`];
        case 1: {
          if (!once) return ["all ← read-notes()"];
          if (reached) proposes.push(`notes/${n}.md`);
          return [PROPOSE(`notes/${n}.md`)];
        }
        case 2:
          if (!once || ++worded > MOST_WORDED) return ["all ← read-notes()"];
          return [`thought${n} ← think about number ${n}`];
        case 3: {
          if (!once || ++worded > MOST_WORDED) return ["all ← read-notes()"];
          const yes = drawn(depth + 1, reached && isYes(n), once);
          const no = drawn(depth + 1, reached && !isYes(n), once);
          return [`IF Is number ${n} good?`, ...indented(yes), "ELSE", ...indented(no)];
        }
        case 4:
          return [`FOR EACH item${n} IN [1, 2]`, ...indented(drawn(depth + 1, reached, false))];
        case 5: {
          const [first, second] = [drawn(depth + 1, reached, once), drawn(depth + 1, reached, once)];
          return [
            "PARALLEL",
            "  PROCESS 1",
            ...indented(indented(first)),
            "  PROCESS 2",
            ...indented(indented(second)),
          ];
        }
        default:
          return once ? [`answer${n} ← ${ASK}`] : ["all ← read-notes()"];
      }
    });
    return icons.flat();
  };
  const body = lines(...drawn(0, true, true), PROPOSE("notes/last.md"));
  return {
    name: `random diagram ${seed}`,
    contract: { ...contract, model: SCRIPTED, execution: "flow" },
    body,
    script:
      (fails) =>
      ({ prompt }) => {
        if (seed % 3 === 0 && fails()) return { throws: away() };
        const asked = JSON.stringify(prompt.slice(1));
        const good = /Is number (\d+) good/.exec(asked);
        if (good) return { text: isYes(Number(good[1])) ? "yes" : "no" };
        return { text: "a thought" };
      },
    proposes: [...proposes, "notes/last.md"].toSorted(),
  };
}

const indented = (text: readonly string[]): string[] => text.map((line) => `  ${line}`);
const isYes = (number: number): boolean => number % 2 === 1;

const away = (): Failure => new Failure("UPSTREAM_UNAVAILABLE", { en: "the model is away", uk: "модель недоступна" });

/** By its name, also in another process. */
export function scenarioNamed(name: string): KillScenario {
  const seed = /^random diagram (\d+)$/.exec(name)?.[1];
  return seed === undefined ? killScenarios.find((each) => each.name === name)! : randomScenario(Number(seed));
}
