import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Failure } from "../../../base/failure.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import type { Operation } from "../../../domain/proposal/operation.ts";
import { applyProposal } from "../../changes/apply/apply-proposal.ts";
import { approved } from "../../changes/apply/testing/proposals.ts";
import { noticeRevert } from "../../changes/logic/notice-revert.ts";
import { closeFound, closeGarden, findGarden, type Garden, openGarden } from "../../core/garden.ts";
import { initGarden } from "../../life/init.ts";
import { agent, drawn, procedure } from "../../records/logic/testing/agent.ts";
import { files, git, scratch, testPorts } from "../../testing/scratch.ts";
import { verifyGarden } from "./verify.ts";

const update = (slug: string, currentVersion: string | undefined, lines: string[], prose = false): Operation => ({
  action: "logic-update",
  payload: {
    agent: slug,
    ...(currentVersion !== undefined && { currentVersion }),
    ...(prose ? { pseudocode: lines.join("\n") } : { diagram: drawn(...lines), pseudocode: procedure(...lines) }),
    rationale: { problem: "x", evidenceRuns: [] },
    requiresHumanReview: true,
  },
});

async function apply(garden: Garden, operation: Operation): Promise<string> {
  const { id } = await approved(garden, operation);
  const done = await applyProposal(garden, id, "owner");
  if (done.status !== "applied") throw new Error(JSON.stringify(done.apply_result));
  return done.apply_result!.git_commit!;
}

/** Two agents with versions, one drawn and one written. Made once, and copied for each damage. */
let whole: string;
let last: string;

beforeAll(async () => {
  whole = mkdtempSync(join(tmpdir(), "logic-"));
  files(whole, { "notes/a.md": "# A\n" });
  await initGarden(testPorts(), whole, { language: "en", name: "Rose" });
  const open = await openGarden(testPorts(), whole);
  await agent(open, "archivist");
  await agent(open, "echo");
  await apply(open, update("echo", undefined, ["Повторюй."], true));
  await apply(open, update("archivist", undefined, ["перше"]));
  last = await apply(open, update("archivist", "v001", ["друге"]));
  await closeGarden(open);
});
afterAll(() => rmSync(whole, { recursive: true, force: true }));

async function findingsAfter(damage: (open: Garden, dir: string) => unknown): Promise<string[]> {
  const dir = join(scratch(), "copy");
  cpSync(whole, dir, { recursive: true });
  const open = await openGarden(testPorts(), dir);
  await damage(open, dir);
  await closeGarden(open);
  const found = await findGarden(testPorts(), dir);
  try {
    return (await verifyGarden(found)).map(({ check, where }) => `${check} ${where}`);
  } finally {
    await closeFound(found);
  }
}

const commit = (dir: string, contents: Record<string, string>): void => {
  files(dir, contents);
  git(dir, "add", "-A", "logic");
  git(dir, "commit", "-qm", "by hand");
};
const rewrite = async (open: Garden, key: string, change: (text: string) => string): Promise<void> => {
  const now = (await open.store.get(key))!;
  await open.store.swap(key, now.hash, Buffer.from(change(Buffer.from(now.bytes).toString())));
};

const LOGIC = "logic/archivist";

test.each<[string, string[], Parameters<typeof findingsAfter>[0]]>([
  ["no finding without damage", [], () => undefined],
  [
    "a changed file of the archive",
    [`logic-versions ${LOGIC}/versions/v001.pseudo.md`],
    (_, dir) => commit(dir, { [`${LOGIC}/versions/v001.pseudo.md`]: "other\n" }),
  ],
  [
    "a removed file of the archive",
    [`logic-versions ${LOGIC}/versions/v001.meta.json`],
    (_, dir) => {
      git(dir, "rm", "-q", `${LOGIC}/versions/v001.meta.json`);
      git(dir, "commit", "-qm", "tidy up");
    },
  ],
  [
    "an invalid meta file",
    [`logic-current ${LOGIC}/current.meta.json`],
    (_, dir) => commit(dir, { [`${LOGIC}/current.meta.json`]: "{}\n" }),
  ],
  [
    "pseudocode that is not the diagram's",
    [`logic-current ${LOGIC}/current.pseudo.md`],
    (_, dir) => {
      const header = git(dir, "show", `HEAD:${LOGIC}/current.pseudo.md`).split("ПОЧАТОК")[0]!;
      commit(dir, { [`${LOGIC}/current.pseudo.md`]: header + procedure("інше") });
    },
  ],
  [
    "a diagram with errors",
    [`logic-current ${LOGIC}/current.drakon.json`],
    (_, dir) => commit(dir, { [`${LOGIC}/current.drakon.json`]: "{" }),
  ],
  [
    "a contract of another version",
    [`logic-projection ${contractKey("archivist")}`],
    (open) => rewrite(open, contractKey("archivist"), (text) => text.replace('"v002"', '"v001"')),
  ],
  [
    "a written agent's body that no version has",
    [`logic-projection ${contractKey("echo")}`],
    (open) => rewrite(open, contractKey("echo"), (text) => text.replace("Повторюй.", "Мовчи.")),
  ],
  [
    "a consistent chain in the store that differs from git",
    [`logic-projection ${keys.diagram("archivist", "main-flow.drakon.json")}`],
    async (open) => {
      await rewrite(open, keys.diagram("archivist", "main-flow.drakon.json"), () => drawn("чуже"));
      await rewrite(open, keys.pseudocode("archivist"), () => procedure("чуже"));
      await rewrite(open, contractKey("archivist"), (text) => text.replace("  друге\n", "  чуже\n"));
    },
  ],
  [
    "a body that drifted from its diagram once, under D-6",
    [`drift ${contractKey("archivist")}`],
    (open) => rewrite(open, contractKey("archivist"), (text) => text.replace("  друге\n", "  чуже\n")),
  ],
  [
    "L-7 no finding for a noticed revert",
    [],
    async (open, dir) => {
      git(dir, "revert", "--no-edit", last);
      await noticeRevert(open);
    },
  ],
])("L-1 L-2 verify reports %s, and nothing else", async (_, expected, damage) => {
  expect(await findingsAfter(damage)).toEqual(expected);
});

test("P-8a verify reports bookkeeping of logic that does not follow from history", async () => {
  const found = await findingsAfter(async (open, dir) => {
    git(dir, "revert", "--no-edit", last);
    const [noticed] = await noticeRevert(open);
    const made = await open.repo.commit(noticed!.commit);
    const head = (await open.repo.resolve("refs/heads/main"))!;
    const forged = await open.repo.build({
      parents: [head],
      edits: [{ path: `${LOGIC}/current.pseudo.md`, bytes: Buffer.from("do as I say\n") }],
      author: made.author,
      committer: made.committer,
      message: made.message,
    });
    await open.repo.move([{ ref: "refs/heads/main", from: head, to: forged }]).catch((error: Failure) => error);
  });
  expect(found.filter((line) => line.startsWith("bookkeeping"))).toHaveLength(1);
});
