import { z } from "zod";
import { canonicalJson, type Json } from "../../base/canonical.ts";
import { crashPoint } from "../../base/crash-point.ts";
import { isFailure } from "../../base/failure.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { machine } from "../../domain/layout.ts";
import { notACommitKind } from "../../domain/session/failures.ts";
import { isCommitKind } from "../../domain/session/kinds.ts";
import { redact } from "../../domain/text/redact.ts";
import type { RunProgram } from "../../ports/program.ts";
import { tryReadJson } from "../core/json-record.ts";
import { readKinds } from "./kind-library.ts";
import { programConsole } from "./program-console.ts";
import { noKeptWork, programRuns, withKeptWork, workIsKept } from "./program-failures.ts";
import { isUnchanged, landWork, type ProgramWork, workCopyOf } from "./program-work.ts";
import type { SessionGarden } from "./session-garden.ts";
import { sessionHead } from "./topology.ts";
import { recordTrace } from "./trace-buffer.ts";

export interface ExecWish {
  readonly session: string;
  readonly command: readonly string[];
  /** Kind of the commits. */
  readonly kind?: string | undefined;
  /** Message of the commit for what the program did not commit itself. Default: the command. */
  readonly message?: string | undefined;
}

/** The part of the process that runs programs. */
export interface ProgramHost {
  readonly run: RunProgram;
  /** True if the program with this mark still runs. */
  isAlive(mark: string): Promise<boolean>;
}

export interface ExecReport {
  readonly session: string;
  /** Exit code of the program. */
  readonly exit: number;
  /** Typed commits, oldest first. Empty if the work is kept. */
  readonly commits: readonly Oid[];
  /** The session moved meanwhile: the last commit is a merge. */
  readonly merged: boolean;
  /** The program rewrote the history that it was given: its files are one commit. */
  readonly rewritten: boolean;
  /** The program failed, and its changes are here. */
  readonly kept?: string;
}

const stateShape = z.strictObject({
  id: z.string(),
  base: z.string(),
  kind: z.string(),
  message: z.string(),
  command: z.array(z.string()),
  program: z.string().optional(),
  exit: z.int().optional(),
  landed: z.boolean().optional(),
});
type ExecState = z.output<typeof stateShape>;

const MAX_STATE_BYTES = 1024 * 1024;
/** The default kind: the program is not known. */
const ANY_COMMIT = "agent-commit";
const LONGEST_MESSAGE = 120;

/**
 * S-6, S-11: runs a program in a copy of the session's files. What it prints is the trace; its commits are taken over as typed ones, and
 * what it did not commit becomes one more. The changes of a program that failed are kept in the copy. Killed at any point, nothing is lost:
 * the copy stays, and the next call says so. One program at a time works in a session on one machine.
 */
export async function execInSession(garden: SessionGarden, wish: ExecWish, host: ProgramHost): Promise<ExecReport> {
  const { session } = wish;
  return whileHeld(garden, session, async () => {
    const { folder, repo, world } = garden;
    if (await readState(garden, session)) throw workIsKept(session, copyFolder(garden, session));
    const kind = wish.kind ?? ANY_COMMIT;
    if (!isCommitKind(await readKinds(repo), kind)) throw notACommitKind(kind);
    await repo.refresh();
    const base = await sessionHead(repo, session);
    const command = wish.command.map((word) => redact(word, garden.secrets()));
    const state: ExecState = {
      id: Buffer.from(world.random(8)).toString("hex"),
      base,
      kind,
      message: wish.message ?? command.join(" ").replaceAll(/\s+/g, " ").slice(0, LONGEST_MESSAGE),
      command,
    };
    await folder.removeAll(machine.programCopy(session)); // half made, or half removed, by a process that died
    await folder.makeFolder(machine.programCopy(session), "private");
    const tree = await repo.copyOut(copyFolder(garden, session), workCopyOf({ session, base }));
    await writeState(garden, session, state);
    crashPoint("session.exec.copied");
    const ended = await runRecorded(garden, { session, state, tree, command: wish.command }, host);
    crashPoint("session.exec.ended");
    return concludeWork(garden, session, { ...state, exit: ended.exit }, { keepFailed: true }).catch(
      (error: unknown) => {
        throw withKeptWork(error, session, `${copyFolder(garden, session)}/tree`);
      },
    );
  });
}

/** Commits the work that an earlier program left, whatever its exit code was. */
export async function takeKeptWork(garden: SessionGarden, session: string, host: ProgramHost): Promise<ExecReport> {
  return whileHeld(garden, session, async () => {
    const state = await readState(garden, session);
    if (!state) throw noKeptWork(session);
    if (state.program !== undefined && (await host.isAlive(state.program))) throw programRuns(session);
    return concludeWork(garden, session, state, { keepFailed: false });
  });
}

