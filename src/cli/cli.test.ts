import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { contractKey } from "../domain/layout.ts";
import { contractText } from "../garden/agents/testing/contract-text.ts";
import { initGarden } from "../garden/life/init.ts";
import { files, git, scratch, testPorts } from "../garden/testing/scratch.ts";
import { commands } from "./commands.ts";
import { parseCommandLine } from "./parse.ts";
import type { CommandLineEnv } from "./run-command-line.ts";
import { inProcessBloom, type PrintedCommand } from "./testing/command-line.ts";

const EXAMPLES = join(import.meta.dirname, "../../examples");

const bloom = (cwd: string, args: readonly string[], change: Partial<CommandLineEnv> = {}): Promise<PrintedCommand> =>
  inProcessBloom(cwd, args, { host: { examples: testPorts().folders.at(EXAMPLES) }, ...change });

const rose = async (): Promise<string> => {
  const dir = join(scratch(), "rose");
  files(dir, { "notes/a.md": "a" });
  await initGarden(testPorts(), dir, { language: "uk", name: "Троянда" });
  return dir;
};

test("C-7 bloom status names an agent in error, why it stopped and what to do", async () => {
  const dir = await rose();
  const text = contractText("echo", { status: "error", toolz: "[]" });
  files(dir, { [contractKey("echo")]: text });
  const { out } = await bloom(dir, ["status", "--lang", "en"]);
  expect(out).toMatch(
    /! echo is in error and does not run: .*toolz.*\n {2}→ bloom agent check echo, then bloom agent activate echo/s,
  );
});

test("G-3 init takes a folder for --remote from where it is called, and status says what other machines do not see", async () => {
  const place = scratch();
  git(place, "init", "--quiet", "--bare", "far.git");
  const made = await bloom(place, ["init", "rose", "--remote", "far.git", "--lang", "en"]);
  const dir = join(place, "rose");
  const { out } = await bloom(dir, ["status", "--lang", "en"]);
  expect({ made: made.err, far: git(join(place, "far.git"), "rev-parse", "main"), status: out }).toEqual({
    made: "",
    far: git(dir, "rev-parse", "main"),
    status: expect.stringContaining(
      "! Proposals and runs are on this machine only; other clones of the remote do not see them.",
    ),
  });
});

test("U-2, G-7 bloom settings sets a value with a check and a commit, and keeps the comments; bloom audit tells it", async () => {
  const dir = await rose();
  const say = async (...args: string[]): Promise<string> => {
    const { out, err } = await bloom(dir, [...args, "--lang", "en"]);
    return (out + err).trim();
  };
  const before = readFileSync(join(dir, "garden.yaml"), "utf8");
  expect(await say("settings", "get", "schedule.timezone")).toBe("UTC");
  expect(await say("settings", "set", "schedule.timezone", "Europe/Kyiv")).toMatch(
    /^schedule\.timezone: "Europe\/Kyiv" \(commit [0-9a-f]{10}\)$/,
  );
  expect(await say("settings", "set", "schedule.timezone", "Europe/Kyiv")).toContain("already");
  expect(await say("settings", "set", "egress", "[api.example.com]")).toMatch(/^egress: \["api\.example\.com"\]/);
  expect(await say("settings", "set", "schedule.timezone", "Nowhere")).toMatch(/garden\.yaml:\d+ schedule\.timezone/);
  expect(await say("settings", "unset", "egress")).toMatch(/^egress: \[\]/);
  const comments = before.split("\n").filter((line) => line.startsWith("#"));
  const after = readFileSync(join(dir, "garden.yaml"), "utf8");
  expect(comments.every((line) => after.includes(line))).toBe(true);
  expect(git(dir, "log", "--format=%s", "-3").split("\n")).toEqual([
    "garden.yaml: egress",
    "garden.yaml: egress",
    "garden.yaml: schedule.timezone",
  ]);
  expect((await say("audit", "--kind", "settings-changed", "--limit", "2")).split("\n")).toHaveLength(3);
  expect(await say("audit", "--by", "nobody")).toBe("Nothing found.");
});

