import { z } from "zod";
import type { ScriptedTurn } from "../../../adapters/runtime/testing/scripted-model.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import type { RunTool } from "../../../ports/runtime.ts";
import { daysOf, runsOfDay } from "../../records/runs/run-folders.ts";
import { forkRun } from "../fork.ts";
import { manifestAt, requestAt } from "../open-runs.ts";
import { askedFor, away, FIRST, type KillScenario, SCRIPTED, type Scene, SLUG } from "./kill-scenario.ts";
import { randomScenario } from "./random-scenario.ts";

const TOOLS = "[read-notes, read-context, create-proposal, write-memory, ask-human]";
const contract = { tools: TOOLS, safe_outputs: "[propose-note, memory-update]", max_steps: "20" };
const procedure = (...text: string[]): string => `BEGIN "Try"\n  ${text.join("\n  ")}\nEND\n`;
const PROPOSE = (path: string): string => `create-proposal(type: "propose-note", path: "${path}", content: "# N")`;
const ASK = 'ask-human("Which?", form: "choice", options: ["a", "b"])';

const once = { wishes: askedFor(FIRST), answers: "when held", runs: 1 } as const;

/** In `flow`: the model is asked about two icons and is unavailable once. */
const flowing: KillScenario = {
  ...once,
  name: "flow: icons side by side, a retry, a hold",
  agents: [
    {
      slug: SLUG,
      contract: { ...contract, model: SCRIPTED, execution: "flow" },
      procedure: procedure(
        "all ← read-notes()",
        "PARALLEL",
        "  PROCESS 1",
        `    answer ← ${ASK}`,
        `    ${PROPOSE("notes/n.md")}`,
        "  PROCESS 2",
        '    text ← read-context("notes/a.md")',
        `    ${PROPOSE("notes/m.md")}`,
        "gist ← sum up the text in three words",
        "IF Is the gist cheerful?",
        `  ${PROPOSE("notes/o.md")}`,
        "write-memory(gist)",
      ),
    },
  ],
  script:
    ({ fails }) =>
    ({ prompt }) => {
      if (fails()) return { throws: away() };
      return { text: JSON.stringify(prompt.slice(1)).includes("cheerful") ? "yes" : "sun and sea" };
    },
  proposes: [`memory/${SLUG}`, "notes/m.md", "notes/n.md", "notes/o.md"],
};

/** Only the follower, a memory that a rule lets it write, and a second agent that is triggered by the end. */
const followed: KillScenario = {
  ...once,
  name: "prompt: the follower, proposals, memory, an agent that hears of it",
  agents: [
    {
      slug: SLUG,
      contract: { ...contract, model: "bloom/follower" },
      procedure: procedure(
        "all ← read-notes()",
        'text ← read-context("notes/a.md")',
        PROPOSE("notes/n.md"),
        PROPOSE("notes/m.md"),
        'write-memory("two notes", seen: 2)',
      ),
    },
    {
      slug: "listener",
      contract: {
        ...contract,
        model: "bloom/follower",
        execution: "flow",
        triggers: "{manual: true, events: [agent/run.finished]}",
      },
      procedure: procedure("all ← read-notes()", PROPOSE("notes/heard.md")),
    },
  ],
  runs: 2,
  proposes: [`memory/${SLUG}`, "notes/heard.md", "notes/m.md", "notes/n.md"],
};

/** A tool of an outside server, which must not be repeated without a person's decision. */
const postCard = ({ act }: Scene): RunTool => ({
  name: "post-card",
  description: "Sends a card",
  input: z.object({ to: z.string() }),
  idempotent: false,
  async call(_input, { key }) {
    act(key);
    return { sent: true };
  },
});

/** A model that gives all its calls the same id, is unavailable once, and calls a tool that sends cards. */
const scripted: KillScenario = {
  ...once,
  name: "prompt: a model that reuses ids, a retry, acts that are not to be repeated",
  agents: [
    { slug: SLUG, contract: { ...contract, model: SCRIPTED }, prose: "Propose two notes, and send two cards.\n" },
  ],
  outside: (scene) => [postCard(scene)],
  script:
    ({ fails }) =>
    (_, turn): ScriptedTurn => {
      if (turn === 1 && fails()) return { throws: away() };
      const note = (path: string) => ({ type: "propose-note", path, content: `# ${path}\n` });
      const turns: ScriptedTurn[] = [
        { calls: [{ tool: "read-notes" }, { tool: "read-context", input: { name: "notes/a.md" } }] },
        { calls: [{ tool: "post-card", input: { to: "Ann" }, id: "call" }] },
        {
          calls: [
            { tool: "create-proposal", input: note("notes/n.md"), id: "call" },
            { tool: "post-card", input: { to: "Bo" }, id: "other" },
            { tool: "create-proposal", input: note("notes/m.md"), id: "another" },
          ],
        },
        {
          calls: [
            { tool: "ask-human", input: { question: "Which?", form: "choice", options: ["a", "b"] }, id: "call" },
          ],
        },
      ];
      return turns[turn] ?? { text: "Two proposals." };
    },
  proposes: ["notes/m.md", "notes/n.md"],
};

