/**
 * node audit-check.js FILE [--key SHA256:…] [--json]: checks an audit bundle of a garden with git and nothing else. It shares no code with
 * the program that made the bundle, so that neither has to be trusted for the other. Exit code 0: everything is vouched for; 1: not
 * everything; 2: the file cannot be read.
 *
 * Checked for every commit in the range that a proposal stands behind: its digest covers what it would do, somebody other than its
 * proposer approved that digest, the record names this commit, the trailers repeat the record, and the run's journal and contract are
 * those that the run ended with. Then the refs, the signature of the whole, the announcements of this garden and of those that it
 * follows, and the history of its grants. With --key, the bundle must be signed by the garden with that key.
 */
import { spawnSync } from "node:child_process";
import { createHash, createPublicKey, verify } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const GATEWAY = "gateway@garden.invalid";
const RECORDS = "refs/audit/records";
const ANNOUNCE = "refs/agentic/announce";
const CAPABILITIES = "refs/agentic/caps";
const PEER_BOOK = "refs/agentic/peer-book";
const PEERS = "refs/agentic/peers/";
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
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

function openBundle(dir, file) {
  const git = (args, input) => runGit(dir, args, input);
  git(["init", "-q", "--bare"]);
  git(["fetch", "-q", resolve(file), "+refs/*:refs/*"]);
  git([...STRICT, "fsck", "--no-dangling", "--no-progress"]); // a fetch from a bundle checks less than one from a server
  const refs = new Map(
    lines(git(["for-each-ref", "--format=%(refname) %(objectname)"])).map((line) => line.split(" ")),
  );
  const none = new Error(`${file} holds no records of an audit, or of another format`);
  if (!refs.has(RECORDS)) throw none;
  const records = filesIn(git, RECORDS);
  const range = parsed(records.get("range.json")?.text ?? "");
  if (range?.format !== 2) throw none;
  return { git, refs, records, range };
}

/** Names that some systems take for `.git` are errors; flaws of dates and addresses that old tools left in sound histories are not. */
const STRICT = [
  ...["hasDotgit", "hasDot", "hasDotdot"].map((name) => `fsck.${name}=error`),
  ...["badTimezone", "missingEmail", "missingNameBeforeEmail", "missingSpaceBeforeDate"].map(
    (name) => `fsck.${name}=warn`,
  ),
  ...["missingSpaceBeforeEmail", "multipleAuthors", "zeroPaddedDate", "zeroPaddedFilemode"].map(
    (name) => `fsck.${name}=warn`,
  ),
].flatMap((setting) => ["-c", setting]);

const findingAt = (where, problem, commit = null) => ({ where, commit, proposal: null, problem });

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

/** The bundle holds exactly the refs that its records name. */
function checkRefs({ refs, range }) {
  const named = new Map(Object.entries(range.refs));
  return [...new Set([...named.keys(), ...refs.keys()])]
    .filter((ref) => ref !== RECORDS && named.get(ref) !== refs.get(ref))
    .sort()
    .map((ref) => findingAt(ref, "other-ref"));
}

/** Signatures: of the bundle itself, of this garden's announcements and of those that it accepted. */
function checkGardens({ git, refs, records }, key) {
  const findings = [];
  const [sealed] = readCommits(git, ["--no-walk", RECORDS]);
  const signed_by = signerOf(sealed)?.print ?? null;
  const own = checkChain(git, refs.get(ANNOUNCE));
  if (own?.problem) findings.push(findingAt(ANNOUNCE, own.problem, own.at));
  const keys = own?.keys?.map((each) => each.print);
  if (keys && signed_by === null) findings.push(findingAt(RECORDS, "not-signed"));
  else if (keys && signed_by !== keys.at(-1)) findings.push(findingAt(RECORDS, "signed-by-a-stranger"));
  if (key !== undefined && (signed_by === null || !(keys ?? [signed_by]).includes(key)))
    findings.push(findingAt(RECORDS, "other-key"));
  const { peers, strange } = readPeers(git, refs);
  for (const path of strange) findings.push(findingAt(`${PEER_BOOK}:${path}`, "malformed-peer"));
  const chains = [own];
  for (const peer of peers) {
    const chain = checkChain(git, refs.get(`${PEERS}${peer.name}/announce`));
    chains.push(chain);
    findings.push(...checkPeer(refs, peer, chain));
  }
  const known = new Set(peers.map(({ name }) => name));
  for (const name of refs.keys())
    if (name.startsWith(PEERS) && !known.has(name.split("/")[3])) findings.push(findingAt(name, "not-announced"));
  const signers = chains.flatMap((chain) =>
    (chain?.keys ?? []).map(({ line }) => `${chain.space} namespaces="git" ${line}\n`),
  );
  if ((records.get("allowed_signers")?.text ?? "") !== [...new Set(signers)].sort().join(""))
    findings.push(findingAt("allowed_signers", "other-signers"));
  return { signed_by, announcements: own?.length ?? 0, peers: peers.length, findings };
}

