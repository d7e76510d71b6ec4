import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Text } from "../../../../base/text.ts";
import type { World } from "../../../../base/world.ts";
import { isOid } from "../../../../domain/git/git-names.ts";
import type { RepoFinding } from "../../../../ports/repo-health.ts";
import { type GitPlace, git } from "../process/git-process.ts";
import { blemishes } from "../remote/transfer-settings.ts";
import { indexLockHolder } from "../work-tree/index-lock.ts";
import { unfinishedFindings } from "./unfinished.ts";

export interface InspectDeps {
  readonly place: GitPlace;
  readonly gitDir: string;
  readonly commonDir: string;
}

const LOCK_AGE_MS = 2000; // git holds a lock for milliseconds; an older one is most likely a leftover
const LIMIT_MS = 3_600_000;

/**
 * Findings about damage. Reads only. Each damage is reported once, by its cause: a dangling ref is one finding, not one per
 * unreachable object.
 */
export async function inspectRepository(
  { place, gitDir, commonDir }: InspectDeps,
  world: World,
  everything = false,
): Promise<readonly RepoFinding[]> {
  const found = await staleLockFindings(gitDir, commonDir, world);
  if (!(await readableHead(gitDir))) return [...found, { kind: "head", subject: "HEAD", what: brokenHead }];
  const depth = everything ? ["--full", "--strict"] : ["--connectivity-only"];
  const settings = blemishes.flatMap((blemish) => ["-c", `fsck.${blemish}=ignore`]);
  const ask = async (variables: Record<string, string>): Promise<string> => {
    const args = [...settings, "fsck", ...depth, "--no-dangling", "--no-reflogs", "--no-progress"];
    const said = await git(place, args, { accept: EVERY_CODE, variables, timeoutMs: LIMIT_MS });
    return said.code === 0 ? "" : `${said.stderr}\n${said.stdout.toString()}`;
  };
  let said = await ask({});
  if (/^fatal: .*\bindex\b.*|^error: bad (index|signature)/m.test(said) && !/pack|objects\//.test(said)) {
    found.push({ kind: "index", subject: "index", what: brokenIndex });
    said = await ask({ GIT_INDEX_FILE: join(gitDir, "no-index") });
  }
  return [...found, ...readFsck(said), ...(await unfinishedFindings(place, gitDir).catch(() => []))];
}

/** The exit code of fsck is a sum of bits. */
const EVERY_CODE = Array.from({ length: 256 }, (_, code) => code);

function readFsck(said: string): RepoFinding[] {
  if (said === "") return [];
  const config = /bad \w* ?config.*/.exec(said)?.[0];
  if (config) return [{ kind: "config", subject: "config", what: brokenConfig(config) }];
  const packs = unique(said, /(pack-[0-9a-f]{40})\.pack\b.*(?:is corrupt|mismatch|does not match|cannot be accessed)/g);
  if (packs.length > 0)
    return packs.map((pack) => ({ kind: "object", subject: `objects/pack/${pack}.pack`, what: damagedPack }));

  const found: RepoFinding[] = [];
  const atRefs = new Set<string>();
  for (const [, ref, oid] of said.matchAll(/^error: (\S+): invalid sha1 pointer ([0-9a-f]{40})$/gm)) {
    if (ref === "HEAD" && atRefs.has(oid!)) continue; // reported for its branch
    atRefs.add(oid!);
    const what = /^0+$/.test(oid!) ? garbageRef : danglingRef(oid!);
    found.push({ kind: ref === "HEAD" ? "head" : "ref", subject: ref!, what });
  }
  const damaged = unique(
    said,
    /^(?:error: ([0-9a-f]{40}): object corrupt or missing|fatal: loose object ([0-9a-f]{40}) )/gm,
    /hash-path mismatch, found at: \S*?([0-9a-f]{2})\/([0-9a-f]{38})$/gm,
  );
  const missing = unique(said, /^missing \w+ ([0-9a-f]{40})$/gm).filter((oid) => !damaged.includes(oid));
  const malformed = [...said.matchAll(/^error in \w+ ([0-9a-f]{40}): (.*)$/gm)];
  for (const oid of damaged) if (!atRefs.has(oid)) found.push({ kind: "object", subject: oid, what: damagedObject });
  for (const oid of missing) if (!atRefs.has(oid)) found.push({ kind: "object", subject: oid, what: missingObject });
  for (const [, oid, why] of malformed) found.push({ kind: "object", subject: oid!, what: malformedObject(why!) });
  if (found.length === 0) found.push({ kind: "object", subject: "objects", what: gitSaid(said) });
  return found;
}

const unique = (text: string, ...patterns: readonly RegExp[]): string[] => [
  ...new Set(patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, ...groups]) => groups.join("")))),
];

async function readableHead(gitDir: string): Promise<boolean> {
  const head = (await readFile(join(gitDir, "HEAD"), "utf8").catch(() => "")).trimEnd();
  return /^ref: refs\/\S+$/.test(head) || isOid(head);
}

