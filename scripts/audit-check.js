/**
 * node audit-check.js FILE [--key SHA256:…] [--json]: checks an audit bundle of a garden with git, the files in audit/ and nothing else. They
 * share no code with the program that made the bundle, so that neither has to be trusted for the other. Exit code 0: everything is
 * vouched for; 1: not everything; 2: the file cannot be read.
 *
 * Checked for every commit in the range that a proposal stands behind: its digest covers what it would do, somebody other than its
 * proposer approved that digest, the record names this commit, the trailers repeat the record, and the run's journal and contract are
 * those that the run ended with. Then the refs, the signature of the whole, the announcements of this garden and of those that it
 * follows, and the history of its grants. With --key, the bundle must be signed by the garden with that key.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { GATEWAY, idOf, openBundle, parsed, readCommits } from "./audit/bundle.js";
import { checkGardens, checkGrants, checkRefs } from "./audit/gardens.js";

/** The states of a proposal, each with those that may follow. */
const MOVES = {
  pending: ["approved", "auto_approved", "rejected", "expired"],
  approved: ["applying", "pending"],
  auto_approved: ["applying"],
  applying: ["applied", "failed", "pending"],
  failed: ["applying", "rejected"],
};

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) main();

function main() {
  const [file, ...flags] = process.argv.slice(2);
  const at = flags.indexOf("--key");
  try {
    if (file === undefined) throw new Error("usage: node audit-check.js FILE [--key SHA256:…] [--json]");
    const report = checkAudit(file, at < 0 ? undefined : flags[at + 1]);
    console.log(flags.includes("--json") ? JSON.stringify(report, null, 2) : textOf(report));
    process.exitCode = report.findings.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(error.message);
    process.exitCode = 2;
  }
}

function textOf({ garden, from, to, commits, counts, signed_by, announcements, peers, grants, findings }) {
  return [
    `${garden}: ${commits} commits from ${from ?? "the first"} to ${to}`,
    `${counts.decided} decided, ${counts.session} of sessions, ${counts.bookkeeping} bookkeeping, ${counts.by_hand} by hand`,
    `${announcements} announcements, ${peers} gardens followed, ${grants} changes of grants`,
    signed_by === null ? "Nobody signed it." : `Signed by ${signed_by}`,
    ...findings.map(({ where, commit, proposal, problem }) =>
      [where, commit, proposal, problem].filter((part) => part !== null).join(" "),
    ),
    findings.length === 0 ? "Everything is vouched for." : `Problems: ${findings.length}`,
  ].join("\n");
}