test("U-2 a missing agent or note is reported with the nearest name, whatever the command", async () => {
  const dir = join(scratch(), "rose");
  files(dir, { "notes/garden/violin.md": "a", "notes/apples.md": "b" });
  await initGarden(testPorts(), dir, { language: "en", name: "Rose" });
  files(dir, { "agents/archivist/_agent.md": contractText("archivist") });
  const lines: readonly [args: string[], near: string | undefined][] = [
    [["agent", "show", "archvist"], "archivist"],
    [["agent", "pause", "Archivist"], "archivist"],
    [["run", "archivst"], "archivist"],
    [["logic", "show", "archvist"], "archivist"],
    [["memory", "show", "archvist"], "archivist"],
    [["why", "archvist#3"], "archivist"],
    [["note", "show", "notes/garden/violn.md"], "notes/garden/violin.md"],
    [["note", "show", "violin"], "notes/garden/violin.md"],
    [["note", "history", "notes/aples.md"], "notes/apples.md"],
    [["propose", "edit", "notes/aples.md", "--text", "x"], "notes/apples.md"],
    [["propose", "comment", "notes/aples.md", "--text", "x"], "notes/apples.md"],
    [["why", "notes/aples.md:1"], "notes/apples.md"],
    [["agent", "show", "something-else"], undefined],
    [["logic", "show", "archivist"], undefined],
  ];
  for (const [args, near] of lines) {
    const { exit, err } = await bloom(dir, args);
    const [, found] = /→ Did you mean `([^`]+)`\?\n$/.exec(err) ?? [];
    expect({ args, exit, near: found }).toEqual({ args, exit: 3, near });
  }
});

test("O-4 bloom event publishes an event once per id, and lists it", async () => {
  const dir = await rose();
  for (let n = 0; n < 2; n++) await bloom(dir, ["event", "publish", "mail/received", "--id", "42"]);
  const { out } = await bloom(dir, ["event", "list", "--json"]);
  expect(JSON.parse(out)).toMatchObject({ events: [{ name: "mail/received", id: "42", pending: true }] });
});

describe("U-2 the command line", () => {
  test.each<[string[], string[]]>([
    [
      ["help", "--json"],
      ["init", "why"],
    ],
    [["help", "why", "--json"], ["why"]],
    [["why", "--help", "--json"], ["why"]],
  ])("bloom %j prints one JSON document", async (args, names) => {
    const { exit, out } = await bloom(scratch(), args);
    const told = JSON.parse(out) as { commands: { name: string }[] };
    expect({ exit, namesAll: names.every((name) => told.commands.some((each) => each.name === name)) }).toEqual({
      exit: 0,
      namesAll: true,
    });
  });

  test.each([
    [["stauts"], 2, 'bloom: unknown command "stauts"\n→ Did you mean `bloom status`?\n'],
    [["xyzzy"], 2, 'bloom: unknown command "xyzzy"\n→ All commands: `bloom help`.\n'],
    [["status", "--jsno"], 2, "bloom: unknown option --jsno\n→ Did you mean `--json`?\n"],
    [["status", "--garden"], 2, "bloom: --garden needs a value\n→ `bloom help status` lists its options.\n"],
    [["status", "--json=1"], 2, "bloom: --json takes no value\n→ `bloom help status` lists its options.\n"],
    [["status", "x"], 2, 'bloom: status: unexpected argument "x"\n→ Usage: bloom status\n'],
    [["restore"], 2, "bloom: restore: missing argument\n→ Usage: bloom restore FILE [DIR]\n"],
    [["help", "stauts"], 2, 'bloom: unknown command "stauts"\n→ Did you mean `bloom status`?\n'],
    [["status", "--lang", "fr"], 2, "bloom: unknown language: fr\n→ Use --lang uk or --lang en.\n"],
    [
      ["up", "--port", "99999"],
      2,
      "bloom: --port: not a port: 99999\n→ Use a number from 0 to 65535 (0: any free port).\n",
    ],
    [
      ["init", "--notes-root", "../x"],
      2,
      "bloom: --notes-root: invalid folder: ../x\n→ Name a folder inside the garden, or `.`.\n",
    ],
    [
      ["note", "new", "a.md", "--text", "--title", "x"],
      2,
      "bloom: --text needs a value, and --title is an option of this command\n→ If --title is the value, write `--text=--title`.\n",
    ],
    [
      ["note", "new", "a.md", "--text", "-f"],
      2,
      "bloom: --text needs a value, and -f is an option of this command\n→ If -f is the value, write `--text=-f`.\n",
    ],
    [["help", "propose", "logik"], 2, 'bloom: unknown subcommand "logik"\n→ Did you mean `bloom propose logic`?\n'],
    [["help", "status", "x"], 2, 'bloom: help status: unexpected argument "x"\n→ Usage: bloom help status\n'],
    [["stauts", "--lang", "uk"], 2, 'bloom: невідома команда "stauts"\n→ Можливо, `bloom status`?\n'],
  ])("%j exits with %i, one line of error and one line of hint", async (args, exit, err) => {
    expect(await bloom(scratch(), args)).toEqual({ exit, out: "", err });
  });

  test.each(["---\ntitle: x\n---\n", "- item", "-3", "-", "--- a", "--", "--nothing-of-ours"])(
    "an option takes %j as its value",
    (text) => {
      const { options, words } = parseCommandLine(["note", "edit", "notes/a.md", "--text", text, "--json"], commands);
      expect({ options: { ...options }, words }).toEqual({
        options: { text, json: true },
        words: ["edit", "notes/a.md"],
      });
    },
  );

  test("a note with front matter is written from the command line", async () => {
    const dir = await rose();
    const text = "---\ntitle: x\n---\n- item\n";
    expect((await bloom(dir, ["note", "edit", "notes/a.md", "--text", text])).exit).toBe(0);
    expect(readFileSync(join(dir, "notes/a.md"), "utf8")).toBe(text);
  });

  test("every command prints how to create a garden when there is none", async () => {
    const dir = scratch();
    for (const name of ["status", "verify", "backup", "upgrade", "up", "fetch", "maintain"]) {
      expect(await bloom(dir, [name])).toEqual({
        exit: 3,
        out: "",
        err: `bloom: there is no garden in ${dir}\n→ Make one with \`bloom init\`, or name its folder with \`--garden DIR\`.\n`,
      });
    }
  });

  test("finds the garden by option, by environment, and from a folder inside it", async () => {
    const dir = await rose();
    const names = [
      await bloom(scratch(), ["version", "--garden", dir]),
      await bloom(scratch(), ["status", "--garden", dir, "--json"]),
      await bloom(scratch(), ["status", "--json"], { garden: dir }),
      await bloom(join(dir, "notes"), ["status", "--json"]),
    ].slice(1);
    expect(names.map(({ out }) => (JSON.parse(out) as { name: string }).name)).toEqual([
      "Троянда",
      "Троянда",
      "Троянда",
    ]);
  });

  test.each<[string, string[], Partial<CommandLineEnv>, "uk" | "en"]>([
    ["an option", ["--lang", "en"], { language: "uk" }, "en"],
    ["an option with =", ["--lang=en"], { language: "uk" }, "en"],
    ["BLOOM_LANG", [], { language: "en" }, "en"],
    ["the garden's own", [], { systemLanguage: "en" }, "uk"],
  ])("prints the language of %s", async (_, args, change, language) => {
    const { out } = await bloom(await rose(), ["status", ...args], change);
    expect(out).toMatch(language === "uk" ? /^Сад +Троянда/ : /^Garden +Троянда/);
  });

  test("prints the same facts as one JSON document", async () => {
    const dir = await rose();
    files(dir, { "notes/b.md": "new" });
    const { out, exit } = await bloom(dir, ["status", "--json"]);
    expect({ exit, document: JSON.parse(out) }).toEqual({
      exit: 0,
      document: expect.objectContaining({
        name: "Троянда",
        dir,
        branch: "main",
        head: {
          commit: git(dir, "rev-parse", "HEAD"),
          subject: "Begin a garden",
          author: "owner",
          at: expect.any(Number) as number,
        },
        notes: 1,
        agents: [],
        pending: 0,
        uncommitted: [{ path: "notes/b.md", kind: "untracked" }],
      }),
    });
  });

  test.each([
    ["UTC", "(owner, 2026-02-14 08:00 UTC)"],
    ["Europe/Kyiv", "(owner, 2026-02-14 10:00 +02:00)"],
    ["America/St_Johns", "(owner, 2026-02-14 04:30 -03:30)"],
  ])("prints times in the zone of the machine (%s), and in UTC as JSON", async (zone, shown) => {
    const dir = await rose();
    vi.stubEnv("TZ", zone);
    try {
      const [text, json] = [await bloom(dir, ["status"]), await bloom(dir, ["token", "new", "--json"])];
      expect({ text: text.out, utc: /"expires_at": "[^"]+Z"/.test(json.out) }).toEqual({
        text: expect.stringContaining(shown) as string,
        utc: true,
      });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("prints failures as JSON on stderr", async () => {
    const { err, exit, out } = await bloom(scratch(), ["status", "--json"]);
    expect({ exit, out, error: JSON.parse(err) }).toEqual({
      exit: 3,
      out: "",
      error: { error: expect.objectContaining({ code: "NOT_FOUND" }) as unknown, exit: 3 },
    });
  });

  test("G-7 an unknown key in garden.yaml stops every command but verify, with line and suggestion", async () => {
    const dir = await rose();
    files(dir, { "garden.yaml": "version: 2\nname: x\nlangauge: uk\n" });
    const status = await bloom(dir, ["status"]);
    expect({ exit: status.exit, firstLine: status.err.split("\n")[0] }).toEqual({
      exit: 2,
      firstLine: 'bloom: garden.yaml:3 langauge: unknown key; did you mean "language"?',
    });
    const verify = await bloom(dir, ["verify"]);
    expect({ exit: verify.exit, out: verify.out }).toEqual({
      exit: 1,
      out: 'G-7 garden.yaml: garden.yaml:3 langauge: unknown key; did you mean "language"?\nProblems: 1\n',
    });
  });

  test("shows a stack trace only on request", async () => {
    const ground = { ...testPorts(), openStore: () => Promise.reject(new Error("boom")) };
    const dir = await rose();
    const plain = await bloom(dir, ["status"], { ground, language: "en" });
    const debug = await bloom(dir, ["status"], { ground, language: "en", debug: true });
    expect({ exit: plain.exit, err: plain.err, hasStack: /\n +at /.test(debug.err) }).toEqual({
      exit: 70,
      err: "bloom: internal error: boom\n→ This is a bug in bloom. Please report it with what BLOOM_DEBUG=1 shows.\n",
      hasStack: true,
    });
  });

  test.each([0, 80])("G-1 shows the whole line of progress on a terminal of %s columns", async (columns) => {
    const dir = scratch();
    files(dir, { "notes/a.md": "a" });
    let err = "";
    const terminal = { out: () => undefined, err: (text: string) => (err += text), interactive: true, columns };
    expect(await bloom(dir, ["init", "--lang", "en"], { terminal })).toMatchObject({ exit: 0 });
    expect(err).toMatch(/committing files: 0 of 2\r.*packing files: 2\r/);
  });

  test("leaves out progress with --quiet, but not results", async () => {
    const dir = join(scratch(), "x");
    expect((await bloom(scratch(), ["init", dir, "--quiet"])).out).toBe("");
    expect((await bloom(dir, ["verify", "-q", "--lang", "en"])).out).toMatch(/^No problems: \d+ checks passed\.\n$/);
  });
});

