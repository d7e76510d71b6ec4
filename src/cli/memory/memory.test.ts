import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fixedWorld } from "../../base/testing/fixed-world.ts";
import { closed, files, gardenWith, git, testPorts } from "../../garden/testing/scratch.ts";
import { runCommandLine } from "../run-command-line.ts";

const world = fixedWorld("2026-02-15T08:00:00Z", 1000);

async function bloom(cwd: string, ...args: string[]): Promise<{ exit: number; said: string }> {
  let said = "";
  const ground = testPorts(world);
  const exit = await runCommandLine(args, {
    ground,
    garden: undefined,
    language: "en",
    systemLanguage: undefined,
    debug: false,
    plain: true,
    terminal: { out: (text) => (said += text), err: (text) => (said += text), interactive: false, columns: 80 },
    machine: {
      cwd,
      version: "1.2.3",
      port: undefined,
      host: undefined,
      allowedHosts: [],
      input: () => Promise.resolve(Buffer.from("")),
      examples: ground.folders.at(cwd),
      serve: () => Promise.reject(new Error("not here")),
      stopRequested: () => Promise.resolve(),
    },
  });
  return {
    exit,
    said: said
      .replaceAll(/prop_\d{4}-\d{2}-\d{2}_\d{6}_\w{6}/g, "PROP")
      .replaceAll(/\b[0-9a-f]{10}(?:[0-9a-f]{30})?\b/g, "HASH")
      .replaceAll(/fact-[0-9a-f]{12}/g, "FACT"),
  };
}

const rose = async (): Promise<string> => {
  const { dir } = await closed(
    await gardenWith({
      "notes/a.md": "# A\n",
      "memory/archivist/facts.md": "# Facts: archivist\n\n## Music\n\n- Bach wrote six sonatas\n",
      "memory/archivist/runs/run_2026-02-14_080000_aaaaaa.md": "# run\n\n- 08:00 looked\n",
    }),
  );
  return dir;
};

test("U-2 M-5 a memory can be shown, searched, archived, edited by hand, compared and restored", async () => {
  const dir = await rose();
  const then = git(dir, "rev-parse", "HEAD");
  const shown = await bloom(dir, "memory", "show", "archivist");
  const found = await bloom(dir, "memory", "search", "archivist", "sonata");
  const report = await bloom(dir, "memory", "report", "archivist", "run_2026-02-14_080000_aaaaaa");
  const taken = await bloom(dir, "memory", "snapshot", "archivist", "--out", "archive.json");
  const again = await bloom(dir, "memory", "snapshot", "archivist", "--out", "archive.json");
  files(dir, { "memory/archivist/facts.md": "# Facts: archivist\n\n- The lime tree is old\n" });
  git(dir, "commit", "-qam", "Other facts");
  const history = await bloom(dir, "memory", "history", "archivist");
  const facts = await bloom(dir, "memory", "facts", "archivist");
  const diff = await bloom(dir, "memory", "diff", "archivist", then);
  const restored = await bloom(dir, "memory", "restore", "archivist", "--file", "archive.json", "--approve");
  const snapshots = await bloom(dir, "memory", "snapshots", "archivist");
  expect(shown.said).toBe(
    "archivist  version 1  wide: 16/13000 tokens\n— facts —\n# Facts: archivist\n\n## Music\n\n- Bach wrote six sonatas\n",
  );
  expect({ found: found.said, report: report.said }).toEqual({
    found: "Bach wrote six sonatas\n  facts.md · Music\n",
    report: "# run\n\n- 08:00 looked\n",
  });
  expect(taken.said).toMatch(/^snap-v1-[0-9a-f]{12}: version 1, 2 files → archive.json\. /);
  expect({ exit: again.exit, saysExists: again.said.includes("archive.json already exists") }).toEqual({
    exit: 5,
    saysExists: true,
  });
  expect(history.said.split("\n")[0]).toMatch(/^HASH {2}.* v2 {2}Ann \(by hand\) {2}Other facts$/);
  expect(facts.said).toMatch(/^The lime tree is old\n {2}FACT {2}\S+ {2}Ann \(by hand\) {2}used —\n$/);
  expect(diff.said).toContain("-- Bach wrote six sonatas\n+- The lime tree is old");
  expect({ exit: restored.exit, saysApplied: restored.said.includes("PROP is applied") }).toEqual({
    exit: 0,
    saysApplied: true,
  });
  expect(readFileSync(join(dir, "memory/archivist/facts.md"), "utf8")).toContain("- Bach wrote six sonatas\n");
  expect(snapshots.said).toMatch(/^snap-v1-[0-9a-f]{12} {2}v1 {2}/);
});

const wrong: readonly (readonly [string, readonly string[], string])[] = [
  ["an agent that does not exist", ["show", "nobody"], "no agent nobody"],
  ["an invalid name", ["show", "../etc"], "no agent ../etc"],
  ["an unknown mode", ["show", "archivist", "--mode", "all"], "One of: basic, wide, deep, temporal."],
  ["a day before everything", ["show", "archivist", "--at", "2001-01-01"], "no commit before"],
  ["no date", ["diff", "archivist", "2026-99-99"], "is not a date"],
  ["nothing to compare with", ["diff", "archivist"], "missing start"],
  ["no such commit", ["diff", "archivist", "feedbeef"], "has no commit feedbeef"],
  ["no source", ["restore", "archivist"], "give either a snapshot"],
  ["no report", ["report", "archivist", "run_2020-01-01_000000_aaaaaa"], "no report"],
  ["another verb", ["shwo", "archivist"], "Did you mean `bloom memory show`?"],
];

test("U-2 wrong arguments get a message with a hint, and never exit with 0", async () => {
  const dir = await rose();
  const told: unknown[] = [];
  for (const [what, args, words] of wrong) {
    const { exit, said } = await bloom(dir, "memory", ...args);
    told.push([what, exit === 0, said.includes(words) ? words : said]);
  }
  expect(told).toEqual(wrong.map(([what, , words]) => [what, false, words]));
});

test("U-2 --json prints the result of every read command as data", async () => {
  const dir = await rose();
  const keysOf = async (...args: string[]): Promise<string> =>
    Object.keys(JSON.parse((await bloom(dir, "memory", ...args, "--json")).said) as object).join(" ");
  expect({
    show: await keysOf("show", "archivist"),
    facts: await keysOf("facts", "archivist"),
    search: await keysOf("search", "archivist", "x"),
    diff: await keysOf("diff", "archivist", "2026-01-01"),
    history: await keysOf("history", "archivist"),
    snapshot: await keysOf("snapshot", "archivist"),
    snapshots: await keysOf("snapshots", "archivist"),
  }).toEqual({
    show: "agentId commit mode version values parts tokens cut limit",
    facts: "agentId facts",
    search: "agentId hits total tokens",
    diff: "agentId from to files diff",
    history: "agentId changes",
    snapshot: "snapshot agentId commit version digest files",
    snapshots: "agentId snapshots",
  });
});
