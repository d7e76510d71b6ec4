import { isSlug } from "../../domain/contract/slug.ts";
import {
  archivedSession,
  SESSION_ARCHIVE,
  SESSION_DOSSIERS,
  sessionBranch,
  sessionDossier,
} from "../../domain/layout.ts";
import type { RefMove } from "../../ports/repo.ts";
import { repairDossier } from "./adopt-session.ts";
import { archivedSessions, archiveRemoval } from "./archive-session.ts";
import { readDossier } from "./dossier.ts";
import { edgeFindings } from "./edge-findings.ts";
import { landRefs } from "./land-refs.ts";
import type { SessionFinding } from "./session-finding.ts";
import type { SessionGarden } from "./session-garden.ts";
import { logFrom, sessionHeads, sessionLog } from "./topology.ts";
import { traceFindings } from "./trace-findings.ts";

/** A dossier younger than this may be that of a spawn under way. */
const YOUNG_MS = 60_000;

/**
 * Everything about sessions that a crash between two renames of a transaction, or a person with plain git, can leave: each finding says how
 * it is concluded. Reads only.
 */
export async function* sessionFindings(garden: SessionGarden): AsyncGenerator<SessionFinding> {
  yield* strayDossiers(garden);
  yield* twicePresent(garden);
  yield* lostDossiers(garden);
  yield* openAdoptions(garden);
  yield* edgeFindings(garden);
  yield* traceFindings(garden);
}

/** Dossiers without a branch: a spawn that was killed, a session that was being put away, or a branch that a person deleted. */
async function* strayDossiers(garden: SessionGarden): AsyncGenerator<SessionFinding> {
  const { repo, world } = garden;
  const archived = new Set((await archivedSessions(repo)).map(({ name, dossier }) => `${name} ${dossier}`));
  for (const { name: where, oid } of await repo.refs(SESSION_DOSSIERS)) {
    const name = where.slice(SESSION_DOSSIERS.length);
    if (!isSlug(name) || (await repo.resolve(sessionBranch(name))) !== undefined) continue;
    const isArchived = archived.has(`${name} ${oid}`);
    if (!isArchived && world.now() - (await repo.commit(oid)).committer.at < YOUNG_MS) continue;
    const keep: readonly RefMove[] = isArchived
      ? []
      : [{ ref: archivedSession(name, oid, "dossier"), from: undefined, to: oid, reason: "bloom repair" }];
    yield {
      where,
      what: {
        en: `the session ${name} has no branch: a crash interrupted its spawn, or somebody deleted the branch`,
        uk: `сесія ${name} не має гілки: її створення перервано збоєм або гілку хтось видалив`,
      },
      repair: async () => {
        if ((await repo.resolve(sessionBranch(name))) !== undefined) return;
        await landRefs(garden, [...keep, { ref: where, from: oid, to: undefined, reason: "bloom repair" }]);
      },
    };
  }
}

/** Sessions that are in use and in the archive with the same commit: putting them away, or bringing them back, was interrupted. */
async function* twicePresent(garden: SessionGarden): AsyncGenerator<SessionFinding> {
  const { repo } = garden;
  for (const session of await archivedSessions(repo)) {
    const where = sessionBranch(session.name);
    if ((await repo.resolve(where)) !== session.head) continue;
    yield {
      where: archivedSession(session.name, session.head, "head"),
      what: {
        en: `the session ${session.name} is in use and in the archive`,
        uk: `сесія ${session.name} і в роботі, і в архіві`,
      },
      repair: async () => {
        if ((await repo.resolve(where)) === session.head) await landRefs(garden, archiveRemoval(session));
      },
    };
  }
  const dossiers = (await repo.refs(SESSION_ARCHIVE)).filter(({ name }) => name.endsWith("/dossier"));
  for (const { name: where, oid } of dossiers) {
    const [name = "", at = ""] = where.slice(SESSION_ARCHIVE.length).split("/");
    const isAlone = (await repo.resolve(archivedSession(name, at, "head"))) === undefined;
    if (!isAlone || (await repo.resolve(sessionDossier(name))) !== oid) continue;
    yield {
      where,
      what: {
        en: `the dossier of the session ${name} is in use and in the archive`,
        uk: `досьє сесії ${name} і в роботі, і в архіві`,
      },
      repair: async () =>
        void (await landRefs(garden, [{ ref: where, from: oid, to: undefined, reason: "bloom repair" }])),
    };
  }
}

/** Sessions whose dossier is gone or cannot be read. A branch that a person made has none, and that is no damage. */
async function* lostDossiers(garden: SessionGarden): AsyncGenerator<SessionFinding> {
  const { repo } = garden;
  const look = async (name: string) => {
    const { genesis } = await sessionLog(repo, name);
    const dossier = await readDossier(repo, name);
    return genesis && !dossier?.briefing ? { genesis, dossier } : undefined;
  };
  for (const { name } of await sessionHeads(repo)) {
    if (!(await look(name))) continue;
    yield {
      where: sessionDossier(name),
      what: {
        en: `the dossier of the session ${name} is missing or cannot be read`,
        uk: `досьє сесії ${name} немає, або його неможливо прочитати`,
      },
      repair: async () => {
        const lost = await look(name);
        if (lost) await repairDossier(garden, name, lost);
      },
    };
  }
}

/** Adopted branches whose dossier moved, and whose spawn commit did not get on top of the branch. */
async function* openAdoptions(garden: SessionGarden): AsyncGenerator<SessionFinding> {
  const { repo } = garden;
  for (const { name, head } of await sessionHeads(repo)) {
    const to = (await readDossier(repo, name))?.spawn;
    if (to === undefined || to === head || (await logFrom(repo, name, head)).genesis) continue;
    const spawn = await repo.commit(to).catch(() => undefined);
    if (spawn?.parents[0] !== head) continue;
    yield {
      where: sessionBranch(name),
      what: {
        en: `the adoption of the session ${name} was interrupted`,
        uk: `прийняття сесії ${name} було перервано`,
      },
      repair: async () =>
        void (await landRefs(garden, [{ ref: sessionBranch(name), from: head, to, reason: "bloom repair" }])),
    };
  }
}
