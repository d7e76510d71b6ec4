import { describe, expect, test } from "vitest";
import { realWorld } from "../../base/world.ts";
import { composeRuns } from "../../compose-runs.ts";
import { keys } from "../../domain/layout.ts";
import { closeGarden, openGarden } from "../../garden/core/garden.ts";
import { demoCopies } from "../../garden/testing/demo-deps.ts";
import { testPorts } from "../../garden/testing/scratch.ts";
import { runCommandLine } from "../run-command-line.ts";

interface Told {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

const copy = demoCopies();
const never = new Promise<void>(() => undefined);

async function bloom(
  dir: string,
  args: readonly string[],
  over: {
    readonly terminal?: boolean;
    readonly answer?: string;
    readonly language?: "uk";
    readonly stopped?: Promise<void>;
  } = {},
): Promise<Told> {
  let [out, err] = ["", ""];
  const ground = testPorts(realWorld);
  const exit = await runCommandLine(args, {
    ground,
    garden: dir,
    language: over.language ?? "en",
    systemLanguage: undefined,
    debug: false,
    plain: false,
    terminal: {
      out: (text) => (out += text),
      err: (text) => (err += text),
      interactive: over.terminal ?? false,
      colours: over.terminal ?? false,
      columns: 80,
    },
    machine: {
      cwd: dir,
      version: "1",
      port: undefined,
      host: undefined,
      allowedHosts: [],
      input: () => Promise.resolve(Buffer.from("")),
      ...(over.answer !== undefined && { ask: () => Promise.resolve(over.answer!) }),
      examples: ground.folders.at(dir),
      serve: () => Promise.reject(new Error("not here")),
      startRuns: (garden, only) => composeRuns(garden, {}, { only }),
      stopRequested: () => over.stopped ?? never,
    },
  });
  return { exit, out, err };
}

type Json = Record<string, any>; // oxlint-disable-line no-explicit-any -- answers are looked at, not worked with
const json = async (dir: string, args: readonly string[]): Promise<Json> =>
  JSON.parse((await bloom(dir, [...args, "--json"])).out);
const ASK = ["run", "librarian", "--input", "question=When does the lime tree bloom?", "--wait"];

describe("U-2 bloom run", () => {
  test("shows each step as it happens, then how it ended", async () => {
    const { exit, out, err } = await bloom(copy(), ["run", "test-echo", "--wait"]);
    const lines = out.trimEnd().split("\n");
    expect({
      exit,
      head: lines[0]?.replace(/run_\S+/, "RUN"),
      steps: lines.slice(1, -2).map((line) => line.trim().split(/\s+/).slice(0, 3).join(" ")),
      end: lines.slice(-2).map((line) => line.replace(/run_\S+/, "RUN")),
      err,
    }).toEqual({
      exit: 0,
      head: "RUN  test-echo",
      steps: [
        "1 ✓ load-context",
        "2 ✓ model",
        "3 ✓ read-context",
        "4 ✓ model",
        "5 ✓ create-proposal",
        "6 ✓ model",
        "7 ✓ execute-agent",
        "8 ✓ persist-results",
        "9 ✓ finalize",
      ],
      end: ["RUN completed  proposals: 1", "→ bloom proposals"],
      err: "",
    });
  });

  test("rewrites the status line on a terminal, and clears it at the end", async () => {
    const { out, err } = await bloom(copy(), ["run", "test-echo", "--wait"], { terminal: true });
    expect({
      startsClean: err.startsWith("\r\u001b[2K"),
      endsClean: err.endsWith("\r\u001b[2K"),
      hasLineBreak: err.includes("\n"),
      hasColour: out.includes("\u001b[32m"),
    }).toEqual({ startsClean: true, endsClean: true, hasLineBreak: false, hasColour: true });
  });

  test("prints one document at the end with --json", async () => {
    const { run, manifest, requests } = await json(copy(), ["run", "gardener", "--wait"]);
    expect({
      state: run.state,
      outcome: manifest.outcome.kind,
      proposals: manifest.outcome.proposals.length,
      requests,
    }).toEqual({ state: "completed", outcome: "effects", proposals: 3, requests: [] });
  });

  test("only requests the run without --wait, and `runs resume` executes it", async () => {
    const dir = copy();
    const asked = await json(dir, ["run", "test-echo"]);
    const listed = await json(dir, ["runs", "--state", "requested"]);
    const resumed = await bloom(dir, ["runs", "resume", (asked.run.run_id as string).slice(-6)]);
    expect({
      listed: listed.runs.length,
      resumed: resumed.exit,
      state: (await json(dir, ["runs"])).runs[0].state,
    }).toEqual({ listed: 1, resumed: 0, state: "completed" });
  });

  test("O-3 an interrupted command leaves a run that `runs resume` completes", async () => {
    const dir = copy();
    const left = await bloom(dir, ["run", "archivist", "--wait"], { stopped: Promise.resolve() });
    const { runs } = await json(dir, ["runs"]);
    const id = runs[0].run_id as string;
    const done = runs[0].state === "completed" ? 0 : (await bloom(dir, ["runs", "resume", id])).exit;
    const { manifest, steps } = await json(dir, ["runs", "show", id]);
    expect({ leftInTime: [0, 130].includes(left.exit), done, status: manifest.status, steps: steps.length }).toEqual({
      leftInTime: true,
      done: 0,
      status: "completed",
      steps: manifest.steps_count,
    });
  });

  test("a run that fails exits with 1 and says why", async () => {
    const { exit, out } = await bloom(copy(), ["run", "librarian", "--wait"]);
    expect({
      exit,
      lastLine: out
        .trimEnd()
        .split("\n")
        .at(-1)
        ?.replace(/run_\S+/, "RUN"),
    }).toEqual({ exit: 1, lastLine: "RUN failed  failed: the procedure needs the input question" });
  });

  test.each<[string[], number, string]>([
    [["run", "nobody"], 3, "bloom: there is no agent nobody"],
    [["run", "test-echo", "--input", "note"], 2, "bloom: --input: not name=value: note"],
    [["run", "test-echo", "--input", "a=1", "--input", "a=2"], 2, "bloom: --input: a is given twice"],
    [["runs", "shwo", "x"], 2, 'bloom: unknown subcommand "shwo"'],
    [["runs", "show"], 2, "bloom: runs show: missing argument"],
    [["runs", "show", "zzzzzz"], 3, "bloom: there is no run zzzzzz"],
    [["runs", "--state", "asleep"], 2, 'bloom: --state: unknown value "asleep"'],
    [["runs", "resume", "zzzzzz"], 3, "bloom: there is no run zzzzzz"],
    [["requests", "answer", "zzzzzz"], 3, "bloom: no open request matches zzzzzz"],
  ])("%j ends with %i", async (args, exit, first) => {
    const told = await bloom(copy(), args);
    expect({ exit: told.exit, firstLine: told.err.split("\n")[0] }).toEqual({ exit, firstLine: first });
  });
});

describe("O-6 bloom requests", () => {
  test("a run with an open request exits with 9; a wrong answer gets a message; the right answer completes the run", async () => {
    const dir = copy();
    const asked = await bloom(dir, ASK);
    const [request] = (await json(dir, ["requests"])).requests;
    const status = await bloom(dir, ["status"]);
    const wrong = [
      await bloom(dir, ["requests", "answer", request.id]),
      await bloom(dir, ["requests", "answer", request.id, "--approve"]),
      await bloom(dir, ["requests", "answer", request.id, "--choice", "3"]),
      await bloom(dir, ["requests", "answer", request.id, "--choice", "1", "--value", "x"]),
    ];
    const right = await bloom(dir, [
      "requests",
      "answer",
      request.id.slice(0, -3).slice(-6),
      "--choice",
      "2",
      "--wait",
    ]);
    const none = await bloom(dir, ["requests"]);
    expect({
      asked: asked.exit,
      needsYou: /^Needs you +(.*)$/m.exec(status.out)?.[1],
      listsOptions: asked.out.includes("2. sources/neighbours-almanac.md"),
      wrong: wrong.map(({ exit, err }) => [exit, err.split("\n")[0]?.replace(request.id, "ID")]),
      right: [right.exit, right.out.split("\n")[0]?.includes("ask-human")],
      none: none.out,
    }).toEqual({
      asked: 9,
      needsYou: expect.stringMatching(/^\d+ proposals.*, 1 question → bloom requests$/) as string,
      listsOptions: true,
      wrong: [
        [2, "bloom: ID: missing answer"],
        [2, "bloom: ID needs an answer of the form choice"],
        [2, "bloom: not one of the options: 3"],
        [2, "bloom: several answers given"],
      ],
      right: [0, true],
      none: "No open requests.\n",
    });
  });

  test("on a terminal the command prompts, and a number selects an option", async () => {
    const dir = copy();
    await bloom(dir, ASK);
    const [request] = (await json(dir, ["requests"])).requests;
    const { exit, out } = await bloom(dir, ["requests", "answer", request.id], { answer: "1" });
    expect({ exit, asks: out.includes("Which one counts?"), answered: out.includes("Answered") }).toEqual({
      exit: 0,
      asks: true,
      answered: true,
    });
  });
});

describe("O-1, O-7 bloom runs", () => {
  test("O-7 a fork whose shared steps depend on the change prints a step where it can be forked", async () => {
    const dir = copy();
    const { run } = await json(dir, ASK);
    const at = ["--at", "3", "--set", "question=Who keeps bees?"];
    const fork = await json(dir, ["runs", "fork", run.run_id, ...at]);
    const { exit, out } = await bloom(dir, ["runs", "resume", fork.run.run_id]);
    expect({ exit, lastLine: out.trimEnd().split("\n").at(-1) }).toEqual({
      exit: 1,
      lastLine: "→ Fork it at step 1 or before.",
    });
  });

  test("O-3a a waiting run can be logged, forked and cancelled, and is not moved to the version that it has", async () => {
    const dir = copy();
    await bloom(dir, ASK);
    const [{ run_id }] = (await json(dir, ["runs"])).runs;
    const logs = await bloom(dir, ["runs", "logs", run_id, "--step", "3"]);
    const where = await bloom(dir, ["runs", "fork", run_id]);
    const fork = await json(dir, [
      "runs",
      "fork",
      run_id,
      "--at",
      "1",
      "--set",
      "question=Where is the violin?",
      "--wait",
    ]);
    const check = await bloom(dir, ["runs", "move", run_id, "--check"]);
    const cancelled = await bloom(dir, ["runs", "cancel", run_id, "--reason", "Never mind"]);
    const over = await bloom(dir, ["runs", "resume", run_id]);
    expect({
      showsQuestion: logs.out.includes("question: When does the lime tree bloom?"),
      where: where.err.split("\n")[0],
      fork: [fork.run.forked_from.run, fork.run.forked_from.step],
      check: [check.exit, check.err.split("\n")[0]],
      cancelled: [cancelled.exit, cancelled.out],
      over: [over.exit, over.err.split("\n")[0]],
    }).toEqual({
      showsQuestion: true,
      where: "bloom: runs fork: missing option --at",
      fork: [run_id, 1],
      check: [5, `bloom: the run ${run_id} has the current logic version of librarian already: v001`],
      cancelled: [0, `${run_id}: cancelled\n`],
      over: [2, `bloom: ${run_id} has already ended: cancelled`],
    });
  });

  test("O-1 a run that has not started is cancelled when the command ends, and executes no step", async () => {
    const dir = copy();
    const { run } = await json(dir, ["run", "test-echo"]);
    const before = (await json(dir, ["runs", "show", run.run_id])).run.state;
    const cancelled = await json(dir, ["runs", "cancel", run.run_id, "--reason", "Never mind"]);
    const after = await json(dir, ["runs", "show", run.run_id]);
    expect({
      before,
      cancelled: cancelled.run.state,
      state: after.run.state,
      status: after.manifest.status,
      steps: after.steps,
    }).toEqual({ before: "requested", cancelled: "cancelled", state: "cancelled", status: "cancelled", steps: [] });
    expect(after.manifest.error).toContain("Never mind");
  });

  test("control characters of a record never reach the terminal", async () => {
    const dir = copy();
    const { run } = await json(dir, ["run", "test-echo", "--wait"]);
    const garden = await openGarden(testPorts(realWorld), dir);
    const key = keys.runStep("test-echo", run.run_id as string, 10, "evil");
    const record = {
      position: 10,
      name: "evil",
      kind: "tool",
      input_hash: "0".repeat(40),
      input: "\u001b[2J",
      started_at: "2026-02-14T08:00:00Z",
      finished_at: "2026-02-14T08:00:01Z",
      attempt: 1,
      output: { text: "\u001b]0;owned\u0007\u202eevil" },
      proposals: [],
      op: "x",
    };
    await garden.store.create(key, Buffer.from(JSON.stringify(record)));
    await closeGarden(garden);
    const shown = [await bloom(dir, ["runs", "show", run.run_id]), await bloom(dir, ["runs", "logs", run.run_id])];
    // oxlint-disable-next-line no-control-regex -- that is what must not be there
    expect(shown.map(({ exit, out }) => [exit, /[\u0000-\u0008\u000b-\u001f\u202e]/.test(out)])).toEqual([
      [0, false],
      [0, false],
    ]);
  });

  test("prints both languages", async () => {
    const dir = copy();
    await bloom(dir, ["run", "test-echo", "--wait"]);
    expect((await bloom(dir, ["runs"], { language: "uk" })).out).toMatch(/^ЗАПУСК +АГЕНТ +СТАН/);
  });
});
