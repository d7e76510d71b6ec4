import { Failure, isFailure } from "../../../base/failure.ts";
import { parseId } from "../../../base/ids.ts";
import { isOid, type Oid, repoPathProblem } from "../../../domain/git/git-names.ts";
import { agentFilePath, keys, MAIN_BRANCH, MAIN_REF } from "../../../domain/layout.ts";
import { isReadableKey } from "../../../domain/store-key.ts";
import type { Store } from "../../../ports/store.ts";
import type { WhyGarden } from "./chain.ts";

/** The thing that a question is about. */
export type Subject =
  | { readonly kind: "commit"; readonly asked: string; readonly commit: Oid }
  | {
      readonly kind: "path" | "line";
      readonly asked: string;
      readonly path: string;
      readonly line?: number;
      readonly commit: Oid;
    }
  | { readonly kind: "object"; readonly asked: string; readonly key: string }
  | { readonly kind: "proposal"; readonly asked: string; readonly proposal: string }
  | { readonly kind: "run"; readonly asked: string; readonly slug: string; readonly run: string }
  | { readonly kind: "icon"; readonly asked: string; readonly slug: string; readonly icon: string };

export const MAX_SUBJECT_LENGTH = 1100;

/**
 * Resolves `<commit | path[:line] | proposal | run>` and its short forms: the prefix of a commit id, the last six characters of another
 * id, `main`. An icon is `<slug>#<icon>`. Throws NOT_FOUND, or VALIDATION_FAILED with all candidates if several match.
 */
export async function findSubject(garden: WhyGarden, asked: string): Promise<Subject> {
  const text = asked.trim();
  if (text === "" || text.length > MAX_SUBJECT_LENGTH) throw unknown(asked);
  const head = await garden.repo.resolve(MAIN_REF);
  const id = parseId(text);
  if (id?.prefix === "prop") return { kind: "proposal", asked, proposal: text };
  if (id?.prefix === "run") return runNamed(garden.store, asked, text);
  if (text === MAIN_BRANCH || text === "HEAD") {
    if (head) return { kind: "commit", asked, commit: head };
  }
  const icon = /^([a-z0-9-]+)#(.+)$/.exec(text);
  if (icon) return iconNamed(garden.store, asked, icon[1]!, icon[2]!);
  const path = head && ((await lineNamed(garden, head, asked, text)) ?? (await pathNamed(garden, head, asked, text)));
  if (path) return path;
  const fitting = [...(await commitsNamed(garden, asked, text)), ...(await idsEnding(garden.store, asked, text))];
  if (fitting.length === 1) return fitting[0]!;
  if (fitting.length > 1) throw manyFit(asked, fitting);
  // Last, because it walks the whole history: a path that was deleted.
  const former = head && (await lastChange(garden, head, asked, text));
  if (former) return former;
  throw unknown(asked);
}

async function iconNamed(store: Store, asked: string, slug: string, icon: string): Promise<Subject> {
  const { entries } = await store.list(keys.agentFolder(slug), { limit: 1 });
  if (entries.length === 0) throw unknown(asked);
  return { kind: "icon", asked, slug, icon };
}

async function runNamed(store: Store, asked: string, run: string): Promise<Subject> {
  for (const slug of await slugsIn(store)) {
    const { entries } = await store.list(`${keys.runs(slug)}${run}/`, { limit: 1 });
    if (entries.length > 0) return { kind: "run", asked, slug, run };
  }
  throw unknown(asked);
}

async function lineNamed({ repo }: WhyGarden, head: Oid, asked: string, text: string): Promise<Subject | undefined> {
  const match = /^(.+):([1-9]\d{0,8})$/.exec(text);
  if (!match || repoPathProblem(text) !== undefined || !(await repo.read(head, match[1]!))) return undefined;
  if (await repo.read(head, text)) return undefined; // a file whose name ends in `:<number>`
  const [, path, number] = match as unknown as [string, string, string];
  const origin = await repo.originOfLine(head, path, Number(number));
  if (!origin) throw noSuchLine(path, Number(number));
  return { kind: "line", asked, path, line: Number(number), commit: origin.commit };
}

