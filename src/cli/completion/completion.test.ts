import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contractText } from "../../garden/agents/testing/contract-text.ts";
import { initGarden } from "../../garden/life/init.ts";
import { files, scratch, testPorts } from "../../garden/testing/scratch.ts";
import { commands } from "../commands.ts";
import { bashScript } from "./bash-script.ts";
import { completionTable } from "./completion-table.ts";
import { fishScript } from "./fish-script.ts";
import { gardenNames } from "./garden-names.ts";

const rows = completionTable(commands);

/** Every line is completed at its last word by one bash with the generated script; `bloom` prints what it was asked. */
function completed(lines: readonly (readonly string[])[]): string[] {
  const calls = lines.map((words) => `try ${words.map((word) => `'${word}'`).join(" ")}`);
  const script = `${bashScript(rows, "bash")}
bloom() { [[ $1 == complete-names ]] && printf '%s\\n' "$3<$2$4$5>"; }
try() { COMP_WORDS=(bloom "$@"); COMP_CWORD=$#; _bloom; echo "\${COMPREPLY[*]}"; }
${calls.join("\n")}`;
  return execFileSync("bash", ["--norc"], { input: script, encoding: "utf8", cwd: import.meta.dirname })
    .trimEnd()
    .split("\n");
}

test("U-2 the completion script of bash completes commands, subcommands, options, values, names and files", () => {
  const cases: readonly [words: string[], offered: string][] = [
    [["ag"], "agent"],
    [["agent", "act"], "activate"],
    [["agent", "show", "a"], "a<agents>"],
    [["agent", "show", "a", "b"], ""],
    [["agent", "list", "--stat"], "--status"],
    [["agent", "list", "--status", "ar"], "archived"],
    [["--lang", "e"], "en"],
    [["--garden", "/g", "run", "a"], "a<agents--garden/g>"],
    [["proposals", "approve", "p1", "p"], "p<proposals>"],
    [["runs", "show", "r"], "r<runs>"],
    [["note", "show", "notes/"], "notes/<notes>"],
    [["propose", "edit", "a.md", "completion.te"], "completion.test.ts"],
    [["propose", "note", "--text", "x"], ""],
    [["why", "x"], "x<notes+proposals+runs+agents>"],
    [["help", "versi"], "version"],
    [["completion", "z"], "zsh"],
  ];
  expect(completed(cases.map(([words]) => words))).toEqual(cases.map(([, offered]) => offered));
});

test("U-2 the completion scripts have every command and subcommand, and none that is hidden", () => {
  const scripts = [bashScript(rows, "bash"), bashScript(rows, "zsh"), fishScript(rows, "en")];
  for (const { name, subcommands = [], hidden } of commands)
    for (const words of [[name], ...subcommands.map(({ word }) => [name, word])]) {
      const place = words.join(" ");
      const inBash = scripts.slice(0, 2).every((script) => script.includes(`\n  '${place}') `));
      const inFish = scripts[2]!.includes(`__bloom_in ${place}'`);
      expect({ place, inBash, inFish }).toEqual({
        place,
        inBash: !hidden,
        inFish: !hidden && (subcommands.length === 0 || words.length > 1),
      });
    }
});

test("U-2 names are completed from the files alone: nothing is written, no store is opened", async () => {
  const dir = join(scratch(), "rose");
  files(dir, { "notes/deep/violin.md": "a", "notes/apples.md": "b", "notes/picture.png": "c" });
  const ports = testPorts();
  await initGarden(ports, dir, { language: "en", name: "Rose" });
  files(dir, {
    "agents/archivist/_agent.md": contractText("archivist"),
    "agents/empty/readme.md": "no agent",
    ".bloom/store/proposals/pending/prop_1.json": "{}",
    ".bloom/store/agents/archivist/runs/run_1/manifest.json": "{}",
  });
  const sight = (): string[] =>
    readdirSync(dir, { recursive: true, encoding: "utf8" })
      .map((path) => `${path} ${statSync(join(dir, path)).mtimeMs}`)
      .toSorted();
  const before = sight();
  const folder = ports.folders.at(dir);
  expect({
    agents: await gardenNames(folder, "agents", ""),
    others: await gardenNames(folder, "agents", "x"),
    top: await gardenNames(folder, "notes", ""),
    notes: await gardenNames(folder, "notes", "notes/"),
    note: await gardenNames(folder, "notes", "notes/deep/v"),
    outside: await gardenNames(folder, "notes", "../"),
    proposals: await gardenNames(folder, "proposals", "prop"),
    runs: await gardenNames(folder, "runs", ""),
  }).toEqual({
    agents: ["archivist"],
    others: [],
    top: ["notes/"],
    notes: ["notes/apples.md", "notes/deep/"],
    note: ["notes/deep/violin.md"],
    outside: [],
    proposals: ["prop_1"],
    runs: ["run_1"],
  });
  expect(sight()).toEqual(before);
});
