import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { keys } from "../../../domain/layout.ts";
import { closeFound, findGarden } from "../../core/garden.ts";
import { viewKey } from "../../records/proposals/proposal-log.ts";
import { environment, files, git, testPorts } from "../../testing/scratch.ts";
import { tendedCopies } from "../../testing/tended-garden.ts";
import { repairFindings } from "./repair.ts";
import { verifyGarden } from "./verify.ts";

const made = tendedCopies();
const { copy } = made;

async function findingsIn(dir: string, repair = false): Promise<string[]> {
  const garden = await findGarden(testPorts(), dir);
  try {
    const findings = await verifyGarden(garden);
    if (repair) return await repairFindings(findings);
    return findings.map(({ check, where }) => `${check} ${where}`);
  } finally {
    await closeFound(garden);
  }
}

const inStore = (dir: string, key: string): string => join(dir, ".bloom/store", key);
const lose = (dir: string, key: string): void => rmSync(inStore(dir, key), { recursive: true });
const put = (dir: string, key: string, text: string): void => files(dir, { [`.bloom/store/${key}`]: text });
const change = (dir: string, key: string, from: string | RegExp, to: string): void => {
  const before = readFileSync(inStore(dir, key), "utf8");
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  writeFileSync(inStore(dir, key), after);
};
const head = (dir: string): string => git(dir, "rev-parse", "HEAD");

/** A commit with any author: git does not verify it. */
function commit(
  dir: string,
  message: string,
  email = "ann@example.org",
  edits: Readonly<Record<string, string>> = {},
): string {
  files(dir, edits);
  git(dir, "add", ".");
  execFileSync("git", ["commit", "-q", "--allow-empty", "-m", message], {
    cwd: dir,
    env: {
      ...environment,
      GIT_AUTHOR_NAME: "x",
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: "x",
      GIT_COMMITTER_EMAIL: email,
    },
  });
  return head(dir);
}

const GATEWAY = "gateway@garden.invalid";
const { proposalEvent, proposalLog } = keys;

test("P-8 P-11 a garden with every kind of event has no findings", async () => {
  expect(
    Object.values(made.tended.proposals)
      .map(({ status }) => status)
      .toSorted(),
  ).toEqual([
    "applied",
    "applied",
    "applied",
    "applied",
    "applied",
    "applied",
    "expired",
    "failed",
    "pending",
    "rejected",
  ]);
  expect(await findingsIn(copy())).toEqual([]);
});

/** Each row: the damage, what is found, and how it is done. `dir` is a copy; expectations may need what the damage made. */
type Row = [what: string, damage: (dir: string) => string[]];

