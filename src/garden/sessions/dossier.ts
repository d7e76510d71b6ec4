import type { Oid, RefName } from "../../domain/git/git-names.ts";
import { BRIEFING_FILE, sessionDossier } from "../../domain/layout.ts";
import { decodeSystemCommit, encodeSystemCommit } from "../../domain/session/typed-commit.ts";
import { briefingObject, readTypedObject, type SessionBriefing } from "../../domain/session/typed-object.ts";
import type { Repo, TreeFile } from "../../ports/repo.ts";
import { gatewaySignature, type SessionGarden } from "./session-garden.ts";
import type { SessionCommit } from "./topology.ts";

/** The ref beside a session's branch as it is. */
export interface Dossier {
  readonly at: Oid;
  /** Undefined if it cannot be read. */
  readonly briefing: SessionBriefing | undefined;
  /** Blob id of the briefing. */
  readonly briefingId: string | undefined;
  /** The spawn commit that it was made for. */
  readonly spawn: Oid | undefined;
}

export const readDossier = (repo: Repo, name: string): Promise<Dossier | undefined> =>
  readDossierAt(repo, sessionDossier(name));

/** The dossier behind any ref, such as one that came from another garden. */
export async function readDossierAt(repo: Repo, ref: RefName): Promise<Dossier | undefined> {
  const at = await repo.resolve(ref);
  if (at === undefined) return undefined;
  const file = await repo.read(at, BRIEFING_FILE).catch(() => undefined);
  const spawn = decodeSystemCommit((await repo.commit(at)).message, "dossier")?.["spawn"];
  return {
    at,
    briefing: file && readBriefing(file.bytes),
    briefingId: file?.oid,
    spawn: typeof spawn === "string" ? spawn : undefined,
  };
}

function readBriefing(bytes: Uint8Array): SessionBriefing | undefined {
  try {
    const { value } = readTypedObject(bytes);
    return value.type === "briefing" && typeof value["goal"] === "string" ? (value as SessionBriefing) : undefined;
  } catch {
    return undefined; // damaged, or written by hand
  }
}

/**
 * Builds the next commit of a dossier. The briefing is the one whose id the spawn commit names, where the repository still has it; else one
 * with the goal alone.
 */
export async function buildDossier(
  { repo, world }: Pick<SessionGarden, "repo" | "world">,
  name: string,
  {
    before,
    spawn,
    goal,
    briefingId,
  }: {
    readonly before: Oid | undefined;
    readonly spawn: Oid;
    readonly goal: string;
    readonly briefingId?: string | undefined;
  },
): Promise<Oid> {
  const by = gatewaySignature(world.now());
  const build = (file: TreeFile | { readonly path: string; readonly bytes: Uint8Array }): Promise<Oid> =>
    repo.build(
      {
        parents: before === undefined ? [] : [before],
        edits: [file],
        author: by,
        committer: by,
        ...encodeSystemCommit("dossier", `dossier: ${name}`, { session: name, spawn }),
      },
      { durable: "with-move" },
    );
  const known: TreeFile | undefined =
    briefingId === undefined ? undefined : { path: BRIEFING_FILE, oid: briefingId, mode: "100644" };
  const written = { path: BRIEFING_FILE, bytes: briefingObject({ goal }).bytes };
  return known ? build(known).catch(() => build(written)) : build(written);
}

/** The goal and the briefing's id, as the spawn commit has them. */
export const spawnFacts = (
  genesis: SessionCommit | undefined,
): { readonly goal: string | undefined; readonly briefingId: string | undefined } => {
  const id = genesis?.typed?.fields["briefing"];
  const goal = genesis?.typed?.body;
  return {
    goal: goal === undefined || goal === "" ? undefined : goal,
    briefingId: typeof id === "string" && /^[0-9a-f]{40}$/.test(id) ? id : undefined,
  };
};
