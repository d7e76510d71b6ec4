/** Checks what an audit bundle says about this garden and others: refs, signatures, announcements, grants. */
import { filesIn, filesOf, findingAt, GATEWAY, idOf, lines, parsed, RECORDS, readCommits } from "./bundle.js";
import { keyIn, signerOf } from "./signature.js";

const ANNOUNCE = "refs/agentic/announce";
const CAPABILITIES = "refs/agentic/caps";
const PEER_BOOK = "refs/agentic/peer-book";
const PEERS = "refs/agentic/peers/";
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const byText = (a, b) => (a < b ? -1 : 1);

/** The bundle holds exactly the refs that its records name. */
export function checkRefs({ refs, range }) {
  const named = new Map(Object.entries(range.refs));
  return [...new Set([...named.keys(), ...refs.keys()])]
    .filter((ref) => ref !== RECORDS && named.get(ref) !== refs.get(ref))
    .toSorted(byText)
    .map((ref) => findingAt(ref, "other-ref"));
}

/** Signatures: of the bundle itself, of this garden's announcements and of those that it accepted. */
export function checkGardens({ git, refs, records }, key) {
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
  if ((records.get("allowed_signers")?.text ?? "") !== [...new Set(signers)].toSorted(byText).join(""))
    findings.push(findingAt("allowed_signers", "other-signers"));
  return { signed_by, announcements: own?.length ?? 0, peers: peers.length, findings };
}

function readPeers(git, refs) {
  const peers = [];
  const strange = [];
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

function checkPeer(refs, { name, space, keys = [], pin, chosen }, chain) {
  const announce = `${PEERS}${name}/announce`;
  if (chain?.problem) return [findingAt(announce, chain.problem, chain.at)];
  const isKnown =
    !chain ||
    (space === chain.space &&
      chain.keys.every(({ line, from }, i) => keys[i]?.key === line && keys[i].from_seq === from) &&
      keys.some((each) => keyIn(each.key)?.print === pin));
  if (!isKnown) return [findingAt(announce, "other-keys")];
  const expected = new Map(
    [...(chain?.refs ?? [])]
      .map(([ref, oid]) => [trackingOf(name, ref, chosen), oid])
      .filter(([ref]) => ref !== undefined),
  );
  const isTracking = (ref) =>
    [`refs/remotes/${name}/agents/`, `${PEERS}${name}/agents/`].some((prefix) => ref.startsWith(prefix)) ||
    [`refs/notes/remotes/${name}/trace`, `refs/remotes/${name}/library`].includes(ref);
  return [...new Set([...expected.keys(), ...[...refs.keys()].filter(isTracking)])]
    .filter((ref) => expected.get(ref) !== refs.get(ref))
    .toSorted(byText)
    .map((ref) => findingAt(ref, "not-announced"));
}

/** The ref under which another garden's ref is kept; undefined for a session that is not among the chosen ones. */
function trackingOf(peer, ref, chosen) {
  if (ref === "refs/notes/trace") return `refs/notes/remotes/${peer}/trace`;
  if (ref === "refs/agentic/library") return `refs/remotes/${peer}/library`;
  const [, part, session] = /^refs\/(heads|agentic)\/agents\/(.*)$/.exec(ref) ?? [];
  if (part === undefined || !SLUG.test(session) || (chosen && !chosen.includes(session))) return undefined;
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
  const sorted = [...refs].toSorted(([a], [b]) => byText(a, b)).map(([name, oid]) => `${oid} ${name}\n`);
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
export function checkGrants({ git, refs, records }) {
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
    /^[a-z][a-z0-9-]{0,62}(?:@[0-9a-f]{40})?$/.test(agenticType) &&
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
