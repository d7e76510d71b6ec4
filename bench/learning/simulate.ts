import { canonicalId, type Json } from "../../src/base/canonical.ts";
import { seeded } from "../../src/base/testing/seeded.ts";
import type { JudgedPath, PassedIcon } from "../../src/domain/run/run-path.ts";
import type { Evidence } from "../../src/drakon/learn/evidence.ts";
import type { Program } from "../../src/drakon/walk/frame.ts";
import { MAX_RUN_STEPS, type WalkInput, WalkMachine } from "../../src/drakon/walk/machine.ts";
import { answerTo, type JournalEntry, type Request } from "../../src/drakon/walk/request.ts";
import type { Agent } from "./agent.ts";
import { type Called, FAILS, type Now } from "./scene.ts";

/** People who decide wrongly once in twenty times. */
const OWNERS_ERR = 0.05;

export interface Simulated {
  readonly evidence: Evidence;
  /** The true result, whatever the owner decided. */
  readonly failed: boolean;
  readonly wrong: boolean;
  readonly requests: readonly Request[];
}

/** A random draw that depends only on agent, run and label: the same for every diagram and every order of requests. */
export const chanceOf =
  (agent: Agent, run: number) =>
  (label: string): number =>
    mixed(`${label} ${run} ${agent.seed}`);

/** A number from 0 below 1 that follows from a text. */
function mixed(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return seeded(hash)();
}

export const inputOf = (agent: Agent, run: number, now: Now): WalkInput => ({
  note: `notes/run-${run}.md`,
  topic: "gardens",
  folder: "notes",
  ...Object.fromEntries([...agent.modes].map(([name, often]) => [name, now.chance(name) < often])),
  ...Object.assign({}, ...agent.scenes.map(({ input }) => input?.(now) ?? {})),
});

/** The tool that fails in this run for no reason, in a run that is out of luck. */
export function victimOf(agent: Agent, run: number): string | undefined {
  const chance = chanceOf(agent, run);
  const tools = [...agent.tools.keys()];
  return chance("luck") < agent.background ? tools[Math.floor(chance("victim") * tools.length)] : undefined;
}

/** True if the owner misjudges this run. */
export const ownerErrs = (agent: Agent, run: number): boolean => chanceOf(agent, run)("owner") < OWNERS_ERR;

/** The key of a request in the simulated world: a tool by name, a model by its text. */
const asked = ({ kind, name, payload }: Request): string =>
  kind === "llm" || kind === "judge" ? `words:${payload["text"] as string}` : name;

/** One run of an agent on a diagram, with what its owner says. */
export function simulate(agent: Agent, program: Program, run: number): Simulated {
  const chance = chanceOf(agent, run);
  const calls: Called[] = [];
  const now: Now = { chance, done: new Set(), calls };
  const unlucky = victimOf(agent, run);
  const input = inputOf(agent, run, now);
  const machine = new WalkMachine(program, input, { maxSteps: MAX_RUN_STEPS, argumentNames: agent.argumentNames });
  const journal: JournalEntry[] = [];
  const requests: Request[] = [];
  const proposals: string[] = [];
  const spent = new Map<string, { calls: number; tokens: number; proposals: string[] }>();
  let failedAt: Request | undefined;
  for (let [request] = machine.requests; request && !failedAt; [request] = machine.requests) {
    requests.push(request);
    const key = visitKey(request);
    const cost = spent.get(key) ?? { calls: 0, tokens: 0, proposals: [] };
    spent.set(key, cost);
    const name = asked(request);
    const tool = agent.tools.get(name);
    cost.calls++;
    cost.tokens += Math.round((tool?.tokens ?? 80) * (0.8 + 0.4 * chance(`tokens ${name}`)));
    let value: Json | typeof FAILS;
    if (request.kind === "propose") {
      const id = `prop-${run}-${proposals.length}`;
      proposals.push(id);
      cost.proposals.push(id);
      value = { proposal: id };
    } else if (name === unlucky) value = FAILS;
    else if (tool) value = tool.answer(request.payload, now);
    else throw new Error(`the world has no ${name}`);
    if (value === FAILS) {
      failedAt = request;
      break;
    }
    calls.push({ name, payload: request.payload, value });
    const entry = answerTo(request, value);
    journal.push(entry);
    machine.answer(entry, journal.length - 1);
  }
  const problem = machine.end?.kind === "failed" ? machine.end.problem : undefined;
  const failed = failedAt !== undefined || problem !== undefined;
  const last = failedAt ? visitKey(failedAt) : undefined;
  const passed = machine.trace.map((entry): PassedIcon => {
    const key = visitKey(entry);
    const own = spent.get(key);
    const { diagram, icon, answer } = entry;
    return {
      diagram,
      icon,
      ...(answer !== undefined && { answer }),
      calls: own?.calls ?? 0,
      tokens: own?.tokens ?? 0,
      ms: 0,
      failed: last === key || (problem?.icon === icon && entry === machine.trace.at(-1)),
      proposals: own?.proposals ?? [],
    };
  });
  // Every healthy agent comes to a proposal: who ends without one has not done its work.
  const wrong = !failed && (proposals.length !== 1 || agent.scenes.some((scene) => scene.wrong(now)));
  const refused = wrong !== ownerErrs(agent, run);
  const path: JudgedPath = {
    run: `run-${run}`,
    version: null,
    behaviour: null,
    certainty: "fact",
    passed,
    status: failed ? "failed" : "completed",
    outcome: failed
      ? { kind: "failed", reason: "a call failed" }
      : proposals.length > 0
        ? { kind: "effects", proposals }
        : { kind: "noop", reason: "nothing to do" },
    tokens: passed.reduce((sum, { tokens }) => sum + tokens, 0),
    logicIssue: false,
    verdict: failed || refused ? "bad" : "good",
  };
  return { evidence: { path, input, journal, argumentNames: agent.argumentNames }, failed, wrong, requests };
}

const visitKey = ({ proc, icon, visit }: { proc: string; icon: string; visit: number }): string =>
  `${proc}\0${icon}\0${visit}`;

/** The actions of a run, for comparison with those of another diagram. Questions are not actions. */
export const deeds = ({ requests }: Simulated): string =>
  canonicalId(requests.flatMap(({ kind, sem }) => (kind === "judge" ? [] : [sem])));
