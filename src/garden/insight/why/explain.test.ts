import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isFailure } from "../../../base/failure.ts";
import { keys, logicPath } from "../../../domain/layout.ts";
import { closeGarden, type Garden, openGarden } from "../../core/garden.ts";
import { environment, files, git, testPorts } from "../../testing/scratch.ts";
import { tendedCopies } from "../../testing/tended-garden.ts";
import { explain } from "./explain.ts";
import type { WhyReport } from "./why-report.ts";

const made = tendedCopies();
const { copy } = made;

async function inGarden<T>(dir: string, use: (garden: Garden) => Promise<T>): Promise<T> {
  const garden = await openGarden(testPorts(), dir);
  try {
    return await use(garden);
  } finally {
    await closeGarden(garden);
  }
}
const asked = (dir: string, subject: string): Promise<WhyReport> => inGarden(dir, (garden) => explain(garden, subject));

/** `-` because, `+` led to; one per level of depth. */
const shape = ({ links }: WhyReport): string[] =>
  links.map(({ kind, depth, direction }) => `${(direction === "led-to" ? "+" : "-").repeat(depth)}${kind}`);

const FROM_PROPOSAL = ["decision", "run", "-step", "-contract", "-logic", "--icon"];
const below = (depth: number, kinds: readonly string[]): string[] => kinds.map((kind) => `${"-".repeat(depth)}${kind}`);

describe("P-11 the chain of causes is followed", () => {
  test.each<[string, () => string, string[]]>([
    ["from main", () => "main", ["commit", "-proposal", ...below(2, FROM_PROPOSAL)]],
    [
      "from the beginning of a commit's id",
      () => made.tended.proposals.byAgent.apply_result!.git_commit!.slice(0, 8),
      ["commit", "-proposal", ...below(2, FROM_PROPOSAL)],
    ],
    ["from a line that an agent wrote", () => "notes/a.md:1", ["commit", "-proposal", ...below(2, FROM_PROPOSAL)]],
    ["from a line that a person wrote", () => "notes/б.md:1", ["commit", "-person"]],
    ["from a path that the owner proposed", () => "notes/new.md", ["commit", "-proposal", "--decision", "--person"]],
    [
      "from a proposal, both ways",
      () => made.tended.proposals.byAgent.id,
      ["proposal", ...below(1, FROM_PROPOSAL), "+commit"],
    ],
    [
      "from the end of a proposal's id",
      () => made.tended.proposals.byAgent.id.slice(-6),
      ["proposal", ...below(1, FROM_PROPOSAL), "+commit"],
    ],
    ["from a proposal that waits", () => made.tended.proposals.pending.id, ["proposal", "-decision", "-person"]],
    [
      "from a comment",
      () => made.tended.proposals.comment.apply_result!.object_path!,
      ["proposal", "-decision", "-person", "+object"],
    ],
    [
      "from a run to what it caused",
      () => made.tended.run.run,
      ["run", "-contract", "-logic", "+proposal", "++commit"],
    ],
    [
      "from an icon to what it caused",
      () => `${made.tended.agent}#${made.tended.icon}`,
      ["icon", "+run", "++proposal", "+++commit"],
    ],
    ["from the first commit of a garden", () => "garden.yaml", ["commit", "-person"]],
    [
      "from a version of logic",
      () => logicPath.current(made.tended.agent, "diagram"),
      ["commit", "-proposal", "--decision", "--person"],
    ],
  ])("%s", async (_, subject, expected) => {
    const report = await asked(copy(), subject());
    expect({ shape: shape(report), missing: report.missing }).toEqual({ shape: expected, missing: [] });
  });

  test("names a human edit, and remarks that a file has uncommitted edits", async () => {
    const dir = copy();
    files(dir, { "notes/a.md": "by hand\n" });
    git(dir, "commit", "-qam", "Mine\n\nProposals are for others.");
    files(dir, { "notes/a.md": "by hand\nmore\n" });
    const { links, missing } = await asked(dir, "notes/a.md:1");
    expect({ what: links[1]!.what.en, remarks: links[0]!.remarks.length, missing }).toEqual({
      what: "a human edit by Ann <ann@example.org>: no proposal",
      remarks: 1,
      missing: [],
    });
  });

  test("distinguishes bookkeeping from decided changes", async () => {
    const dir = copy();
    commit(dir, "Count\n\nBookkeeping: statistics", "gateway@garden.invalid");
    expect(shape(await asked(dir, "main"))).toEqual(["commit", "-bookkeeping"]);
  });
});

function commit(dir: string, message: string, email = "ann@example.org"): void {
  const who = { GIT_AUTHOR_NAME: "x", GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: "x", GIT_COMMITTER_EMAIL: email };
  execFileSync("git", ["commit", "-q", "--allow-empty", "-m", message], { cwd: dir, env: { ...environment, ...who } });
}

const inStore = (dir: string, key: string): string => join(dir, ".bloom/store", key);
const lose = (dir: string, key: string): void => rmSync(inStore(dir, key), { recursive: true });
function change(dir: string, key: string, from: string | RegExp, to: string): void {
  const before = readFileSync(inStore(dir, key), "utf8");
  writeFileSync(inStore(dir, key), before.replace(from, to));
  expect(before).toMatch(from);
}

