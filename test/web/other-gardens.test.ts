import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { git } from "../../src/garden/testing/scratch.ts";
import { bloomNow } from "../bloom.ts";
import { complaints } from "./axe.ts";
import { type WebGround, webGround } from "./ground.ts";
import { appPath } from "./walk.ts";

/** Two gardens with bare repositories between them: Alice at the command line, the owner of the other one in the browser. */
let ground: WebGround;
const around = mkdtempSync(join(tmpdir(), "bloom-gardens-"));
const [alice, hers, ours] = ["alice", "hers.git", "ours.git"].map((name) => join(around, name)) as [
  string,
  string,
  string,
];
let fingerprint: string;

const aliceDoes = (...args: readonly string[]): unknown => {
  const { exit, out, err } = bloomNow(args[0] === "init" ? around : alice, [...args, "--json"]);
  if (exit !== 0) throw new Error(`bloom ${args.join(" ")}: ${err}`);
  return JSON.parse(out) as unknown;
};
const alicePublishes = (...sessions: readonly string[]): void => {
  const { digest } = aliceDoes("peer", "publish", ...sessions) as { digest: string };
  aliceDoes("peer", "publish", ...sessions, "--to", "public", "--seen", digest);
};

beforeAll(async () => {
  for (const folder of [hers, ours]) git(around, "init", "-q", "--bare", folder);
  aliceDoes("init", alice, "--name", "Alice");
  appendFileSync(join(alice, "garden.yaml"), `remotes: { public: { url: ${hers} } }\n`);
  const made = aliceDoes("peer", "identity", "--make") as { identity: { fingerprint: string } };
  ({ fingerprint } = made.identity);
  aliceDoes("session", "spawn", "scout", "--goal", "Look at the beds", "--empty");
  const place = join(around, "beds");
  git(alice, "worktree", "add", "-q", place, "agents/scout");
  mkdirSync(join(place, "notes"));
  writeFileSync(join(place, "notes/beds.md"), "The third bed is dry.\n");
  git(place, "add", "notes");
  git(place, "-c", "user.name=Alice", "-c", "user.email=alice@example.org", "commit", "-q", "-m", "Look at the beds");
  alicePublishes("scout");
  ground = await webGround();
  ground.bloom("settings", "set", "remotes.public", JSON.stringify({ url: ours }));
});
afterAll(async () => {
  await ground?.stop();
  rmSync(around, { recursive: true, force: true });
});

test("U-1 S-10 a session of another garden is opened, reviewed, and proposed for a merge that names its garden", async () => {
  ground.bloom("peer", "add", "alice", hers, "--key", fingerprint);
  ground.bloom("peer", "grant", "alice", "agent-commit", "spawn");
  ground.bloom("peer", "grant", "alice", "agent-commit", "merge");
  ground.bloom("peer", "accept", "alice");
  const { page, context, problems } = await ground.open({ theme: "dark", width: 390 });
  await page.goto(appPath(ground, "/other-gardens"));
  await page.getByRole("list", { name: "Sessions of alice" }).getByRole("link", { name: "scout" }).click();
  await page.getByRole("heading", { name: "Look at the beds", level: 1 }).waitFor();
  await page.getByRole("region", { name: "Commit" }).getByText("The third bed is dry.").waitFor();
  await page.getByRole("button", { name: "Review…" }).click();
  await page.getByRole("radio", { name: "Needs changes" }).check();
  await page.getByRole("textbox", { name: "Text" }).fill("And the second one?");
  await page.getByRole("button", { name: "Save the review" }).click();
  await page.getByRole("list", { name: "Reviews" }).getByText("And the second one?").waitFor();
  const found = await complaints(page);
  await page.getByRole("button", { name: "Merge into this garden…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Propose the merge" }).click();
  await page.waitForURL(/\/proposals\/prop_/);
  await page.getByText("The third bed is dry.").first().waitFor();
  await page.setViewportSize({ width: 1360, height: 900 });
  await page.getByRole("link", { name: "scout of the garden alice" }).click();
  await page.getByRole("link", { name: "Review the merge" }).waitFor();
  const path = new URL(page.url()).pathname;
  await context.close();
  ground.bloom("peer", "remove", "alice");
  expect({ path, found, problems }).toEqual({
    path: expect.stringMatching(/\/other-gardens\/alice\/scout$/),
    found: [],
    problems: [],
  });
});

