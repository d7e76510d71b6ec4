import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { checkAudit } from "../scripts/audit-check.js";
import { gitRepos } from "../src/adapters/repo/git/repos.ts";
import { blobId, canonicalJson } from "../src/base/canonical.ts";
import { realWorld } from "../src/base/world.ts";
import { GATEWAY } from "../src/domain/git/gateway-commit.ts";
import { AUDIT_RANGE_FILE, AUDIT_RECORDS_REF, auditRecordFile, keys } from "../src/domain/layout.ts";
import type { ProposalEvent, ProposalMade } from "../src/domain/proposal/proposal.ts";
import { digestOf } from "../src/domain/proposal/proposal-digest.ts";
import { journalId, LOAD_CONTEXT, type RunManifest } from "../src/domain/run/run-manifest.ts";
import { checkAuditBundle } from "../src/garden/federation/audit/check-bundle.ts";
import type { Bench, Contender, Size } from "./harness.ts";
import { MAIN, noteBytes, notePath, scattered } from "./repository.ts";
import { git, gitLine } from "./rivals/git-rival.ts";

const AGENT = "archivist";
const AT = "2026-02-14T08:00:00.000Z";
const STEPS = 4;
const NOTES = 1000;

/** P-11: a bundle in which every commit is a proposal of an agent, each of a run of its own; by the program and by the script. */
export const auditChecks = ({ commits }: Size, scratch: string): Bench => {
  const count = Math.min(commits, 10_000);
  let made: Promise<string> | undefined;
  const file = (): Promise<string> => (made ??= bundleOf(count, join(scratch, "audit")));
  return {
    name: `federation: audit bundle of ${count} commits, checked`,
    unit: "ms",
    workers: 1,
    latency: true,
    ours: checking("bloom audit check", file, async (at) => {
      const { commits: seen, findings } = await checkAuditBundle(repos, at);
      return { seen, findings: findings.length };
    }),
    rivals: [
      checking("audit-check.js", file, async (at) => {
        const { commits: seen, findings } = checkAudit(at) as { commits: number; findings: readonly unknown[] };
        return { seen, findings: findings.length };
      }),
    ],
  };

  function checking(
    name: string,
    bundle: () => Promise<string>,
    check: (file: string) => Promise<{ readonly seen: number; readonly findings: number }>,
  ): Contender {
    return {
      name,
      async open() {
        const at = await bundle();
        return {
          async once() {
            const said = await check(at);
            if (said.seen !== count || said.findings > 0) throw new Error(JSON.stringify(said));
          },
          close: async () => undefined,
        };
      },
    };
  }
};

const repos = gitRepos({ environment: process.env, world: realWorld });