function readPeers(git, refs) {
  const [peers, strange] = [[], []];
  for (const [path, { text }] of refs.has(PEER_BOOK) ? filesIn(git, PEER_BOOK) : []) {
    const peer = parsed(text);
    const isPeer =
      SLUG.test(peer?.name ?? "") &&
      path === `${peer.name}.json` &&
      typeof peer.url === "string" &&
      peer.url !== "" &&
      /^SHA256:[A-Za-z0-9+/]{43}$/.test(peer.pin) &&
      (peer.keys ?? []).every((each) => typeof each.key === "string" && each.from_seq >= 1);
    if (isPeer) peers.push(peer);
    else strange.push(path);
  }
  return { peers, strange };
}

function checkPeer(refs, { name, space, keys = [], pin }, chain) {
  const announce = `${PEERS}${name}/announce`;
  if (chain?.problem) return [findingAt(announce, chain.problem, chain.at)];
  const isKnown =
    !chain ||
    (space === chain.space &&
      chain.keys.every(({ line, from }, i) => keys[i]?.key === line && keys[i].from_seq === from) &&
      keys.some((each) => keyIn(each.key)?.print === pin));
  if (!isKnown) return [findingAt(announce, "other-keys")];
  const expected = new Map(
    [...(chain?.refs ?? [])].map(([ref, oid]) => [trackingOf(name, ref), oid]).filter(([ref]) => ref !== undefined),
  );
  const isTracking = (ref) =>
    [`refs/remotes/${name}/agents/`, `${PEERS}${name}/agents/`].some((prefix) => ref.startsWith(prefix)) ||
    ref === `refs/notes/remotes/${name}/trace`;
  return [...new Set([...expected.keys(), ...[...refs.keys()].filter(isTracking)])]
    .filter((ref) => expected.get(ref) !== refs.get(ref))
    .sort()
    .map((ref) => findingAt(ref, "not-announced"));
}

/** The ref under which another garden's ref is kept. */
function trackingOf(peer, ref) {
  if (ref === "refs/notes/trace") return `refs/notes/remotes/${peer}/trace`;
  const [, part, session] = /^refs\/(heads|agentic)\/agents\/(.*)$/.exec(ref) ?? [];
  if (part === undefined || !SLUG.test(session)) return undefined;
  return part === "heads" ? `refs/remotes/${peer}/agents/${session}` : `${PEERS}${peer}/agents/${session}`;
}

/**
 * A chain of announcements, from the oldest on: each is signed by the key that was valid then, names the garden after its first key, and
 * has a number that grows. `next` names the key that signs from the next one on.
 */
function checkChain(git, tip) {
  if (tip === undefined) return undefined;
  const commits = readCommits(git, ["--first-parent", "--reverse", tip]);
  const lists = filesOf(
    git,
    commits.map(({ oid }) => `${oid}:refs`),
  );
  let chain = { space: undefined, keys: [], seq: 0, length: commits.length };
  for (const [i, commit] of commits.entries()) {
    const announced = announcementIn(commit, lists[i]);
    const next = announced === undefined ? "malformed-announcement" : continued(chain, announced, signerOf(commit));
    if (typeof next === "string") return { problem: next, at: commit.oid };
    chain = { ...next, refs: announced.refs };
  }
  return chain;
}

function continued(chain, { space, seq, next }, signer) {
  if (!signer) return "not-signed";
  const keys = chain.space === undefined ? [{ ...signer, from: 1 }] : chain.keys;
  if (space !== (chain.space ?? signer.print)) return "other-garden";
  if (seq <= chain.seq) return "stale-number";
  if (signer.print !== keys.findLast(({ from }) => from <= seq)?.print) return "signed-by-a-stranger";
  const isNew = next !== undefined && !keys.some(({ line, from }) => line === next && from === seq + 1);
  return { ...chain, space, seq, keys: isNew ? [...keys, { ...keyIn(next), from: seq + 1 }] : keys };
}

/** The fields of an announcement and its refs, one per line and sorted; undefined for any other commit. */
function announcementIn({ trailers, parents }, list) {
  const fields = systemFields(trailers, "announcement");
  if (!fields || list === undefined || parents.length > 1) return undefined;
  const { space, seq, next } = fields;
  if (typeof space !== "string" || !Number.isSafeInteger(seq) || seq < 1) return undefined;
  if (next !== undefined && (typeof next !== "string" || keyIn(next)?.line !== next)) return undefined;
  const entries = lines(list).map((line) => /^([0-9a-f]{40}) ([^ ]+)$/.exec(line));
  if (!entries.every(Boolean)) return undefined;
  const refs = new Map(entries.map(([, oid, name]) => [name, oid]));
  const sorted = [...refs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, oid]) => `${oid} ${name}\n`);
  return sorted.join("") === list ? { space, seq, next, refs } : undefined;
}

