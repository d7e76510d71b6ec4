import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import { editContract } from "../../agents/edit-contract.ts";
import { changeAgentStatus } from "../../agents/lifecycle/change-status.ts";
import { createAgent } from "../../agents/lifecycle/create-agent.ts";
import { contractText } from "../../agents/testing/contract-text.ts";
import { explain } from "../../insight/why/explain.ts";
import { gardensLike, gardenWith, git } from "../../testing/scratch.ts";
import { commitPendingAgentFiles } from "./commit-agent-files.ts";

const { open } = gardensLike(async () => {
  const made = await gardenWith();
  await createAgent(made.garden, { slug: "echo", by: commandLineOwner, language: "en", from: { kind: "template" } });
  return made;
});

const FILE = "agents/echo/_agent.md";
const pause = { slug: "echo", to: "archived", by: commandLineOwner } as const;
const log = (dir: string, count: number): string[] =>
  git(dir, "log", `-${count}`, "--format=%an / %cn: %s", "--", "agents").split("\n");
const handEdit = (dir: string): void =>
  writeFileSync(join(dir, FILE), `${readFileSync(join(dir, FILE), "utf8")}\nMy own words.\n`);

test("G-1a a change of status is one commit with the agent and by whom, and leaves nothing uncommitted", async () => {
  const { garden, dir } = await open();
  const { commit } = await changeAgentStatus(garden, { ...pause, reason: "Winter" });
  expect({
    message: git(dir, "log", "-1", "--format=%B", commit!),
    files: git(dir, "show", "--name-only", "--format=", commit!),
    uncommitted: git(dir, "status", "--porcelain"),
  }).toEqual({
    message: "[owner] echo: draft → archived\n\nWinter\n\nContract: echo\nChanged-by: owner",
    files: FILE,
    uncommitted: "",
  });
});

test("G-1a an edit by hand that was not committed is committed first, in the person's name and by itself", async () => {
  const { garden, dir } = await open();
  handEdit(dir);
  await changeAgentStatus(garden, pause);
  expect(log(dir, 2)).toEqual([
    "owner / Garden Bloom: [owner] echo: draft → archived",
    "owner / owner: [owner] echo: edit by hand",
  ]);
  expect(git(dir, "log", "-1", "-p", "--format=", "--", FILE)).not.toContain("My own words");
  expect(readFileSync(join(dir, FILE), "utf8")).toContain("My own words.");
});

test("G-1a a crash between the file and its commit is settled later, with the author and the reason", async () => {
  const { garden, dir } = await open();
  const disarm = armCrashPoints((name) => {
    if (name === "agent.status.swapped") throw new Error("killed");
  });
  await expect(changeAgentStatus(garden, { ...pause, reason: "Winter" })).rejects.toThrow("killed");
  disarm();
  expect(git(dir, "status", "--porcelain")).toBe(` M ${FILE}`);
  expect(await commitPendingAgentFiles(garden)).toEqual(["echo"]);
  expect(git(dir, "log", "-1", "--format=%s%n%b")).toContain("[owner] echo: draft → archived\nWinter");
  expect((await garden.store.list(keys.agentChanges)).entries).toEqual([]);
});

test("G-1a a person's edit after such a crash is not committed in the gateway's name", async () => {
  const { garden, dir } = await open();
  const disarm = armCrashPoints((name) => {
    if (name === "agent.status.swapped") throw new Error("killed");
  });
  await expect(changeAgentStatus(garden, pause)).rejects.toThrow("killed");
  disarm();
  handEdit(dir);
  const before = git(dir, "rev-parse", "HEAD");
  expect(await commitPendingAgentFiles(garden)).toEqual([]);
  expect(git(dir, "rev-parse", "HEAD")).toBe(before);
  git(dir, "commit", "-qam", "mine");
  await commitPendingAgentFiles(garden);
  expect((await garden.store.list(keys.agentChanges)).entries).toEqual([]);
});

test("C-9 an edit of a contract is checked, refused on a stale base, and committed", async () => {
  const { garden, dir } = await open();
  const stored = (await garden.store.get(contractKey("echo")))!;
  const text = Buffer.from(stored.bytes).toString();
  const edit = { slug: "echo", base: stored.hash, by: commandLineOwner };
  await expect(editContract(garden, { ...edit, text: text.replace("tools:", "tols:") })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
  });
  await expect(editContract(garden, { ...edit, text: text.replace("draft", "active") })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
  });
  const next = `${text}\nMore.\n`;
  const done = await editContract(garden, { ...edit, text: next });
  expect(git(dir, "log", "-1", "--format=%H %s")).toBe(`${done.commit} [owner] echo: edit contract`);
  await expect(editContract(garden, { ...edit, text: contractText("echo") })).rejects.toMatchObject({
    code: "CONCURRENT_MODIFICATION",
  });
});

test("P-11 why explains a commit of an agent's files by who changed them", async () => {
  const { garden } = await open();
  const { commit } = await changeAgentStatus(garden, pause);
  const { links, missing } = await explain(garden, commit!);
  expect({ missing, told: links.map(({ what }) => what.en).slice(1) }).toEqual({
    missing: [],
    told: ["the files of echo were changed by owner"],
  });
});