describe("P-11 a missing or false link is named:", () => {
  const step = (position: number, name: string): string =>
    keys.runStep(made.tended.agent, made.tended.run.run, position, name);
  const event = (number: number): string => keys.proposalEvent(made.tended.proposals.byAgent.id, number);
  const message = (dir: string): string => git(dir, "log", "-1", "--format=%B");

  test.each<[string, string[], (dir: string) => void]>([
    ["a copied trailer", ["commit"], (dir) => commit(dir, message(dir))],
    [
      "a trailer forged with the gateway's name",
      ["commit"],
      (dir) => commit(dir, message(dir), "gateway@garden.invalid"),
    ],
    [
      "a trailer that names a missing proposal",
      ["proposal"],
      (dir) => commit(dir, "[x] y\n\nProposal: prop_2026-02-14_080000_nobody"),
    ],
    ["a trailer that is not a proposal id", ["proposal"], (dir) => commit(dir, "[x] y\n\nProposal: ../../etc/passwd")],
    ["a gateway commit without a trailer", ["commit"], (dir) => commit(dir, "[x] y", "gateway@garden.invalid")],
    ["a deleted proposal log", ["proposal"], (dir) => lose(dir, keys.proposalLog(made.tended.proposals.byAgent.id))],
    ["an operation changed after the proposal", ["proposal"], (dir) => change(dir, event(0), '"sorted"', '"sordid"')],
    [
      "an approval of another digest",
      ["decision"],
      (dir) => change(dir, event(1), /"digest": "\w+"/, `"digest": "${"0".repeat(40)}"`),
    ],
    ["a deleted run", ["run"], (dir) => lose(dir, `${keys.runs(made.tended.agent)}${made.tended.run.run}`)],
    [
      "a deleted run request",
      ["run", "run"],
      (dir) => lose(dir, keys.runRequest(made.tended.agent, made.tended.run.run)),
    ],
    ["a step changed after the run", ["run"], (dir) => change(dir, step(3, "summarize"), "short", "long")],
    ["a deleted step that made the proposal", ["run", "step"], (dir) => lose(dir, step(4, "create-proposal"))],
    ["a deleted contract step", ["run", "contract"], (dir) => lose(dir, step(1, "load-context"))],
    [
      "a changed contract",
      ["run", "contract"],
      (dir) => change(dir, step(1, "load-context"), "# Who it is", "# Who it was"),
    ],
    [
      "a version that git does not have",
      ["run", "run", "logic", "icon"],
      (dir) => change(dir, step(1, "load-context"), '"v001"', '"v009"'),
    ],
    [
      "an icon that the diagram does not have",
      ["run", "icon"],
      (dir) => change(dir, step(4, "create-proposal"), /"icon": "\w+"/, '"icon": "nowhere"'),
    ],
    ["a step without an icon", ["run", "icon"], (dir) => change(dir, step(4, "create-proposal"), /"icon": "\w+",/, "")],
    [
      "a run whose records are damaged",
      ["run"],
      (dir) => change(dir, step(2, "list-notes"), '"position": 2', '"position": "two"'),
    ],
  ])("%s", async (_, expected, damage) => {
    const dir = copy();
    damage(dir);
    const { missing } = await asked(dir, "main");
    expect(missing.map(({ link }) => link)).toEqual(expected);
    expect(missing.every(({ why: text, where }) => text.uk !== text.en && where !== "")).toBe(true);
  });

  test("a commit removed from main is missing from its proposal and from its run", async () => {
    const dir = copy();
    git(dir, "reset", "-q", "--hard", "HEAD~1");
    for (const subject of [made.tended.proposals.byAgent.id, made.tended.run.run])
      expect((await asked(dir, subject)).missing.map(({ link }) => link)).toEqual(["commit"]);
  });
});

test.each<[string, string, string]>([
  ["an empty subject", "", "NOT_FOUND"],
  ["a path that never existed", "notes/never.md", "NOT_FOUND"],
  ["a line that does not exist", "notes/б.md:99", "NOT_FOUND"],
  ["a commit that does not exist", "0".repeat(40), "NOT_FOUND"],
  ["a run that does not exist", "run_2026-02-14_080000_nobody", "NOT_FOUND"],
  ["a proposal that does not exist", "prop_2026-02-14_080000_nobody", "NOT_FOUND"],
  ["a path outside the garden", "../../etc/passwd", "NOT_FOUND"],
  ["a subject that looks like an option", "--all", "NOT_FOUND"],
  ["a subject of 5,000 characters", "x".repeat(5000), "NOT_FOUND"],
])("P-11 %s is not found", async (_, subject, code) => {
  await expect(asked(copy(), subject)).rejects.toSatisfy((error) => isFailure(error, code as "NOT_FOUND"));
});

describe("P-11, G-1a the contract of a run", () => {
  const contractOf = async (dir: string, run: string) => {
    const found = (await asked(dir, run)).links.find(({ kind }) => kind === "contract")!;
    return { commit: found.commit, by: found.by, remarks: found.remarks.map(({ en }) => en) };
  };

  test("is named by the commit that brought it and by who made that commit, not by a later one", async () => {
    const dir = copy();
    const { run, agent } = made.tended;
    const path = `agents/${agent}/_agent.md`;
    const before = await contractOf(dir, run.run);
    const contract = readFileSync(join(dir, path), "utf8");
    writeFileSync(join(dir, path), contract.replace("\nstatus:", "\nx-hand: 1\nstatus:"));
    git(dir, "commit", "-qam", "by hand");
    const after = await contractOf(dir, run.run);
    const file = await asked(dir, path);
    expect({ before, after, file: shape(file), by: file.links[1]!.id }).toEqual({
      before: {
        commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
        by: expect.any(String) as string,
        remarks: [`last changed by ${before.by}, commit ${before.commit!.slice(0, 10)}`],
      },
      after: { ...before, remarks: [...before.remarks, "the contract was changed since"] },
      file: ["commit", "-person"],
      by: expect.any(String) as string,
    });
    expect(git(dir, "log", "--format=%H", "--", path).split("\n")).toContain(before.commit);
  });
});
