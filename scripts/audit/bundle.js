/** Reads an audit bundle with git. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { resolve } from "node:path";

export const GATEWAY = "gateway@garden.invalid";
export const RECORDS = "refs/audit/records";

export function openBundle(dir, file) {
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

export const findingAt = (where, problem, commit = null) => ({ where, commit, proposal: null, problem });

/** Commits that `git rev-list` finds, in its order, with their committer, parents and trailers. */
export function readCommits(git, wanted) {
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
  const last = paragraphs.length < 2 ? [] : paragraphs.at(-1).split("\n");
  const trailers = last.map((line) => /^([A-Za-z][A-Za-z0-9-]*): (.*)$/.exec(line));
  return trailers.every(Boolean) ? trailers.map(([, name, value]) => [name, value.trim()]) : [];
}

/** All files at a commit by path, each with its blob id and text. */
export function filesIn(git, at) {
  const listed = git(["ls-tree", "-r", "-z", at]).toString().split("\0").filter(Boolean);
  const ids = listed.map((line) => line.split(/[ \t]/)[2]);
  const texts = filesOf(git, ids);
  return new Map(listed.map((line, i) => [line.slice(line.indexOf("\t") + 1), { oid: ids[i], text: texts[i] }]));
}

export function filesOf(git, names) {
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

export function lines(text) {
  return text.toString().split("\n").filter(Boolean);
}

export function parsed(text) {
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

/** The git blob id of a value as canonical JSON (RFC 8785, text in composed form). */
export function idOf(value) {
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