/** Findings about locks older than `LOCK_AGE_MS`. */
export async function staleLockFindings(gitDir: string, commonDir: string, world: World): Promise<RepoFinding[]> {
  const single = [join(gitDir, "HEAD.lock")];
  const shared = [
    "packed-refs.lock",
    "config.lock",
    "shallow.lock",
    "objects/pack/multi-pack-index.lock",
    "objects/info/commit-graphs/commit-graph-chain.lock",
  ].map((name) => join(commonDir, name));
  const inRefs = (await readdir(join(commonDir, "refs"), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile() && entry.name.endsWith(".lock"))
    .map((entry) => join(entry.parentPath, entry.name));
  const found: RepoFinding[] = [];
  for (const path of [...single, ...shared, ...inRefs.toSorted()]) {
    const held = await stat(path).catch(() => undefined);
    if (!held || world.now() - held.mtimeMs < LOCK_AGE_MS) continue;
    const folder = path.startsWith(gitDir) ? gitDir : commonDir;
    found.push({ kind: "lock", subject: relative(folder, path), what: staleLock });
  }
  const lock = await stat(join(gitDir, "index.lock")).catch(() => undefined);
  if (lock && world.now() - lock.mtimeMs >= LOCK_AGE_MS) {
    const holder = await indexLockHolder(gitDir);
    if (holder === "git") found.unshift({ kind: "lock", subject: "index.lock", what: lockOfGit });
    if (holder === "dead-bloom") found.unshift({ kind: "lock", subject: "index.lock", what: lockOfDeadBloom });
  }
  return found;
}

const brokenHead: Text = {
  en: "HEAD does not name a branch or a commit. If it is main, write “ref: refs/heads/main” into .git/HEAD.",
  uk: "HEAD не вказує поточну гілку. Якщо це main, запишіть «ref: refs/heads/main» у .git/HEAD.",
};
const brokenIndex: Text = {
  en: "git's list of files is damaged. Delete .git/index and run “git reset”: no file and no commit is lost.",
  uk: "Пошкоджено список файлів git. Видаліть .git/index і виконайте «git reset»: жоден файл чи коміт не зникне.",
};
const brokenConfig = (said: string): Text => ({
  en: `The settings of the repository cannot be read (${said}). Correct that line.`,
  uk: `Не вдалося прочитати налаштування репозиторію (${said}). Виправте цей рядок.`,
});
const damagedPack: Text = {
  en: "A pack of objects is damaged. Restore it from a backup or fetch from a remote; unreadable history exists only there.",
  uk: "Пошкоджено пакет об'єктів. Відновіть його з резервної копії або отримайте з віддаленого репозиторію.",
};
const garbageRef: Text = {
  en: "The ref holds no object id. Its earlier values are in its log (“git reflog”): put one back, or delete the ref.",
  uk: "Посилання не містить ідентифікатора об'єкта. Попередні значення є в журналі («git reflog»): поверніть одне або видаліть посилання.",
};
const danglingRef = (oid: string): Text => ({
  en: `The ref points to ${oid}, which is missing or damaged. Fetch it from a remote or a backup, or move the ref back.`,
  uk: `Посилання вказує на ${oid}, а цього об'єкта немає або його пошкоджено. Отримайте його з віддаленого репозиторію чи копії або поверніть посилання назад.`,
});
const damagedObject: Text = {
  en: "The object is damaged. Delete its file and fetch it from a remote or a backup.",
  uk: "Об'єкт пошкоджено. Видаліть його файл і отримайте об'єкт з віддаленого репозиторію чи резервної копії.",
};
const missingObject: Text = {
  en: "The object is missing, and the history needs it. Fetch it from a remote or a backup.",
  uk: "Об'єкта немає, а історія його потребує. Отримайте його з віддаленого репозиторію чи резервної копії.",
};
const malformedObject = (why: string): Text => ({
  en: `The object is malformed: ${why}`,
  uk: `Об'єкт має не той вигляд, якого вимагає git: ${why}`,
});
const staleLock: Text = {
  en: "A lock was left behind by a git that is no longer running. If no git works here, delete the file.",
  uk: "Замок залишив git, який уже не працює. Якщо жоден git тут не працює, видаліть цей файл.",
};
export const lockOfGit: Text = {
  en: "A git command has held this lock for a while (a commit with an open editor?), or was killed. Approved changes wait for it. If no git is running, delete the file.",
  uk: "Команда git давно тримає цей замок (коміт із відкритим редактором?) або її вбито. Схвалені зміни чекають на неї. Якщо жоден git не працює, видаліть цей файл.",
};
const lockOfDeadBloom: Text = {
  en: "A killed bloom process left this lock. The next one takes it over, completes the change and removes the file: do not delete it by hand.",
  uk: "Цей замок лишив убитий процес bloom. Наступний перебере його, завершить зміну і прибере файл: не видаляйте його вручну.",
};
const gitSaid = (said: string): Text => {
  const line = said
    .replace(/^(fatal|error): /gm, "")
    .trim()
    .slice(0, 500);
  return { en: `git found damage: ${line}`, uk: `git знайшов пошкодження: ${line}` };
};
