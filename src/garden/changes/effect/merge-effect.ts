import { isFailure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import { peerSessionIn } from "../../../domain/federation/peer-origin.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { tree } from "../../../domain/layout.ts";
import { isNotePath, isVaultFile } from "../../../domain/note/note-path.ts";
import { actionTable } from "../../../domain/proposal/action.ts";
import { MERGES } from "../../../domain/session/edges.ts";
import { MAIN_SESSION } from "../../../domain/session/session-name.ts";
import type { Change, Conflict } from "../../../ports/repo.ts";
import { relateSessions } from "../../sessions/edge-stream.ts";
import { logFrom } from "../../sessions/topology.ts";
import type { EffectContext, EffectHandler, PreparedEffect, ReadyEffect } from "./effect.ts";
import { effectId } from "./effect-id.ts";
import { type RefusedEffect, refusedEffect } from "./failures.ts";
import { type MergedFile, type MergeSides, mergeFile, movesIn } from "./merge-file.ts";

/** Bounds of one merge: everything of it is computed and shown at once. */
const MAX_FILES = 10_000;
const MAX_BYTES = 100 * 1024 * 1024;
const MAX_TOLD = 5;

/**
 * S-11: what a session changed under the notes root, as one change of main. Every file is merged three-way on its own: between the
 * newest commit that both have, main, and the session. One file that cannot be merged is a conflict of the whole.
 */
export const mergeHandler: EffectHandler<"propose-merge"> = {
  async prepare(context, { payload: { session, head: theirs } }) {
    const { repo } = context.garden;
    const base = await commonCommit(context, session, theirs);
    if (typeof base === "object") return base;
    if (base === theirs) return { kind: "nothing", why: allMerged(session) };
    const all = await repo.changes(base, theirs);
    const refused = refusal(context, session, all);
    if (refused) return refused;
    const chosen = context.files && new Set(context.files);
    const changes = chosen ? all.filter(({ path }) => chosen.has(path)) : all;
    const sides: MergeSides = { base, ours: context.head, theirs, moved: movesIn(all) };
    const since = new Map((await sinceBase(context, base)).map((change) => [change.path, change]));
    const files: MergedFile[] = [];
    let bytes = 0;
    for (const change of changes) {
      const file = await mergeFile(context, sides, change, since);
      bytes += file.bytes;
      if (bytes > MAX_BYTES) return tooMuch(session, { en: `${bytes} bytes`, uk: `${bytes} байтів` });
      files.push(file);
    }
    return effectOf({ session, theirs }, files);
  },
};

/**
 * The newest commit that main and the session share; undefined if there is none. The session of another garden that began at that garden's
 * main has nothing in common with this one: what it did itself counts, from the commit that it began at.
 */
async function commonCommit(
  { garden, head }: EffectContext,
  session: string,
  theirs: Oid,
): Promise<Oid | undefined | RefusedEffect> {
  const { repo } = garden;
  try {
    const base = await repo.mergeBase(head, theirs);
    const peer = peerSessionIn(session);
    return base ?? (peer && (await logFrom(repo, peer.session, theirs)).from);
  } catch (error) {
    if (!isFailure(error, "NOT_FOUND")) throw error;
    return refusedEffect("NOT_FOUND", {
      en: `the commit ${theirs.slice(0, 10)} is missing from the repository`,
      uk: `коміту ${theirs.slice(0, 10)} немає в репозиторії`,
      details: { commit: theirs },
    });
  }
}

const sinceBase = ({ garden, head }: EffectContext, base: Oid | undefined): Promise<readonly Change[]> =>
  garden.repo.changes(base, head);

/** P-4a: a merge may change files under the notes root and nothing else. */
function refusal(context: EffectContext, session: string, changes: readonly Change[]): RefusedEffect | undefined {
  if (changes.length > MAX_FILES)
    return tooMuch(session, { en: `${changes.length} files`, uk: `${changes.length} файлів` });
  const bad = changes.filter((change) => !isMergeable(context, change)).map(({ path }) => path);
  if (bad.length === 0) return undefined;
  const told = `${bad.slice(0, MAX_TOLD).join(", ")}${bad.length > MAX_TOLD ? ` … (+${bad.length - MAX_TOLD})` : ""}`;
  const { notes_root: root } = context.garden.config;
  const elsewhere: Text = peerSessionIn(session)
    ? {
        en: `Start a session of your own from it (\`bloom session spawn NAME --from ${session}\`) and restore the others there.`,
        uk: `Почніть від неї власну сесію (\`bloom session spawn NAME --from ${session}\`) і відновіть решту в ній.`,
      }
    : { en: `Restore the others on the branch agents/${session}.`, uk: `Решту відновіть у гілці agents/${session}.` };
  return refusedEffect("FORBIDDEN", {
    en: `the session ${session} changed what a merge may not touch: ${told}`,
    uk: `сесія ${session} змінила те, чого злиття не може торкатися: ${told}`,
    hint: {
      en: `A merge changes notes and attachments${root === "." ? "" : ` under ${root}/`}. ${elsewhere.en}`,
      uk: `Злиття змінює нотатки й вкладення${root === "." ? "" : ` у ${root}/`}. ${elsewhere.uk}`,
    },
    details: { session, paths: bad.slice(0, 100) },
  });
}

function isMergeable({ garden }: EffectContext, { path, before, after }: Change): boolean {
  const { notes_root: root } = garden.config;
  const isFile = [before, after].every((side) => !side || side.mode === "100644" || side.mode === "100755");
  const isBelow = root === "." || path.startsWith(`${root}/`);
  const isNotes = isNotePath(path, garden.config) || (isBelow && isVaultFile(path, garden.config));
  return isFile && isNotes && path.toLowerCase() !== tree.config;
}

function effectOf(
  { session, theirs }: { readonly session: string; readonly theirs: Oid },
  files: readonly MergedFile[],
): PreparedEffect {
  const conflicts: Conflict[] = files.flatMap(({ conflict }) => conflict ?? []);
  const open = files.filter(({ isThere }) => !isThere);
  if (open.length === 0) return { kind: "nothing", why: allMerged(session) };
  const ready: ReadyEffect = {
    kind: "ready",
    edits: open.flatMap(({ edit }) => edit ?? []),
    objects: [],
    merges: theirs,
    review: open.map(({ review }) => ({ ...review, lines: linesIn(review.patch) })),
    effect: effectId(open.map(({ effect }) => effect)),
    merged: files.some(({ isMerged }) => isMerged),
    events: [actionTable["propose-merge"].event],
    warnings: [],
    async project(garden) {
      await relateSessions(garden, { kind: MERGES, from: MAIN_SESSION, to: session });
      return [];
    },
  };
  return conflicts.length > 0 ? { kind: "conflict", conflicts, wanted: ready } : ready;
}

function linesIn(patch: string): { readonly added: number; readonly removed: number } {
  const lines = patch.split("\n").slice(2); // behind the two names
  const count = (mark: string): number => lines.filter((line) => line.startsWith(mark)).length;
  return { added: count("+"), removed: count("-") };
}

const allMerged = (session: string): Text => ({
  en: `main has everything that the session ${session} did`,
  uk: `у main уже є все, що зробила сесія ${session}`,
});

const tooMuch = (session: string, what: Text): RefusedEffect =>
  refusedEffect("VALIDATION_FAILED", {
    en: `the session ${session} changed too much for one merge: ${what.en}`,
    uk: `сесія ${session} змінила забагато для одного злиття: ${what.uk}`,
    hint: {
      en: `At most ${MAX_FILES} files and ${MAX_BYTES} bytes. Propose an earlier commit of the session first (\`head\`).`,
      uk: `Щонайбільше ${MAX_FILES} файлів і ${MAX_BYTES} байтів. Спершу запропонуйте раніший коміт сесії (\`head\`).`,
    },
    details: { session, files: MAX_FILES, bytes: MAX_BYTES },
  });