/** The report on a bundle. Throws for a file that is none. */
export function checkAudit(file, key) {
  const dir = mkdtempSync(join(tmpdir(), "audit-"));
  try {
    const bundle = openBundle(dir, file);
    const { garden, from, to } = bundle.range;
    const commits = checkCommits(bundle);
    const gardens = checkGardens(bundle, key);
    const grants = checkGrants(bundle);
    const findings = [...commits.findings, ...checkRefs(bundle), ...gardens.findings, ...grants.findings];
    const { signed_by, announcements, peers } = gardens;
    return { garden, from, to, ...commits, signed_by, announcements, peers, grants: grants.changes, findings };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function checkCommits({ git, range, records }) {
  const counts = { decided: 0, bookkeeping: 0, session: 0, by_hand: 0 };
  const findings = [];
  const wanted = range.from === null ? [range.to] : [range.to, `^${range.from}`];
  const commits = readCommits(git, ["--date-order", ...wanted]);
  const ground = { records, folders: byFolder(records) };
  for (const commit of commits) {
    const named = commit.trailers.filter(([name]) => name.toLowerCase() === "proposal").map(([, value]) => value);
    const kind = kindOf(commit, named);
    counts[kind]++;
    const problem = kind === "decided" ? problemOf(ground, commit, named) : undefined;
    if (problem)
      findings.push({ where: null, commit: commit.oid, proposal: named.length === 1 ? named[0] : null, problem });
  }
  return { commits: commits.length, counts, findings };
}

function kindOf({ committer, trailers }, named) {
  if (named.length > 0) return "decided";
  if (committer !== GATEWAY) return "by_hand";
  const once = (wanted) => trailers.filter(([name]) => name.toLowerCase() === wanted).length === 1;
  if (once("agentic-kind")) return "session";
  return once("bookkeeping") || once("contract") ? "bookkeeping" : "decided";
}

function problemOf(ground, commit, named) {
  const [id] = named;
  if (id === undefined) return "names-no-proposal";
  if (named.length > 1) return "names-several-proposals";
  if (commit.committer !== GATEWAY) return "not-by-the-gateway";
  const events = [];
  for (let number = 0; ; number++) {
    const text = ground.records.get(`store/proposals/log/${id}/${String(number).padStart(4, "0")}.json`)?.text;
    if (text === undefined) break;
    const event = parsed(text);
    if (typeof event?.type !== "string") return "broken-record";
    events.push(event);
  }
  if (events.length === 0) return "no-record";
  const [made] = events;
  if (made.type !== "made" || made.id !== id || !isInOrder(events)) return "broken-record";
  return proposalProblem(commit, made, events) ?? runProblem(ground, made);
}

function isInOrder([, ...events]) {
  let state = "pending";
  for (const { type, decision } of events) {
    const next = { decided: decision, withdrawn: "pending", returned: "pending", planned: "applying" }[type] ?? type;
    if (type === "planned" ? state !== "applying" : !MOVES[state]?.includes(next)) return false;
    state = next;
  }
  return true;
}

function proposalProblem(commit, made, events) {
  const { source, action, target, operation, base, effect, digest } = made;
  if (idOf({ id: made.id, source, action, target, operation, base, effect }) !== digest) return "other-digest";
  const decision = events.findLast(({ type }) => ["decided", "withdrawn", "returned"].includes(type));
  if (decision?.decision !== "approved" && decision?.decision !== "auto_approved") return "not-approved";
  const reviewed = decision.effect === effect ? digest : idOf({ proposal: digest, effect: decision.effect });
  if (decision.digest !== reviewed) return "other-decision";
  if (source.type === "agent" && decision.by === source.identity) return "approved-by-its-proposer";
  if (events.findLast(({ type }) => type === "applied")?.git_commit !== commit.oid) return "not-its-commit";
  const found = new Map(commit.trailers.map(([name, value]) => [name.toLowerCase(), value]));
  const { agent } = made;
  const isAgent = source.type === "agent" && agent !== undefined;
  const expected = {
    "approved-by": decision.by,
    agent: isAgent ? `${agent.slug} v${agent.version.replace(/^v/, "")}` : undefined,
    run: isAgent ? source.run_id : undefined,
    logic: isAgent ? agent.logic : undefined,
  };
  const isTrue = Object.entries(expected).every(([name, value]) => value === undefined || found.get(name) === value);
  return isTrue ? undefined : "false-trailers";
}

function runProblem({ records, folders }, { source: { type, identity, run_id: run } }) {
  if (type !== "agent" || run === undefined) return undefined;
  const folder = `store/agents/${identity}/runs/${run}`;
  const manifest = parsed(records.get(`${folder}/manifest.json`)?.text ?? "");
  if (typeof manifest?.journal !== "string") return "no-run";
  const steps = (folders.get(`${folder}/steps`) ?? []).map(([path, { oid }]) => [path.split("/").at(-1), oid]);
  steps.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  if (idOf(steps) !== manifest.journal) return "other-journal";
  const loaded = records.get(`${folder}/steps/01-load-context.json`);
  return loaded && pinsOf(parsed(loaded.text)?.output) !== pinsOf(manifest) ? "other-pins" : undefined;
}

function byFolder(records) {
  const folders = new Map();
  for (const entry of records) {
    const folder = entry[0].slice(0, entry[0].lastIndexOf("/"));
    folders.set(folder, [...(folders.get(folder) ?? []), entry]);
  }
  return folders;
}

/** The contract and the logic that a run was pinned to: its first step recorded them, its manifest repeats them. */
function pinsOf({ agent_version, contract_hash, logic_version, behaviour_id, garden_commit } = {}) {
  return JSON.stringify([agent_version, contract_hash, logic_version, behaviour_id, garden_commit]);
}