/** A bundle as `writeAuditBundle` makes it. Through the verbs themselves, ten thousand proposals would take minutes. */
async function bundleOf(count: number, dir: string): Promise<string> {
  await git(".", ["init", "--quiet", "--bare", dir]);
  const marks = join(dir, "marks");
  const history = Array.from({ length: count }, (_, n) => commitPart(n));
  await git(dir, ["fast-import", "--quiet", `--export-marks=${marks}`], { input: Buffer.concat(history.flat()) });
  const oids = new Map<number, string>();
  for (const line of (await readFile(marks, "utf8")).split("\n").filter(Boolean))
    oids.set(Number(line.slice(1, line.indexOf(" "))), line.slice(-40));
  const parts = [`commit ${AUDIT_RECORDS_REF}\ncommitter ${SIGNATURE}\ndata 8\nRecords\n\n`];
  const keep = (path: string, text: string): void =>
    void parts.push(`M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
  for (let n = 0; n < count; n++)
    for (const [key, text] of recordsOf(n, oids.get(n + 1)!)) keep(auditRecordFile(key), text);
  const to = await gitLine(dir, ["rev-parse", MAIN]);
  keep(
    AUDIT_RANGE_FILE,
    canonicalJson({ garden: "bench", from: null, to, made_at: AT, format: 2, refs: { [MAIN]: to } }),
  );
  await git(dir, ["fast-import", "--quiet"], { input: parts.join("") });
  await git(dir, ["bundle", "create", "--quiet", "audit.bundle", MAIN, AUDIT_RECORDS_REF]);
  return join(dir, "audit.bundle");
}

const SIGNATURE = `${GATEWAY.name} <${GATEWAY.email}> 1700000000 +0000`;
const proposalId = (n: number): string => `prop_${String(n).padStart(6, "0")}`;
const runIdOf = (n: number): string => `run_2026-02-14_080000_${n.toString(36).padStart(6, "0")}`;

function commitPart(n: number): Buffer[] {
  const trailers = [`Proposal: ${proposalId(n)}`, "Approved-by: owner", `Agent: ${AGENT} v1.0.0`, `Run: ${runIdOf(n)}`];
  const message = `[${AGENT}] Tidy note ${n}\n\n${trailers.join("\n")}\n`;
  const note = scattered(n, NOTES);
  const bytes = noteBytes(note, n);
  const head = `commit ${MAIN}\nmark :${n + 1}\ncommitter ${SIGNATURE}\ndata ${message.length}\n${message}`;
  return [Buffer.from(`${head}M 100644 inline ${notePath(note)}\ndata ${bytes.length}\n`), bytes, Buffer.from("\n")];
}

/** The records of a proposal: its events, the journal of its run and the manifest. */
function* recordsOf(n: number, commit: string): Generator<readonly [string, string]> {
  const [id, run] = [proposalId(n), runIdOf(n)];
  const path = notePath(scattered(n, NOTES));
  const unsealed: Omit<ProposalMade, "digest"> = {
    type: "made",
    id,
    entry_id: `entry_${n}`,
    source: { type: "agent", identity: AGENT, authenticated: true, timestamp: AT, run_id: run },
    agent: { slug: AGENT, version: "1.0.0" },
    action: "propose-edit",
    target: path,
    operation: { action: "propose-edit", payload: { path, text: `Tidy note ${n}` } },
    base: { revision: commit },
    effect: "1".repeat(40),
    summary: `Tidy note ${n}`,
    correlation_id: id,
    priority: "normal",
    created_at: AT,
    expires_at: AT,
  };
  const digest = digestOf(unsealed);
  const events: ProposalEvent[] = [
    { ...unsealed, digest },
    { type: "decided", op: "a", at: AT, decision: "approved", by: "owner", digest, effect: unsealed.effect },
    { type: "applying", op: "b", at: AT, attempt: 1, by: "owner", plan: { objects: [] } },
    { type: "applied", op: "c", at: AT, git_commit: commit, events: [] },
  ];
  for (const [i, event] of events.entries()) yield [keys.proposalEvent(id, i), canonicalJson(event)];
  const steps = Array.from({ length: STEPS }, (_, i) => stepOf(n, i, commit));
  yield* steps;
  const journal = journalId(steps.map(([key, text]) => ({ key, hash: blobId(Buffer.from(text)) })));
  yield [keys.runManifest(AGENT, run), canonicalJson({ ...manifestOf(run, commit), journal })];
}

const pins = (commit: string) => ({
  agent_version: "1.0.0",
  contract_hash: "2".repeat(40),
  logic_version: null,
  behaviour_id: null,
  garden_commit: commit,
});

function stepOf(n: number, i: number, commit: string): readonly [string, string] {
  const name = i === 0 ? LOAD_CONTEXT : "summarize";
  const output = i === 0 ? { ...pins(commit), contract: "Do it." } : `What the model said of note ${n}. `.repeat(20);
  return [keys.runStep(AGENT, runIdOf(n), i + 1, name), canonicalJson({ position: i + 1, name, output })];
}

const manifestOf = (run: string, commit: string): Omit<RunManifest, "journal"> => ({
  run_id: run,
  agent_slug: AGENT,
  ...pins(commit),
  trigger: "manual",
  started_at: AT,
  finished_at: AT,
  status: "completed",
  steps_count: STEPS,
  proposals_created: 1,
  model_used: "bloom/follower",
  tokens_used: { input: 1, output: 1 },
  error: null,
  outcome: { kind: "effects", proposals: [] },
  engine: "embedded",
  forked_from: null,
  error_details: null,
});