describe("SPEC §14 verify reports each damage, and nothing else:", () => {
  const rows: Row[] = [
    [
      "P-8 a trailer forged by hand",
      (dir) => [
        `commits ${commit(dir, `[owner] x\n\nProposal: ${made.tended.proposals.note.id}\nApproved-by: owner`)}`,
      ],
    ],
    [
      "P-8 a trailer forged with the gateway's name",
      (dir) => [
        `commits ${commit(dir, `[owner] x\n\nProposal: ${made.tended.proposals.note.id}\nApproved-by: owner`, GATEWAY)}`,
      ],
    ],
    [
      "P-8 a proposal that does not exist",
      (dir) => [
        `commits ${commit(dir, "[owner] x\n\nProposal: prop_2026-02-14_080000_nobody\nApproved-by: owner", GATEWAY)}`,
      ],
    ],
    ["P-1 a commit of the gateway without a trailer", (dir) => [`commits ${commit(dir, "x", GATEWAY)}`]],
    [
      "P-8 two proposals in one commit",
      (dir) => {
        const { note, tag } = made.tended.proposals;
        return [`commits ${commit(dir, `[owner] x\n\nProposal: ${note.id}\nProposal: ${tag.id}`, GATEWAY)}`];
      },
    ],
    [
      "P-8a bookkeeping that changes a note",
      (dir) => [`bookkeeping ${commit(dir, "Count\n\nBookkeeping: statistics", GATEWAY, { "notes/a.md": "other\n" })}`],
    ],
    [
      "G-5 a commit by hand that takes back an applied note, whose file is left",
      (dir) => {
        const path = git(dir, "show", "--name-only", "--format=", made.tended.proposals.note.apply_result!.git_commit!);
        git(dir, "rm", "-q", "--cached", path);
        git(dir, "commit", "-q", "-m", "something else");
        return [`taken-back ${path}`];
      },
    ],
    ["P-8a bookkeeping by hand", (dir) => [`bookkeeping ${commit(dir, "Count\n\nBookkeeping: statistics")}`]],
    [
      "P-11 a commit that is no longer on main",
      (dir) => {
        git(dir, "reset", "-q", "--hard", `${made.tended.proposals.byAgent.apply_result!.git_commit!}~1`);
        return [`proposal-results store:${proposalLog(made.tended.proposals.byAgent.id)}`];
      },
    ],
    [
      "P-8 a commit of the gateway that was amended",
      (dir) => {
        git(dir, "reset", "-q", "--hard", made.tended.proposals.byAgent.apply_result!.git_commit!);
        git(dir, "commit", "-q", "--amend", "--no-edit", "--allow-empty");
        return [`commits ${git(dir, "rev-parse", "HEAD")}`];
      },
    ],
    [
      "P-11 a commit of the gateway that was amended and lost its trailer",
      (dir) => {
        git(dir, "reset", "-q", "--hard", made.tended.proposals.byAgent.apply_result!.git_commit!);
        git(dir, "commit", "-q", "--amend", "--allow-empty", "-m", "mine");
        return [`proposal-results store:${proposalLog(made.tended.proposals.byAgent.id)}`];
      },
    ],
    [
      "P-11 a deleted object",
      (dir) => {
        lose(dir, made.tended.proposals.comment.apply_result!.object_path!);
        return [`proposal-results store:${proposalLog(made.tended.proposals.comment.id)}`];
      },
    ],
    [
      "P-11 a run without any record",
      (dir) => {
        lose(dir, `${keys.runs(made.tended.agent)}${made.tended.run.run}`);
        return [`proposal-results store:${proposalLog(made.tended.proposals.byAgent.id)}`];
      },
    ],
    [
      "P-1 a comment that no proposal made",
      (dir) => {
        put(dir, "comments/notes/a.md/by-hand.json", "{}");
        return ["store-changes store:comments/notes/a.md/by-hand.json"];
      },
    ],
    [
      "P-1 an artifact that no proposal made",
      (dir) => {
        put(dir, `agents/${made.tended.agent}/artifacts/x.md`, "x");
        return [`store-changes store:agents/${made.tended.agent}/artifacts/x.md`];
      },
    ],
    [
      "P-6 a deleted event",
      (dir) => {
        const { id } = made.tended.proposals.note;
        lose(dir, proposalEvent(id, 1));
        return [`proposal-records store:${proposalEvent(id, 2)}`];
      },
    ],
    [
      "P-6 an event that cannot follow the one before",
      (dir) => {
        const { id } = made.tended.proposals.note;
        cpSync(inStore(dir, proposalEvent(id, 1)), inStore(dir, proposalEvent(id, 4)));
        return [`proposal-records store:${proposalLog(id)}`];
      },
    ],
    [
      "P-6 an unreadable event",
      (dir) => {
        const { id } = made.tended.proposals.note;
        put(dir, proposalEvent(id, 1), "{}");
        return [`proposal-records store:${proposalEvent(id, 1)}`];
      },
    ],
    [
      "P-5 an operation that was changed after it was proposed",
      (dir) => {
        const { id } = made.tended.proposals.pending;
        change(dir, proposalEvent(id, 0), "soon\\n", "later\\n");
        return [`proposal-records store:${proposalEvent(id, 0)}`];
      },
    ],
    [
      "P-10a an approval of another digest",
      (dir) => {
        const { id, digest } = made.tended.proposals.note;
        change(dir, proposalEvent(id, 1), digest, "0".repeat(40));
        return [`proposal-records store:${proposalLog(id)}`];
      },
    ],
    [
      "G-3 an open proposal that no list shows",
      (dir) => {
        const key = keys.pendingProposal(made.tended.proposals.pending.id);
        lose(dir, key);
        return [`proposal-views store:${key}`];
      },
    ],
    [
      "G-3 a decided proposal that a list still shows as open",
      (dir) => {
        const key = keys.pendingProposal(made.tended.proposals.note.id);
        cpSync(inStore(dir, viewKey(made.tended.proposals.note)!), inStore(dir, key));
        return [`proposal-views store:${key}`];
      },
    ],
    [
      "G-3 a list with a wrong entry",
      (dir) => {
        const key = viewKey(made.tended.proposals.tag)!;
        change(dir, key, /"summary": ".*"/, '"summary": "nothing to see"');
        return [`proposal-views store:${key}`];
      },
    ],
    [
      "G-3 a list with a proposal that never existed",
      (dir) => {
        put(dir, "proposals/pending/prop_2026-02-14_080000_nobody.json", "{}");
        return ["proposal-views store:proposals/pending/prop_2026-02-14_080000_nobody.json"];
      },
    ],
    [
      "P-3 a stored effect without a proposal",
      (dir) => {
        const key = keys.sameEffect("f".repeat(40));
        put(dir, key, `{"proposal":"${made.tended.proposals.note.id}","entry":"x"}`);
        return [`proposal-claims store:${key}`];
      },
    ],
    [
      "P-3 a pending effect that is not stored",
      (dir) => {
        const key = keys.sameEffect(made.tended.proposals.pending.effect);
        lose(dir, key);
        return [`proposal-claims store:${key}`];
      },
    ],
    [
      "O-2 a deleted step",
      (dir) => {
        lose(dir, keys.runStep(made.tended.agent, made.tended.run.run, 2, "list-notes"));
        return [`run-records store:${keys.runSteps(made.tended.agent, made.tended.run.run)}`];
      },
    ],
    [
      "O-2 a step that two programs claim",
      (dir) => {
        const [here, there] = ["list-notes", "other"].map((name) =>
          keys.runStep(made.tended.agent, made.tended.run.run, 2, name),
        );
        cpSync(inStore(dir, here!), inStore(dir, there!));
        change(dir, there!, '"list-notes"', '"other"');
        return [`run-records store:${keys.runSteps(made.tended.agent, made.tended.run.run)}`];
      },
    ],
    [
      "O-2 an unreadable record",
      (dir) => {
        const key = keys.runStep(made.tended.agent, made.tended.run.run, 2, "list-notes");
        change(dir, key, '"position": 2', '"position": 3');
        return [`run-records store:${key}`];
      },
    ],
    [
      "O-2 a run without a request",
      (dir) => {
        lose(dir, keys.runRequest(made.tended.agent, made.tended.run.run));
        return [`run-records store:${keys.runSteps(made.tended.agent, made.tended.run.run)}`];
      },
    ],
    [
      "C-10 a step that was changed after the run had ended",
      (dir) => {
        change(
          dir,
          keys.runStep(made.tended.agent, made.tended.run.run, 3, "summarize"),
          "A short text",
          "A better text",
        );
        return [`run-ends store:${keys.runManifest(made.tended.agent, made.tended.run.run)}`];
      },
    ],
    [
      "C-10 a wrong count",
      (dir) => {
        const key = keys.runManifest(made.tended.agent, made.tended.run.run);
        change(dir, key, '"steps_count": 4', '"steps_count": 5');
        return [`run-ends store:${key}`];
      },
    ],
    [
      "O-1 an ended run without its manifest",
      (dir) => {
        lose(dir, keys.runManifest(made.tended.agent, made.tended.run.run));
        return [`run-status store:${keys.runStatus(made.tended.agent, made.tended.run.run)}`];
      },
    ],
    [
      "O-1 a wrong status",
      (dir) => {
        const key = keys.runStatus(made.tended.agent, made.tended.run.run);
        change(dir, key, '"completed"', '"running"');
        return [`run-status store:${key}`];
      },
    ],
    [
      "S-6 a trace that belongs to no run",
      (dir) => {
        git(dir, "checkout", "-q", "--detach");
        const lost = commit(dir, "lost");
        git(dir, "notes", "--ref=trace", "add", "-m", "x", lost);
        git(dir, "checkout", "-q", "main");
        git(dir, "reflog", "expire", "--expire=now", "--all");
        git(dir, "prune", "--expire=now");
        const paths = git(dir, "ls-tree", "-r", "--name-only", "refs/notes/trace").split("\n");
        return [`annotations refs/notes/trace:${paths.find((path) => path.replaceAll("/", "") === lost)}`];
      },
    ],
  ];

  test.each(rows)("%s", async (_, damage) => {
    const dir = copy();
    const expected = damage(dir);
    expect(await findingsIn(dir)).toEqual(expected);
  });

  test("G-3 a repair rebuilds the views from the records and touches nothing else", async () => {
    const dir = copy();
    const wanted = rows.filter(([name]) => /^(G-3|P-3|O-1 a status)/.test(name));
    for (const [, damage] of wanted) damage(dir);
    expect((await findingsIn(dir, true)).length).toBe(wanted.length);
    expect(await findingsIn(dir)).toEqual([]);
  });

  test("P-8 a clone without its store is one finding, not one per commit", async () => {
    const dir = copy();
    for (const name of readdirSync(join(dir, ".bloom"))) rmSync(join(dir, ".bloom", name), { recursive: true });
    mkdirSync(dirname(inStore(dir, "x")), { recursive: true });
    files(dir, { ".bloom/.gitignore": "*\n" });
    expect(await findingsIn(dir)).toEqual([`commits ${head(dir)}`]);
  });
});
