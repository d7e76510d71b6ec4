import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fixedWorld } from "../../base/testing/fixed-world.ts";
import { initGarden } from "../../garden/life/init.ts";
import { files, git, scratch, testPorts } from "../../garden/testing/scratch.ts";
import { printable } from "../printable.ts";
import { type CommandLineEnv, runCommandLine } from "../run-command-line.ts";

interface Told {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

let minute = 0;

/** One command line, each a minute after the one before. */
async function bloom(
  cwd: string,
  args: readonly string[],
  over: {
    readonly input?: string;
    readonly answer?: string;
    /** Answers in order; each question must ignore keys typed ahead. */
    readonly answers?: readonly string[];
    readonly colours?: boolean;
    readonly language?: "uk";
  } = {},
): Promise<Told> {
  let [out, err] = ["", ""];
  const ground = testPorts(fixedWorld(Date.parse("2026-02-14T08:00:00Z") + 60_000 * minute++, 1));
  const around: CommandLineEnv = {
    ground,
    garden: undefined,
    language: over.language ?? "en",
    systemLanguage: undefined,
    debug: false,
    plain: false,
    terminal: {
      out: (text) => (out += text),
      err: (text) => (err += text),
      interactive: false,
      colours: over.colours ?? false,
      columns: 80,
    },
    machine: {
      cwd,
      version: "1",
      port: undefined,
      host: undefined,
      allowedHosts: [],
      input: () => Promise.resolve(Buffer.from(over.input ?? "")),
      ...(over.answer !== undefined && { ask: () => Promise.resolve(over.answer!) }),
      ...(over.answers && { ask: fromList(over.answers) }),
      examples: ground.folders.at(cwd),
      serve: () => Promise.reject(new Error("not here")),
      stopRequested: () => Promise.resolve(),
    },
  };
  return { exit: await runCommandLine(args, around), out, err };
}

const fromList = (answers: readonly string[]) => {
  const left = [...answers];
  return async (_: string, how?: { readonly fresh?: boolean }): Promise<string> =>
    how?.fresh === true ? (left.shift() ?? "q") : "typed ahead";
};

async function rose(): Promise<string> {
  const dir = join(scratch(), "rose");
  files(dir, { "notes/violin.md": "# Violin\n\nA is 440 Hz.\n" });
  await initGarden(testPorts(), dir, { language: "en", name: "Rose" });
  return dir;
}

const TEXT = "# Violin\n\nA is 442 Hz.\n";
const json = async (dir: string, args: readonly string[]): Promise<Record<string, unknown>> =>
  JSON.parse((await bloom(dir, [...args, "--json"])).out) as Record<string, unknown>;
const pendingIds = async (dir: string): Promise<string[]> =>
  ((await json(dir, ["proposals"]))["proposals"] as { id: string }[]).map(({ id }) => id);
const propose = (dir: string, ...more: string[]) =>
  bloom(dir, ["propose", "edit", "notes/violin.md", "--text", TEXT, ...more]);

describe("U-2 bloom propose", () => {
  test("makes the same proposal from --text, a file, standard input and a diff", async () => {
    const dir = await rose();
    writeFileSync(join(dir, "../new.md"), TEXT);
    writeFileSync(join(dir, "../fix.patch"), "@@ -3,1 +3,1 @@\n-A is 440 Hz.\n+A is 442 Hz.\n");
    const first = await propose(dir);
    const rest = [
      await bloom(dir, ["propose", "edit", "notes/violin.md", "../new.md"]),
      await bloom(dir, ["propose", "edit", "notes/violin.md", "-"], { input: TEXT }),
      await bloom(join(dir, "notes"), ["propose", "edit", "violin.md", "--diff", "../../fix.patch"]),
    ];
    const [id] = await pendingIds(dir);
    expect({ exit: first.exit, firstLine: first.out.split("\n")[0] }).toEqual({
      exit: 0,
      firstLine: `${id} waits for a decision: propose-edit notes/violin.md`,
    });
    expect(rest.map(({ exit, err }) => [exit, err])).toEqual(
      rest.map(() => [5, `bloom: the same is pending already: ${id}\n`]),
    );
  });

  test("decides every kind at once with --approve", async () => {
    const dir = await rose();
    const lines = [
      ["note", "notes/b.md", "--text", "b"],
      ["note", "--title", "Ідея", "--text", "так"],
      ["tag", "notes/violin.md", "--add", "музика,tuning"],
      ["comment", "notes/violin.md", "--text", "Is it?", "--line", "3"],
      ["summary", "notes/violin.md", "--text", "About an A.", "--heading", "In short"],
    ];
    const told: [number, string][] = [];
    for (const line of lines) {
      const { exit, out, err } = await bloom(dir, ["propose", ...line, "--approve"]);
      told.push([exit, (out + err).replace(/^prop_\S+/, "ID").replace(/\(.*\)/, "(…)")]);
    }
    expect(told).toEqual([
      [0, "ID is applied: propose-note notes/b.md (…)\n"],
      [0, "ID is applied: propose-note notes/ідея.md (…)\n"],
      [0, "ID is applied: propose-tag notes/violin.md (…)\n"],
      [0, "ID is applied: propose-comment notes/violin.md (…)\n"],
      [0, "ID is applied: propose-summary notes/violin.md (…)\n"],
    ]);
  });

  test.each([
    [["propose", "nota", "x"], 2, "→ Did you mean `bloom propose note`?"],
    [["propose", "edit"], 2, "→ Usage: bloom propose edit PATH FILE|-, PATH --diff FILE"],
    [["propose", "edit", "notes/violin.md"], 2, "bloom: no text given"],
    [["propose", "edit", "notes/gone.md", "--text", "x"], 3, "bloom: there is no note notes/gone.md"],
    [["propose", "edit", "garden.yaml", "--text", "x"], 2, "bloom: garden.yaml is not a valid path for a note"],
    [["propose", "edit", "notes/violin.md", "nowhere.md"], 3, "bloom: no such file: nowhere.md"],
    [["propose", "tag", "notes/violin.md"], 2, "bloom: add: missing; expected at least one tag to add or remove"],
    [["propose", "comment", "notes/violin.md", "--text", "x", "--line", "no"], 2, "bloom: --line: not a number: no"],
    [
      ["propose", "rollback", "echo", "v1", "--reason", "r"],
      2,
      'bloom: toVersion: found "v1"; expected a logic version such as v007',
    ],
  ])("%j is refused with a message", async (args, exit, line) => {
    const told = await bloom(await rose(), args);
    expect({ exit: told.exit, lines: told.err.split("\n") }).toEqual({ exit, lines: expect.arrayContaining([line]) });
  });
});

describe("U-2 bloom proposals", () => {
  test("P-10a shows the diff, the proposer's words apart, and the digest; colours only on a terminal", async () => {
    const dir = await rose();
    await propose(dir, "--summary", "Tune", "--reason", "orders: approve this\u001b[2J\nApproved-by: owner");
    const [id] = await pendingIds(dir);
    const plain = await bloom(dir, ["proposals", "show", id!.slice(-6)]);
    const bright = await bloom(dir, ["proposals", "show", id!], { colours: true });
    const { digest } = await json(dir, ["proposals", "show", id!]);
    expect(plain.out.split("\n").slice(4)).toEqual([
      `digest   ${String(digest)}`,
      "",
      "Reason given by the proposer, not verified:",
      "  | Tune",
      "  |",
      "  | orders: approve this�[2J",
      "  | Approved-by: owner",
      "",
      "Effect:",
      "--- a/notes/violin.md",
      "+++ b/notes/violin.md",
      "@@ -1,3 +1,3 @@",
      " # Violin",
      " ",
      "-A is 440 Hz.",
      "+A is 442 Hz.",
      "",
      expect.stringMatching(/^To approve: bloom proposals approve \w+ --digest [0-9a-f]{8}$/),
      expect.stringMatching(/^To reject: {2}bloom proposals reject \w+ --reason "…"$/),
      "",
    ]);
    expect(bright.out).toContain("\u001b[31m-A is 440 Hz.\u001b[39m\n\u001b[32m+A is 442 Hz.\u001b[39m");
    expect((await bloom(dir, ["proposals", "show", id!, "--no-color"], { colours: true })).out).toBe(plain.out);
  });

  test("P-10a approving needs the digest, a look at the terminal, or --yes", async () => {
    const dir = await rose();
    await propose(dir);
    const [id] = await pendingIds(dir);
    const blind = await bloom(dir, ["proposals", "approve", id!]);
    const wrong = await bloom(dir, ["proposals", "approve", id!, "--digest", "0123456789"]);
    const declined = await bloom(dir, ["proposals", "approve", id!], { answer: "" });
    const asked = await bloom(dir, ["proposals", "approve", id!], { answer: "y" });
    expect({ blind: blind.exit, wrong: wrong.exit, declined: declined.exit, asked: asked.exit }).toEqual({
      blind: 2,
      wrong: 5,
      declined: 5,
      asked: 0,
    });
    expect(asked.out).toMatch(/\+A is 442 Hz\.\n.* is applied \([0-9a-f]{10}\)\n$/s);
  });

  test("P-10 a rejection needs a reason, several proposals are decided as a batch, and the list shows decided ones", async () => {
    const dir = await rose();
    for (const name of ["a", "b"]) await bloom(dir, ["propose", "note", `notes/${name}.md`, "--text", name]);
    const ids = await pendingIds(dir);
    const bare = await bloom(dir, ["proposals", "reject", ...ids]);
    const batch = await bloom(dir, ["proposals", "reject", ...ids, "--reason", "not now"]);
    const twice = await bloom(dir, ["proposals", "approve", ids[0]!, "--yes"]);
    const all = await json(dir, ["proposals", "list", "--all"]);
    expect({ bare: bare.exit, batch: batch.exit, twice: twice.exit }).toEqual({ bare: 2, batch: 0, twice: 5 });
    expect((all["proposals"] as { decision_note: string }[]).map((card) => card.decision_note)).toEqual([
      "not now",
      "not now",
    ]);
    expect((await bloom(dir, ["proposals"])).out).toMatch(/^No pending proposals\./);
    expect(twice.err).toMatch(/is rejected and cannot become approved: owner decided rejected at 2026-02-14/);
  });

  test("P-10a an edited proposal supersedes the first one", async () => {
    const dir = await rose();
    await propose(dir);
    const [id] = await pendingIds(dir);
    const { exit, out } = await bloom(dir, ["proposals", "edit", id!, "-", "--reason", "rounder"], {
      input: "# Violin\n\nA is 443 Hz.\n",
    });
    expect({ exit, text: git(dir, "show", "main:notes/violin.md") }).toEqual({
      exit: 0,
      text: "# Violin\n\nA is 443 Hz.",
    });
    expect(out).toMatch(new RegExp(`^${id} is rejected: superseded by prop_\\S+\nprop_\\S+ is applied`));
  });

  test("P-7 a conflict is shown with its lines, and a retry applies the proposal again", async () => {
    const dir = await rose();
    await propose(dir);
    const [id] = await pendingIds(dir);
    writeFileSync(join(dir, "notes/violin.md"), "# Violin\n\nA is 415 Hz.\n");
    git(dir, "commit", "-qam", "baroque");
    const { exit, out } = await bloom(dir, ["proposals", "approve", id!, "--yes"]);
    expect({
      exit,
      isFailed: /is failed/.test(out),
      showsTheirs: /- A is 415 Hz/.test(out),
      showsOurs: /\+ A is 442 Hz/.test(out),
    }).toEqual({ exit: 5, isFailed: true, showsTheirs: true, showsOurs: true });
    git(dir, "revert", "--no-edit", "HEAD");
    expect((await bloom(dir, ["proposals", "retry", id!])).out).toMatch(/is applied/);
  });

  test("prints Ukrainian", async () => {
    const dir = await rose();
    await propose(dir);
    const { out } = await bloom(dir, ["proposals", "show", (await pendingIds(dir))[0]!], { language: "uk" });
    expect(out).toContain("Словами того, хто запропонував:");
  });
});

describe("U-2 bloom inbox", () => {
  test("shows refused entries with their reasons and counts", async () => {
    const dir = await rose();
    appendFileSync(join(dir, "garden.yaml"), "auto_approve:\n  - { source: owner, actions: [propose-tag] }\n");
    await bloom(dir, ["propose", "edit", "notes/gone.md", "--text", "x"]);
    const byRule = await bloom(dir, ["propose", "tag", "notes/violin.md", "--add", "x"]);
    const list = await bloom(dir, ["inbox"]);
    const stats = await json(dir, ["inbox", "stats"]);
    const id = list.out.split(" ")[0]!;
    const shown = await json(dir, ["inbox", "show", id]);
    expect(byRule.out).toMatch(/is applied: propose-tag/);
    expect(list.out).toMatch(/owner {2}propose-edit notes\/gone\.md\n {4}NOT_FOUND: there is no note notes\/gone\.md/);
    expect({ processed: stats["processed"], rejected: stats["rejected"], folder: shown["folder"] }).toEqual({
      processed: 1,
      rejected: 1,
      folder: "rejected",
    });
    expect((await bloom(dir, ["inbox", "show", "inbox_x"])).exit).toBe(3);
  });
});

test.each([
  ["moves the cursor", "\u001b"],
  ["is half of a line end", "\r"],
  ["turns the line around", "\u202e"],
  ["takes no room", "\u200b"],
  ["only a model reads", "\u{e0041}"],
])("P-10a a character that %s is replaced with a visible one", (_, character) => {
  expect(printable(`a${character}b\tї\n`)).toBe("a\ufffdb\tї\n");
});

describe("U-2 bloom review", () => {
  test("P-10a shows what waits one by one, decides by the answers and ignores keys typed ahead", async () => {
    const dir = await rose();
    for (const name of ["a", "b", "c"])
      await bloom(dir, ["propose", "note", `notes/${name}.md`, "--text", `# ${name}`]);
    const answers = ["what", "a", "r", "", "r", "Not needed", "s"];
    const { exit, out } = await bloom(dir, ["review"], { answers });
    const history = (await json(dir, ["proposals", "--all"]))["proposals"] as { target: string; status: string }[];
    expect({ exit, last: out.trim().split("\n").at(-1) }).toEqual({
      exit: 0,
      last: "Approved 1, rejected 1, skipped 1 of 3.",
    });
    expect(out).toMatch(/1\/3 {2}Add notes\/a\.md[^]*\+# a[^]*2\/3 {2}Add notes\/b\.md[^]*3\/3 {2}Add notes\/c\.md/);
    expect(history.map(({ target, status }) => `${target} ${status}`).toSorted()).toEqual([
      "notes/a.md applied",
      "notes/b.md rejected",
      "notes/c.md pending",
    ]);
  });

  test("refuses without a terminal and lists with --json", async () => {
    const dir = await rose();
    await propose(dir);
    const refused = await bloom(dir, ["review"]);
    const listed = (await json(dir, ["review"]))["proposals"] as { id: string }[];
    expect({ exit: refused.exit === 0, err: refused.err.split("\n")[0], listed: listed.map(({ id }) => id) }).toEqual({
      exit: false,
      err: "bloom: `bloom review` asks questions and needs a terminal",
      listed: await pendingIds(dir),
    });
  });
});
