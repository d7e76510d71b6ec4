/**
 * node audit-check.js FILE [--json]: checks an audit bundle of a garden with git and nothing else. It shares no code with the program
 * that made the bundle, so that neither has to be trusted for the other. Exit code 0: every commit is vouched for; 1: some are not.
 *
 * Checked for every commit in the range that a proposal stands behind: its digest covers what it would do, somebody other than its
 * proposer approved that digest, the record names this commit, the trailers repeat the record, and the run's journal is the one that
 * the run ended with.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const GATEWAY = "gateway@garden.invalid";
/** The states of a proposal, each with those that may follow. */
const MOVES = {
  pending: ["approved", "auto_approved", "rejected", "expired"],
  approved: ["applying", "pending"],
  auto_approved: ["applying"],
  applying: ["applied", "failed", "pending"],
  failed: ["applying", "rejected"],
};

const [file, ...flags] = process.argv.slice(2);
if (file === undefined) fail("usage: node audit-check.js FILE [--json]");
const dir = mkdtempSync(join(tmpdir(), "audit-"));
process.on("exit", () => rmSync(dir, { recursive: true, force: true }));

git(["init", "-q", "--bare", dir]);
git(["-C", dir, "-c", "fetch.fsckObjects=true", "fetch", "-q", resolve(file), "+refs/*:refs/*"]);

const records = readRecords();
const range = JSON.parse(records.get("range.json") ?? fail(`${file} holds no records of an audit`));
const report = { garden: range.garden, from: range.from, to: range.to, ...checkCommits(readCommits()) };
if (flags.includes("--json")) console.log(JSON.stringify(report, null, 2));
else {
  const { decided, bookkeeping, session, by_hand } = report.counts;
  console.log(`${report.garden}: ${report.commits} commits from ${range.from ?? "the first"} to ${range.to}`);
  console.log(`${decided} decided, ${session} of sessions, ${bookkeeping} bookkeeping, ${by_hand} by hand`);
  for (const { commit, proposal, problem } of report.findings) console.log(`${commit} ${proposal ?? "-"} ${problem}`);
  console.log(report.findings.length === 0 ? "Every commit is vouched for." : `${report.findings.length} are not.`);
}
process.exitCode = report.findings.length === 0 ? 0 : 1;

function checkCommits(commits) {
  const counts = { decided: 0, bookkeeping: 0, session: 0, by_hand: 0 };
  const findings = [];
  for (const commit of commits) {
    const named = commit.trailers.filter(([name]) => name.toLowerCase() === "proposal").map(([, value]) => value);
    const kind = kindOf(commit, named);
    counts[kind]++;
    const problem = kind === "decided" ? problemOf(commit, named) : undefined;
    if (problem) findings.push({ commit: commit.oid, proposal: named.length === 1 ? named[0] : null, problem });
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

function problemOf(commit, named) {
  const [id] = named;
  if (id === undefined) return "names-no-proposal";
  if (named.length > 1) return "names-several-proposals";
  if (commit.committer !== GATEWAY) return "not-by-the-gateway";
  const events = [];
  for (let number = 0; ; number++) {
    const text = records.get(`store/proposals/log/${id}/${String(number).padStart(4, "0")}.json`);
    if (text === undefined) break;
    const event = parsed(text);
    if (typeof event?.type !== "string") return "broken-record";
    events.push(event);
  }
  if (events.length === 0) return "no-record";
  const [made] = events;
  if (made.type !== "made" || made.id !== id || !isInOrder(events)) return "broken-record";
  return proposalProblem(commit, made, events) ?? runProblem(made);
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

function runProblem({ source: { type, identity, run_id: run } }) {
  if (type !== "agent" || run === undefined) return undefined;
  const folder = `store/agents/${identity}/runs/${run}/`;
  const manifest = parsed(records.get(`${folder}manifest.json`) ?? "");
  if (typeof manifest?.journal !== "string") return "no-run";
  const steps = [];
  for (const [path, oid] of stepsIn(`${folder}steps/`)) steps.push([path.slice(path.lastIndexOf("/") + 1), oid]);
  steps.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return idOf(steps) === manifest.journal ? undefined : "other-journal";
}

function* stepsIn(folder) {
  for (const [path, oid] of records.ids) if (path.startsWith(folder)) yield [path, oid];
}

/** The git blob id of a value as canonical JSON (RFC 8785, text in composed form). */
function idOf(value) {
  const bytes = Buffer.from(canonical(value));
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

function canonical(value) {
  if (typeof value === "string") return JSON.stringify(value.normalize("NFC"));
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(Object.is(value, -0) ? 0 : value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const texts = members.map(([key, member]) => [key.normalize("NFC"), canonical(member)]);
  texts.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${texts.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}`;
}

/** Commits of the range with their committer and trailers. */
function readCommits() {
  const wanted = range.from === null ? [range.to] : [range.to, `^${range.from}`];
  const text = git(["-C", dir, "log", "-z", "--format=%H%n%ce%n%B", ...wanted]);
  return text
    .split("\0")
    .filter(Boolean)
    .map((entry) => {
      const [oid, committer, ...message] = entry.split("\n");
      return { oid, committer, trailers: trailersOf(message.join("\n")) };
    });
}

/** The last paragraph, if every line of it is a trailer. */
function trailersOf(message) {
  const paragraphs = message
    .replaceAll("\r\n", "\n")
    .trimEnd()
    .split(/\n\s*\n/);
  const lines = paragraphs.length < 2 ? [] : paragraphs.at(-1).split("\n");
  const trailers = lines.map((line) => /^([A-Za-z][A-Za-z0-9-]*): (.*)$/.exec(line));
  return trailers.every(Boolean) ? trailers.map(([, name, value]) => [name, value.trim()]) : [];
}

/** All files of the records by path; `ids` are their blob ids. */
function readRecords() {
  const listed = git(["-C", dir, "ls-tree", "-r", "-z", "refs/audit/records"]).split("\0").filter(Boolean);
  const ids = new Map(listed.map((line) => [line.slice(line.indexOf("\t") + 1), line.split(/[ \t]/)[2]]));
  const batch = gitBytes(["-C", dir, "cat-file", "--batch"], [...ids.values()].map((oid) => `${oid}\n`).join(""));
  const found = new Map();
  let at = 0;
  for (const path of ids.keys()) {
    const end = batch.indexOf(10, at);
    const size = Number(batch.toString("latin1", at, end).split(" ")[2]);
    found.set(path, batch.toString("utf8", end + 1, end + 1 + size));
    at = end + size + 2;
  }
  return Object.assign(found, { ids });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function git(args) {
  return gitBytes(args).toString();
}

function gitBytes(args, input = "") {
  const { status, stdout, stderr, error } = spawnSync("git", args, { input, maxBuffer: 2 ** 31 - 1 });
  if (error) fail(`git: ${error.message}`);
  if (status !== 0) fail(`git ${args.filter((arg) => arg !== dir).join(" ")}: ${stderr.toString().trim()}`);
  return stdout;
}

function fail(message) {
  console.error(message);
  process.exit(2);
}