test("U-1 S-10 a garden is followed by its fingerprint, refused with a sentence, allowed, accepted, and no longer followed", async () => {
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/sessions"));
  await page.getByRole("link", { name: "Other gardens" }).click();
  await page.getByText("This garden follows no other yet.").waitFor();
  await page.getByText("Follow a garden").click();
  await page.getByLabel("Name here").fill("alice");
  await page.getByLabel("Address of its public repository").fill(hers);
  const follow = page.getByRole("button", { name: "Follow", exact: true });
  await page.getByLabel("Fingerprint of its key").fill("SHA256:short");
  const isRefused = await follow.isDisabled();
  await page.getByLabel("Fingerprint of its key").fill(fingerprint);
  await follow.click();
  const look = page.getByRole("button", { name: "Look now: alice" });
  await look.click();
  const refusal = await page.getByRole("alert").filter({ hasText: "No grant here allows this act" }).textContent();
  await page.getByText("Add a grant").click();
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await page.getByRole("button", { name: "Take back: alice spawn agent-commit" }).waitFor();
  await look.click();
  await page.getByText("Announcement 2 is accepted: 2 refs moved.").waitFor();
  const sessions = page.getByRole("list", { name: "Sessions of alice" }).getByRole("listitem");
  await sessions.filter({ hasText: "scout" }).waitFor();
  const tracked = git(ground.dir, "rev-parse", "refs/remotes/alice/agents/scout");
  const found = await complaints(page);
  git(hers, "update-ref", "refs/agentic/announce", git(hers, "rev-parse", "refs/agentic/announce~1"));
  await look.click();
  await page.getByText("The address shows an older state than the one accepted before.").waitFor();
  await page.getByRole("button", { name: "Take back: alice spawn agent-commit" }).click();
  await page.getByText("No grants: other gardens may do nothing here.").waitFor();
  await page.getByRole("button", { name: "Stop following: alice" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop following" }).click();
  await page.getByText("This garden follows no other yet.").waitFor();
  const left = git(ground.dir, "for-each-ref", "refs/remotes/alice", "refs/agentic/peers");
  await context.close();
  expect({ isRefused, refusal, tracked, left, found, problems }).toEqual({
    isRefused: true,
    refusal: expect.stringContaining("spawn spawn"),
    tracked: git(alice, "rev-parse", "agents/scout"),
    left: "",
    found: [],
    problems: [],
  });
});

test("U-1 S-10 a session is published only as its preview showed it, and withdrawn again", async () => {
  const { page, context, problems } = await ground.open({ theme: "dark" });
  await page.goto(appPath(ground, "/other-gardens"));
  await page.getByRole("button", { name: "Make the key" }).click();
  await page.getByText(/^SHA256:/).waitFor();
  ground.bloom("session", "spawn", "seeds", "--goal", "Count the seeds", "--empty");
  await page.reload();
  await page.getByRole("checkbox", { name: "seeds" }).check();
  const show = page.getByRole("button", { name: "Show what would leave" });
  await show.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("2 commits leave for the first time, with all files").waitFor();
  const found = await complaints(page);
  const before = git(ours, "for-each-ref", "--format=%(refname)");
  await dialog.getByRole("button", { name: "Publish exactly this" }).click();
  await page.getByText("Published as announcement 2 to public").waitFor();
  await page.getByRole("checkbox", { name: "seeds published" }).waitFor();
  const after = git(ours, "for-each-ref", "--format=%(refname)").split("\n");
  await page.getByRole("checkbox", { name: "seeds published" }).uncheck();
  await show.click();
  await dialog.getByText("No longer announced: seeds.").waitFor();
  await dialog.getByRole("button", { name: "Publish exactly this" }).click();
  await page.getByText("Published as announcement 3 to public").waitFor();
  const announced = git(ours, "cat-file", "-p", "refs/agentic/announce:refs");
  await context.close();
  expect({ before, after, announced, found, problems }).toEqual({
    before: "",
    after: ["refs/agentic/agents/seeds", "refs/agentic/announce", "refs/heads/agents/seeds"],
    announced: "",
    found: [],
    problems: [],
  });
});
