import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkAudit } from "../../../../scripts/audit-check.js";
import { AUDIT_RECORDS_REF, keys } from "../../../domain/layout.ts";
import { closeGarden, openGarden } from "../../core/garden.ts";
import { files, git, testPorts } from "../../testing/scratch.ts";
import { tendedCopies } from "../../testing/tended-garden.ts";
import { writeAuditBundle } from "./audit-bundle.ts";
import type { AuditReport } from "./audit-report.ts";
import { checkAuditBundle } from "./check-bundle.ts";

const { copy, ...made } = withTended();
function withTended() {
  const copies = tendedCopies();
  return { copy: copies.copy, of: () => copies.tended };
}
const place = (): string => mkdtempSync(join(tmpdir(), "bloom-audit-"));

/** A bundle of a garden, as the verb writes it. */
async function bundled(dir: string, from?: string): Promise<string> {
  const garden = await openGarden(testPorts(), dir);
  const file = join(place(), "audit.bundle");
  try {
    await writeAuditBundle(garden, file, { from });
    return file;
  } finally {
    await closeGarden(garden);
  }
}

/** The two checkers, which share no code, must say the same. */
async function checked(file: string): Promise<AuditReport> {
  const ours = await checkAuditBundle(testPorts().repos, file);
  expect(checkAudit(file)).toEqual(ours);
  return ours;
}

/** The bundle with another content of one of its files, or without that file. */
function tampered(file: string, path: string, change: (text: string) => string | undefined): string {
  const dir = place();
  git(dir, "init", "-q", "--bare", ".");
  git(dir, "fetch", "-q", file, "+refs/*:refs/*");
  const lines = git(dir, "ls-tree", "-r", AUDIT_RECORDS_REF).split("\n");
  const at = lines.findIndex((line) => line.endsWith(`\t${path}`));
  expect(at, path).toBeGreaterThanOrEqual(0);
  const text = change(git(dir, "show", `${AUDIT_RECORDS_REF}:${path}`));
  const input = (args: string[], content: string): string =>
    execFileSync("git", args, {
      cwd: dir,
      input: content,
      encoding: "utf8",
      env: { ...process.env, GIT_INDEX_FILE: join(dir, "ix") },
    }).trim();
  const oid = text === undefined ? undefined : input(["hash-object", "-w", "--stdin"], text);
  lines.splice(at, 1, ...(oid === undefined ? [] : [`100644 blob ${oid}\t${path}`]));
  input(["update-index", "--index-info"], `${lines.join("\n")}\n`);
  const commit = git(dir, "commit-tree", input(["write-tree"], ""), "-m", "forged");
  git(dir, "update-ref", AUDIT_RECORDS_REF, commit);
  const forged = join(dir, "forged.bundle");
  git(dir, "bundle", "create", "-q", forged, "--all");
  return forged;
}

const event = (number: number): string => `store/${keys.proposalEvent(made.of().proposals.byAgent.id, number)}`;
const json = (text: string, change: object): string => JSON.stringify({ ...(JSON.parse(text) as object), ...change });

describe("P-11 an audit bundle", () => {
  test("vouches for every commit of a garden, with a script that shares no code with the program", async () => {
    const { counts, findings } = await checked(await bundled(copy()));
    expect({ findings, hasDecided: counts.decided > 4 }).toEqual({ findings: [], hasDecided: true });
  });

  test("holds only the records of its range", async () => {
    const dir = copy();
    const { commits, counts, findings } = await checked(await bundled(dir, git(dir, "rev-parse", "main~1")));
    expect({ commits, decided: counts.decided, findings }).toEqual({ commits: 1, decided: 1, findings: [] });
  });

  test("tells commits by hand from those of the gateway, and one that only claims a proposal", async () => {
    const dir = copy();
    files(dir, { "notes/a.md": "mine\n" });
    git(dir, "commit", "-qam", "Mine");
    files(dir, { "notes/a.md": "mine too\n" });
    git(dir, "commit", "-qam", `Not so\n\nProposal: ${made.of().proposals.byAgent.id}`);
    const from = git(dir, "rev-parse", "main~2");
    const { counts, findings } = await checked(await bundled(dir, from));
    expect({ byHand: counts.by_hand, problems: findings.map(({ problem }) => problem) }).toEqual({
      byHand: 1,
      problems: ["not-by-the-gateway"],
    });
  });

  test.each<[string, string, () => string, (text: string) => string | undefined]>([
    [
      "a proposal whose text was changed afterwards",
      "other-digest",
      () => event(0),
      (text) => json(text, { target: "notes/б.md" }),
    ],
    ["a record that is gone", "no-record", () => event(0), () => undefined],
    ["a record that is no JSON", "broken-record", () => event(0), () => "{"],
    [
      "a decision about another digest",
      "other-decision",
      () => event(1),
      (text) => json(text, { digest: "0".repeat(40) }),
    ],
    [
      "an approval by the agent itself",
      "approved-by-its-proposer",
      () => event(1),
      (text) => json(text, { by: made.of().agent }),
    ],
    [
      "an application after a rejection",
      "broken-record",
      () => event(1),
      (text) => json(text, { decision: "rejected", note: "no" }),
    ],
    ["a decision that is gone", "not-approved", () => event(1), () => undefined],
    [
      "a run without its end",
      "no-run",
      () => `store/${keys.runManifest(made.of().agent, made.of().run.run)}`,
      () => undefined,
    ],
    [
      "a journal with another request",
      "other-journal",
      () => `store/${keys.runRequest(made.of().agent, made.of().run.run)}`,
      (text) => json(text, { by: "somebody" }),
    ],
  ])("reports %s", async (_name, problem, path, change) => {
    const { findings } = await checked(tampered(await bundled(copy()), path(), change));
    expect(findings.map((finding) => [finding.proposal, finding.problem])).toEqual([
      [made.of().proposals.byAgent.id, problem],
    ]);
  });

  test("a file that is no bundle, and a bundle without records, are refused by name", async () => {
    const dir = place();
    files(dir, { "text.bundle": "x" });
    git(dir, "init", "-q", ".");
    git(dir, "commit", "-q", "--allow-empty", "-m", "x");
    git(dir, "bundle", "create", "-q", "plain.bundle", "--all");
    const refusal = (file: string): Promise<unknown> =>
      checkAuditBundle(testPorts().repos, join(dir, file)).then(
        () => "accepted",
        (error: { code?: string }) => error.code,
      );
    expect([await refusal("text.bundle"), await refusal("plain.bundle"), await refusal("none")]).toEqual([
      "VALIDATION_FAILED",
      "VALIDATION_FAILED",
      "NOT_FOUND",
    ]);
  });
});