async function pathNamed(garden: WhyGarden, head: Oid, asked: string, text: string): Promise<Subject | undefined> {
  const { repo, store, config } = garden;
  const key = text.replace(/^store:/, "");
  // An agent's own files are in the work tree (G-1a): their history is git's.
  const file = agentFilePath(config.agents_root, key);
  if (file !== undefined) return lastChange(garden, head, asked, file);
  if (/^(agents|comments)\//.test(key) && isReadableKey(key) && (await store.get(key)))
    return { kind: "object", asked, key };
  if (repoPathProblem(text) !== undefined) return undefined;
  const there = (await repo.read(head, text)) ?? (await repo.list(head, text))[0];
  return there && (await lastChange(garden, head, asked, text));
}

async function lastChange({ repo }: WhyGarden, head: Oid, asked: string, text: string): Promise<Subject | undefined> {
  if (repoPathProblem(text) !== undefined || isOid(text)) return undefined;
  const [last] = await repo.history(head, text, { limit: 1 });
  return last && { kind: "path", asked, path: text, commit: last.oid };
}

async function commitsNamed({ repo }: WhyGarden, asked: string, text: string): Promise<Subject[]> {
  const digits = text.toLowerCase();
  const found = isOid(digits) ? await existing(repo, digits) : await repo.commitsLike(digits);
  return found.map((commit) => ({ kind: "commit", asked, commit }));
}

async function existing(repo: WhyGarden["repo"], oid: Oid): Promise<Oid[]> {
  try {
    return [(await repo.commit(oid)).oid];
  } catch (error) {
    if (isFailure(error, "NOT_FOUND")) return [];
    throw error;
  }
}

/** Proposals and runs whose id has this suffix. Scans all ids, because a suffix may be ambiguous. */
async function idsEnding(store: Store, asked: string, text: string): Promise<Subject[]> {
  if (!/^[0-9a-z]{4,6}$/.test(text)) return [];
  const found: Subject[] = [];
  for await (const proposal of foldersIn(store, keys.proposalLogs))
    if (proposal.endsWith(text)) found.push({ kind: "proposal", asked, proposal });
  for (const slug of await slugsIn(store)) {
    for await (const run of foldersIn(store, keys.runs(slug)))
      if (run.endsWith(text)) found.push({ kind: "run", asked, slug, run });
  }
  return found;
}

async function slugsIn(store: Store): Promise<string[]> {
  const slugs: string[] = [];
  for await (const slug of foldersIn(store, "agents/")) slugs.push(slug);
  return slugs;
}

/** Names of the folders under a prefix. One list call per folder; their contents are skipped. */
export async function* foldersIn(store: Store, prefix: string): AsyncGenerator<string> {
  let after: string | undefined;
  for (;;) {
    const { entries } = await store.list(prefix, { limit: 1, ...(after !== undefined && { after }) });
    const rest = entries[0]?.key.slice(prefix.length);
    if (rest === undefined) return;
    const name = rest.split("/")[0]!;
    if (name !== rest) yield name;
    // `0` is the character after `/`: everything in this folder sorts before it.
    after = name === rest ? entries[0]!.key : `${prefix}${name}0`;
  }
}

const unknown = (asked: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `nothing matches ${JSON.stringify(asked)}`,
    uk: `тут ніщо не зветься ${JSON.stringify(asked)}`,
    hint: {
      en: "Ask about a commit (its id or the beginning of it), a path or path:line of main, a proposal or a run.",
      uk: "Запитуйте про коміт (ідентифікатор або його початок), шлях чи шлях:рядок у main, пропозицію або запуск.",
    },
    details: { subject: asked },
  });

const noSuchLine = (path: string, line: number): Failure =>
  new Failure("NOT_FOUND", {
    en: `${path} has no line ${line} in the last commit`,
    uk: `у ${path} немає рядка ${line} в останньому коміті`,
    details: { path, line },
  });

const manyFit = (asked: string, fitting: readonly Subject[]): Failure => {
  const names = fitting.map((one) =>
    one.kind === "commit" ? one.commit : one.kind === "run" ? one.run : "proposal" in one ? one.proposal : "",
  );
  return new Failure("VALIDATION_FAILED", {
    en: `${JSON.stringify(asked)} is ambiguous: ${names.slice(0, 5).join(", ")}`,
    uk: `${JSON.stringify(asked)} підходить до кількох: ${names.slice(0, 5).join(", ")}`,
    details: { subject: asked, fitting: names },
  });
};