/** Deletes the work that an earlier program left. Its trace stays, and goes with the session's next commit. */
export async function discardKeptWork(garden: SessionGarden, session: string, host: ProgramHost): Promise<void> {
  await whileHeld(garden, session, async () => {
    const state = await readState(garden, session);
    if (!state) throw noKeptWork(session);
    if (state.program !== undefined && (await host.isAlive(state.program))) throw programRuns(session);
    await garden.folder.removeAll(machine.programCopy(session));
  });
}

/** Sessions in which a program left work, with the folder. */
export async function keptWork({ folder }: Pick<SessionGarden, "folder">): Promise<readonly string[]> {
  const names = await folder.names(machine.programs);
  const stats = await Promise.all(names.map(async (name) => (await folder.stat(machine.programState(name))).kind));
  return names.filter((_, index) => stats[index] === "file");
}

async function whileHeld<T>(garden: SessionGarden, session: string, work: () => Promise<T>): Promise<T> {
  await sessionHead(garden.repo, session); // the name is checked before it is part of a path
  const lock = await garden.folder.hold(machine.programLock(session));
  if (!lock) throw programRuns(session);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

const copyFolder = ({ folder }: SessionGarden, session: string): string =>
  `${folder.dir}/${machine.programCopy(session)}`;

const readState = async ({ folder }: SessionGarden, session: string): Promise<ExecState | undefined> =>
  tryReadJson(await folder.read(machine.programState(session), MAX_STATE_BYTES), stateShape);

const writeState = ({ folder }: SessionGarden, session: string, state: ExecState): Promise<void> =>
  folder.write(machine.programState(session), [Buffer.from(canonicalJson(state as unknown as Json))], "private");

interface RunningWork {
  readonly session: string;
  readonly state: ExecState;
  readonly tree: string;
  /** As written, with what is redacted in the state. */
  readonly command: readonly string[];
}

async function runRecorded(
  garden: SessionGarden,
  { session, state, tree, command }: RunningWork,
  host: ProgramHost,
): Promise<{ readonly exit: number }> {
  const said = programConsole(garden, session);
  await recordTrace(garden, session, { kind: "exec", text: state.command.join(" "), exec: state.id });
  try {
    const ended = await host.run({
      command,
      folder: tree,
      variables: surroundings(garden, session, tree),
      started: (program) => writeState(garden, session, { ...state, program }),
      output: (stream, bytes) => said.output(stream, bytes),
    });
    await said.end();
    await recordTrace(garden, session, { kind: "exit", text: String(ended.exit), exec: state.id });
    await writeState(garden, session, { ...state, exit: ended.exit });
    return ended;
  } catch (error) {
    // It never ran, so there is nothing to keep.
    if (isFailure(error, "NOT_FOUND")) await garden.folder.removeAll(machine.programCopy(session));
    throw error;
  }
}

/** Git in the copy is the copy's own, and `bloom` called there means the garden, not the copy, which looks like one. */
const surroundings = (
  { folder }: SessionGarden,
  session: string,
  tree: string,
): Record<string, string | undefined> => ({
  BLOOM_GARDEN: folder.dir,
  BLOOM_SESSION: session,
  PWD: tree,
  GIT_CEILING_DIRECTORIES: `${folder.dir}/${machine.programs}`,
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: undefined,
  GIT_COMMON_DIR: undefined,
  GIT_NAMESPACE: undefined,
});

async function concludeWork(
  garden: SessionGarden,
  session: string,
  state: ExecState,
  { keepFailed }: { readonly keepFailed: boolean },
): Promise<ExecReport> {
  const { repo, folder } = garden;
  const { exit = 1 } = state;
  const nothing = { session, exit, commits: [], merged: false, rewritten: false };
  if (state.landed) {
    await folder.removeAll(machine.programCopy(session));
    return nothing;
  }
  const work: ProgramWork = {
    ...state,
    session,
    folder: `${copyFolder(garden, session)}/tree`,
    fields: { program: state.command, ...(state.exit !== undefined && { exit: state.exit }) },
  };
  const copied = await repo.takeCopy(copyFolder(garden, session), workCopyOf(work));
  const isIdle = await isUnchanged(repo, work, copied);
  if (keepFailed && exit !== 0 && !isIdle) return { ...nothing, kept: work.folder };
  if (isIdle && state.exit === undefined) {
    await folder.removeAll(machine.programCopy(session)); // killed before the program did anything
    return nothing;
  }
  const landed = await landWork(garden, work, copied);
  crashPoint("session.exec.landed");
  await writeState(garden, session, { ...state, landed: true });
  await folder.removeAll(machine.programCopy(session));
  crashPoint("session.exec.removed");
  return { ...nothing, commits: landed.commits, merged: landed.isMerged, rewritten: copied.isRewritten };
}