const held = (name: string, answers: KillScenario["answers"]): KillScenario => ({
  ...once,
  name,
  answers,
  agents: [
    {
      slug: SLUG,
      contract: { ...contract, model: "bloom/follower", execution: "flow" },
      procedure: procedure("all ← read-notes()", `answer ← ${ASK}`, `again ← ${ASK}`, PROPOSE("notes/n.md")),
    },
  ],
  proposes: ["notes/n.md"],
});

/** A run, and a copy of it from its second step on with another input. */
const forked: KillScenario = {
  name: "a run, and a fork of it with another input",
  agents: [
    {
      slug: SLUG,
      contract: { ...contract, model: "bloom/follower", execution: "flow" },
      procedure: procedure(
        "all ← read-notes()",
        'create-proposal(type: "propose-note", path: where, content: "# N")',
        'text ← read-context("notes/a.md")',
      ),
    },
  ],
  async wishes(garden) {
    await askedFor(FIRST, { where: "notes/x.md" })(garden);
    if (!(await manifestAt(garden.store, FIRST))) return;
    for (const day of await daysOf(garden.store, SLUG))
      for (const place of await runsOfDay(garden.store, SLUG, day))
        if ((await requestAt(garden.store, place))?.forked_from) return;
    await forkRun(garden, { place: FIRST, at: 2, set: { where: "notes/y.md" }, by: commandLineOwner });
  },
  answers: "when held",
  runs: 2,
  proposes: ["notes/x.md", "notes/y.md"],
};

const onBranch = {
  tools: "[read-notes, write-note, spawn-agent, ask-human]",
  safe_outputs: "[propose-merge]",
  workspace: "session",
  model: "bloom/follower",
  execution: "flow",
  max_steps: "20",
} as const;

/** One agent that writes, moves and deletes notes on its branch. */
const branching: KillScenario = {
  ...once,
  name: "notes written, moved and deleted on a branch",
  agents: [
    {
      slug: SLUG,
      contract: { ...onBranch, tools: "[read-notes, write-note, move-note, delete-note, ask-human]" },
      procedure: procedure(
        "all ← read-notes()",
        'write-note("b", content: "# B")',
        'write-note("c", content: "# C")',
        'move-note("b", to: "old/")',
        `answer ← ${ASK}`,
        'delete-note("c")',
        'write-note("d", content: "# D")',
      ),
    },
  ],
  proposes: [`agents/${SLUG}-abc123`],
};

/** Two sub-agents on branches of their own; the first one asks a person. */
const spawning: KillScenario = {
  ...once,
  name: "two sub-agents on branches of their own, one held",
  agents: [
    {
      slug: SLUG,
      contract: onBranch,
      procedure: procedure(
        'write-note("b", content: "# B")',
        'one ← spawn-agent("helper", goal: "c")',
        'two ← spawn-agent("helper", goal: "d", input: "# D")',
      ),
    },
    {
      slug: "helper",
      contract: onBranch,
      procedure: procedure('IF goal = "c"', `  answer ← ${ASK}`, "write-note(goal, content: goal)"),
    },
  ],
  runs: 3,
  proposes: [`agents/${SLUG}-abc123`],
};

/** The slot was due a moment before both processes began to look. */
const scheduled = (beside: NonNullable<KillScenario["beside"]>): KillScenario => ({
  name: `a slot of a schedule, found by two processes, ${beside}`,
  agents: [
    {
      slug: SLUG,
      contract: {
        ...contract,
        model: "bloom/follower",
        execution: "flow",
        triggers: '{manual: true, cron: "0 8 * * *"}',
      },
      procedure: procedure("all ← read-notes()", PROPOSE("notes/n.md"), 'text ← read-context("notes/a.md")'),
    },
  ],
  wishes: async () => undefined,
  answers: "when held",
  beside,
  runs: 1,
  proposes: ["notes/n.md"],
});

/** The owner cancels the run during the model's second turn. */
const cancelled: KillScenario = {
  ...once,
  name: "cancelled in the middle of a call",
  agents: [{ slug: SLUG, contract: { ...contract, model: SCRIPTED }, prose: "Propose a note, then think.\n" }],
  script:
    ({ cancel }) =>
    (_, turn): ScriptedTurn => {
      const input = { type: "propose-note", path: "notes/n.md", content: "# N\n" };
      if (turn === 0) return { calls: [{ tool: "create-proposal", input }] };
      void cancel(FIRST);
      return { hangs: true };
    },
  proposes: ["notes/n.md"],
};

export const killScenarios: readonly KillScenario[] = [
  flowing,
  followed,
  scripted,
  held("two holds, answered at once", "at once"),
  held("two holds, answered the next day", "the next day"),
  forked,
  branching,
  spawning,
  scheduled("the owner dies"),
  scheduled("the other dies"),
  cancelled,
];

/** Finds a scenario by its name, also in another process. */
export function scenarioNamed(name: string): KillScenario {
  const seed = /^random diagram (\d+)$/.exec(name)?.[1];
  const found = seed === undefined ? killScenarios.find((each) => each.name === name) : randomScenario(Number(seed));
  if (!found) throw new Error(`there is no scenario ${name}`);
  return found;
}