describe("help", () => {
  test.each([[[]], [["help"]], [["--help"]], [["-h"]]])(
    "%j lists every command in both languages",
    async (args: string[]) => {
      for (const language of ["uk", "en"] as const) {
        const { out, exit } = await bloom(scratch(), [...args, "--lang", language]);
        expect(exit).toBe(0);
        for (const { name, summary, hidden } of commands)
          if (!hidden) expect(out).toMatch(new RegExp(`^ +${name} .*${summary[language]}$`, "m"));
      }
    },
  );

  test.each(commands.map(({ name }) => name))("help %s is the same as %s --help and needs no garden", async (name) => {
    const dir = scratch();
    const [one, other] = [await bloom(dir, ["help", name]), await bloom(dir, [name, "--help"])];
    expect({ exit: one.exit, out: one.out }).toEqual({ exit: 0, out: other.out });
    expect(one.out).toContain(`Usage: bloom ${name}`);
  });

  test("help COMMAND SUBCOMMAND is the page of that subcommand, as JSON too", async () => {
    const dir = scratch();
    for (const { name, subcommands = [] } of commands)
      for (const { word } of subcommands) {
        const [one, other] = [await bloom(dir, ["help", name, word]), await bloom(dir, [name, word, "--help"])];
        expect({ exit: one.exit, out: one.out }).toEqual({ exit: 0, out: other.out });
        expect(one.out).toContain(`Usage: bloom ${name} ${word}`);
      }
    const json = JSON.parse((await bloom(dir, ["help", "propose", "logic", "--json"])).out) as unknown;
    expect(json).toMatchObject({ commands: [{ name: "propose logic" }] });
  });

  test("the page of a subcommand has its own options, not those of its siblings", async () => {
    const { out } = await bloom(scratch(), ["help", "propose", "logic"]);
    expect({
      own: out.includes("--diagram"),
      general: out.includes("--reason"),
      other: out.includes("--heading"),
    }).toEqual({
      own: true,
      general: true,
      other: false,
    });
  });
});
