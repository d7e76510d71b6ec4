import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fixedWorld } from "../../base/testing/fixed-world.ts";
import { commandLineOwner as by } from "../../domain/identity.ts";
import { changeAgentStatus } from "../../garden/agents/lifecycle/change-status.ts";
import { createAgent } from "../../garden/agents/lifecycle/create-agent.ts";
import { endedRun } from "../../garden/insight/learning/testing/counted-runs.ts";
import { gardensLike, gardenWith, testPorts } from "../../garden/testing/scratch.ts";
import { wished } from "../../garden/testing/tended-garden.ts";
import { type CommandLineEnv, runCommandLine } from "../run-command-line.ts";

interface Told {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

let minute = 0;

async function bloom(dir: string, args: readonly string[], language: "uk" | "en" = "en"): Promise<Told> {
  let [out, err] = ["", ""];
  const ground = testPorts(fixedWorld(Date.parse("2026-02-15T08:00:00Z") + 60_000 * minute++, 1));
  const around: CommandLineEnv = {
    ground,
    garden: dir,
    language,
    systemLanguage: undefined,
    debug: false,
    plain: false,
    terminal: {
      out: (text) => (out += text),
      err: (text) => (err += text),
      interactive: false,
      colours: false,
      columns: 80,
    },
    machine: {
      cwd: dir,
      version: "1",
      port: undefined,
      host: undefined,
      allowedHosts: [],
      input: () => Promise.resolve(Buffer.from("")),
      examples: ground.folders.at(dir),
      serve: () => Promise.reject(new Error("not here")),
      stopRequested: () => Promise.resolve(),
    },
  };
  return { exit: await runCommandLine(["logic", ...args], around), out, err };
}

const PROPOSED = 'BEGIN "Work"\n  notes ← read-notes()\n  write-memory("one")\nEND\n';

/** An agent with v001, a pending change of it, a run that went well and one that failed. */
const { copy } = gardensLike(async () => {
  const made = await gardenWith();
  const { garden } = made;
  await createAgent(garden, { slug: "echo", by, language: "en", from: { kind: "template" } });
  await changeAgentStatus(garden, { slug: "echo", to: "active", by });
  const run = await endedRun(garden, "echo");
  await endedRun(garden, "echo", { status: "failed", tokens: 300 });
  const rationale = { problem: "It never ends", evidenceRuns: [run] };
  await wished(garden, "logic-update", { agent: "echo", pseudocode: PROPOSED, rationale });
  return made;
});

describe("U-2 bloom logic", () => {
  test("prints versions, statistics, changelog and rationale, as text and as JSON", async () => {
    const dir = await copy();
    const performance = await bloom(dir, ["performance", "echo"]);
    expect(performance.out).toMatch(
      /^v001 {5}2 {5}0\.50 \[0\.09–0\.91\] {2}0\.50 \[0\.09–0\.91\] {2}– {9}0 0 0 0 0 {2}200$/m,
    );
    expect(performance.out).toContain("too few runs to tell: at least 30 per version are needed");
    expect(JSON.parse((await bloom(dir, ["performance", "echo", "--json"])).out)).toMatchObject({
      versions: { v001: { totalRuns: 2, success_rate: 0.5, judgedRuns: 2 } },
      trend: "unknown",
      enoughRuns: 30,
      confidence: 0.95,
    });
    // The command has also written the statistics to the meta file.
    expect(JSON.parse(readFileSync(join(dir, "logic/echo/current.meta.json"), "utf8"))).toMatchObject({
      runsOnThisVersion: 2,
      successRate: 0.5,
      avgTokensPerRun: 200,
    });
    expect((await bloom(dir, ["show", "echo"], "uk")).out).toMatch(
      /^echo v001 {2}поточна\n[\s\S]*BEGIN "Looking through/,
    );
    // Source 000 §7.4: pending changes, with the command that compares them.
    const { out } = await bloom(dir, ["show", "echo"]);
    const [, id] = /^pending +(prop_\S+) owner: Try logic-update$/m.exec(out) ?? [];
    expect(out).toContain(`compare       bloom logic diff echo current ${id}`);
    expect((await bloom(dir, ["diff", "echo", "current", id!])).out).toContain("write-memory");
    expect((await bloom(dir, ["versions", "echo"])).out).toMatch(/^v001 \* {3}2026-02-14 {2}2 /m);
    expect((await bloom(dir, ["changelog", "echo"])).out).toMatch(/^## v001 — 2026-02-14\n/);
    expect((await bloom(dir, ["rationale", "echo"])).out).toMatch(/^# Rationale: echo v001\n/);
    expect((await bloom(dir, ["diff", "echo", "v001", "current"])).out).toMatch(/^v001 → current/);
  });

  test("heat draws the version when no run can be read", async () => {
    const dir = await copy();
    const told = await bloom(dir, ["heat", "echo", "--svg", join(dir, "../heat.svg"), "--by", "bad", "--json"]);
    expect(JSON.parse(told.out)).toMatchObject({ agentId: "echo", logicVersion: "v001", icons: [] });
    expect(readFileSync(join(dir, "../heat.svg"), "utf8")).toMatch(/^<svg /);
  });

  test.each<[string, readonly string[], number, RegExp]>([
    ["a misspelled subcommand", ["heart", "echo"], 2, /Did you mean `bloom logic heat`/],
    ["a missing agent argument", ["performance"], 2, /missing argument/],
    ["an agent that does not exist", ["versions", "nobody"], 3, /has no version/],
    ["a version that does not exist", ["performance", "echo", "--versions", "v009"], 3, /no version v009/],
    ["a malformed version", ["heat", "echo", "--version", "7"], 2, /Write it as v007/],
    ["an unknown measure", ["heat", "echo", "--by", "luck"], 2, /visits, failures/],
    ["an unknown format", ["show", "echo", "--format", "pdf"], 2, /pseudo, drakon/],
    ["a rollback without a reason", ["rollback", "echo", "v001"], 2, /--reason/],
    ["a rollback to a missing version", ["rollback", "echo", "v009", "--reason", "r"], 3, /There are: v001/],
  ])("%s is refused with a hint", async (_, args, exit, words) => {
    const dir = await copy();
    const told = await bloom(dir, args);
    expect({ exit: told.exit, err: told.err }).toEqual({ exit, err: expect.stringMatching(words) });
  });
});