/** The fields of a commit of one of the program's own refs. A name that occurs twice could spoof another value. */
function systemFields(trailers, part) {
  const ours = trailers.map(([name, value]) => [name.toLowerCase(), value]);
  const block = ours.filter(([name]) => name.startsWith("agentic-") || name === "change-id");
  const found = new Map(block);
  if (found.size !== block.length || found.get("agentic-system") !== part) return undefined;
  const fields = found.has("agentic-fields") ? parsed(found.get("agentic-fields")) : {};
  return typeof fields === "object" && fields !== null && !Array.isArray(fields) ? fields : undefined;
}

/** Every commit of the grants adds one or takes one back, and every audit record of such a change has its commit. */
function checkGrants({ git, refs, records }) {
  const commits = refs.has(CAPABILITIES) ? readCommits(git, ["--first-parent", CAPABILITIES]) : [];
  const changed = changesOf(git, commits);
  const findings = [];
  const seen = new Map();
  for (const commit of commits) {
    const change = grantChange(commit, changed.get(commit.oid) ?? []);
    if (change === undefined) findings.push(findingAt(CAPABILITIES, "malformed-grant", commit.oid));
    else seen.set(change, (seen.get(change) ?? 0) + 1);
  }
  const paths = [...records.keys()].filter((path) =>
    /^store\/audit\/\d{4}-\d\d\/\d\d\/\d{6}-capability-(?:granted|revoked)-[0-9a-f]+\.json$/.test(path),
  );
  for (const path of paths) {
    const { kind, subject } = parsed(records.get(path).text) ?? {};
    const change = `${kind} ${subject}`;
    if (!["capability-granted", "capability-revoked"].includes(kind) || typeof subject !== "string")
      findings.push(findingAt(path, "broken-record"));
    else if (!seen.get(change)) findings.push(findingAt(path, "lost-grant"));
    else seen.set(change, seen.get(change) - 1);
  }
  return { changes: commits.length, findings };
}

function grantChange({ committer, trailers, parents }, changes) {
  const [change] = changes;
  const isSystem = committer === GATEWAY && systemFields(trailers, "capabilities") !== undefined;
  if (!isSystem || parents.length > 1 || changes.length !== 1 || (change.before && change.after)) return undefined;
  const id = change.path.replace(/\.json$/, "");
  if (change.after === undefined) return `capability-revoked ${id}`;
  const grant = parsed(change.text);
  return isGrant(grant) && idOf(grant) === id && change.path === `${id}.json` ? `capability-granted ${id}` : undefined;
}

function isGrant(grant) {
  const { type, peer, agenticType, trigger, notAfter, ...more } = grant ?? {};
  const isTime =
    notAfter === undefined ||
    (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/.test(notAfter) && !Number.isNaN(Date.parse(notAfter)));
  return (
    type === "capability" &&
    SLUG.test(peer) &&
    /^[a-z][a-z0-9-]{0,62}$/.test(agenticType) &&
    ["spawn", "head-move", "notes", "merge"].includes(trigger) &&
    isTime &&
    Object.keys(more).length === 0
  );
}

/** Files that each commit adds or removes, against its first parent, with the text of added ones. */
function changesOf(git, commits) {
  const found = new Map();
  if (commits.length === 0) return found;
  const input = commits.map(({ oid }) => `${oid}\n`).join("");
  const told = git(["diff-tree", "--stdin", "--root", "-r", "-m", "--first-parent", "--no-renames", "-z"], input);
  const parts = told.toString().split("\0");
  for (let i = 0, at; i < parts.length - 1; i++) {
    const entry = /^:\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) [AMDT]$/.exec(parts[i]);
    if (!entry) found.set((at = parts[i].trim().split(/\s/)[0]), []);
    else {
      const [before, after] = entry.slice(1).map((oid) => (/^0+$/.test(oid) ? undefined : oid));
      found.get(at).push({ path: parts[++i], before, after });
    }
  }
  const added = [...found.values()].flat().filter(({ after }) => after !== undefined);
  for (const [i, text] of filesOf(
    git,
    added.map(({ after }) => after),
  ).entries())
    added[i].text = text;
  return found;
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

/** The key that signed a commit, as git keeps it in the commit (SSHSIG); undefined without a valid signature. */
function signerOf({ raw }) {
  const end = raw.indexOf("\n\n");
  const head = raw.toString("latin1", 0, end).split("\n");
  const at = head.findIndex((line) => line.startsWith("gpgsig "));
  if (at < 0 || head.some((line, i) => i !== at && /^gpgsig[ -]/.test(line))) return undefined;
  let after = at + 1;
  while (head[after]?.startsWith(" ")) after++;
  const armour = [head[at].slice(7), ...head.slice(at + 1, after).map((line) => line.slice(1))].join("\n");
  const content = Buffer.concat([
    Buffer.from([...head.slice(0, at), ...head.slice(after)].join("\n"), "latin1"),
    raw.subarray(end),
  ]);
  const base64 = /^-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=\n]+)\n-----END SSH SIGNATURE-----$/.exec(
    armour.trim(),
  )?.[1];
  return base64 === undefined ? undefined : signerIn(Buffer.from(base64.replaceAll("\n", ""), "base64"), content);
}

function signerIn(bytes, content) {
  try {
    const [key, namespace, reserved, hash, signature, ...more] = sshStrings(bytes.subarray(10));
    const [kind, raw, ...rest] = sshStrings(signature);
    const isSsh = bytes.toString("latin1", 0, 6) === "SSHSIG" && bytes.readUInt32BE(6) === 1;
    if (!isSsh || String(namespace) !== "git" || !["sha256", "sha512"].includes(String(hash))) return undefined;
    if (String(kind) !== "ssh-ed25519" || more.length > 0 || rest.length > 0) return undefined;
    const digest = createHash(String(hash)).update(content).digest();
    const signed = Buffer.concat([Buffer.from("SSHSIG"), ...[namespace, Buffer.alloc(0), hash, digest].map(sshString)]);
    const signer = keyIn(`ssh-ed25519 ${key.toString("base64")}`);
    return signer && reserved && verify(null, signed, signer.object, raw) ? signer : undefined;
  } catch {
    return undefined;
  }
}

/** A public key as a line of OpenSSH, with its fingerprint. */
function keyIn(line) {
  try {
    const blob = Buffer.from(line.split(" ")[1] ?? "", "base64");
    const [type, raw, ...more] = sshStrings(blob);
    if (String(type) !== "ssh-ed25519" || raw.length !== 32 || more.length > 0) return undefined;
    const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), raw]);
    return {
      line: `ssh-ed25519 ${blob.toString("base64")}`,
      print: `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`,
      object: createPublicKey({ key: der, format: "der", type: "spki" }),
    };
  } catch {
    return undefined;
  }
}

/** Values one after the other, each after its length (RFC 4251). Throws RangeError for bytes that end too early. */
function sshStrings(bytes) {
  const found = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) throw new RangeError("bytes end too early");
    found.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return found;
}

function sshString(bytes) {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Commits that `git rev-list` finds, in its order, with their committer, parents and trailers. */
function readCommits(git, wanted) {
  const oids = lines(git(["rev-list", ...wanted, "--"]));
  return objectsOf(git, oids).map((raw, i) => {
    const end = raw.indexOf("\n\n");
    const head = raw.toString("utf8", 0, end).split("\n");
    const committer = / <([^<>]*)> \d+ [+-]\d{4}$/.exec(head.find((line) => line.startsWith("committer ")) ?? "")?.[1];
    const parents = head.filter((line) => line.startsWith("parent ")).map((line) => line.slice(7));
    return { oid: oids[i], raw, committer, parents, trailers: trailersOf(raw.toString("utf8", end + 2)) };
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

/** All files at a commit by path, each with its blob id and text. */
function filesIn(git, at) {
  const listed = git(["ls-tree", "-r", "-z", at]).toString().split("\0").filter(Boolean);
  const ids = listed.map((line) => line.split(/[ \t]/)[2]);
  const texts = filesOf(git, ids);
  return new Map(listed.map((line, i) => [line.slice(line.indexOf("\t") + 1), { oid: ids[i], text: texts[i] }]));
}

function filesOf(git, names) {
  return objectsOf(git, names).map((bytes) => bytes?.toString());
}

/** The contents of objects, by id or `commit:path`, in this order; undefined for one that is missing. */
function objectsOf(git, names) {
  if (names.length === 0) return [];
  const batch = git(["cat-file", "--batch"], names.map((name) => `${name}\n`).join(""));
  let at = 0;
  return names.map(() => {
    const end = batch.indexOf(10, at);
    const [, type, length] = batch.toString("utf8", at, end).split(" ");
    const size = Number(length);
    at = end + 1;
    if (type === "missing" || !Number.isInteger(size)) return undefined;
    at += size + 1;
    return batch.subarray(end + 1, end + 1 + size);
  });
}

function lines(text) {
  return text.toString().split("\n").filter(Boolean);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function runGit(dir, args, input = "") {
  const { status, stdout, stderr, error } = spawnSync("git", ["-C", dir, ...args], { input, maxBuffer: 2 ** 31 - 1 });
  if (error) throw new Error(`git: ${error.message}`);
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr.toString().trim()}`);
  return stdout;
}
