import { assert } from "../../base/assert.ts";
import { Failure } from "../../base/failure.ts";
import type { Language, Text } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { MAIN_REF, tree } from "../../domain/layout.ts";
import type { Folder } from "../../ports/folder.ts";
import type { Edit } from "../../ports/repo.ts";
import { changeAgentStatus } from "../agents/lifecycle/change-status.ts";
import { createAgent } from "../agents/lifecycle/create-agent.ts";
import { receive } from "../changes/inbox/receive.ts";
import { decide } from "../changes/proposals/decide.ts";
import { addGrants } from "../core/access/grant.ts";
import { closeGarden, type Garden, type GardenPorts, openGarden, personSignature } from "../core/garden.ts";
import { headOf } from "../core/main-head.ts";
import { siblingFolder } from "../core/sibling-folder.ts";
import { demoProposals } from "./demo-proposals.ts";
import { initGarden } from "./init.ts";

const MAX_NOTE_BYTES = 1024 * 1024;
const NOTES = "demo/";
/** One folder per language: contracts, diagrams and procedures. */
const AGENTS = "demo-agents";
const OPTIMIZER = "optimizer";
/** Paths in the first commit of the demo; the second one tidies up, and the links to the old paths are for the gardener. */
const EARLIER: ReadonlyMap<string, string> = new Map([
  ["notes/garden/shcho-de-roste.md", "notes/plan/shcho-de-roste.md"],
  ["notes/archive/otsyfruvannia.md", "notes/archive/otsyfruvanya.md"],
]);
const REMOVED = { path: "notes/recipes/hannyn-zoshyt.md", text: "# Ганнин зошит\n\nПереписано в книгу, що в шафі.\n" };
const TIDIED: Text = {
  en: "Move the plan of the beds, correct a file name, remove the recipes",
  uk: "Перенести план грядок, виправити назву файлу, прибрати рецепти",
};
/** The proposals of the demo must not expire within weeks. */
const WAITS_HOURS = 366 * 24;

/**
 * Creates the demo garden: notes, agents that run without a key, and pending proposals. An existing garden is kept as it is. It is
 * built in a sibling folder and renamed at the end, so after a crash it is complete or missing.
 */
export async function makeDemo(
  ground: GardenPorts,
  examples: Folder,
  dir: string,
  language: Language,
): Promise<"made" | "there"> {
  const target = ground.folders.at(dir);
  if ((await target.stat(tree.config)).kind === "file") return "there";
  if ((await target.names("")).length > 0) {
    throw new Failure("DUPLICATE_ENTRY", {
      en: `${dir} is not empty and is not a garden`,
      uk: `${dir} не порожня і не є садом`,
      hint: { en: "Name another folder.", uk: "Вкажіть іншу теку." },
    });
  }
  const aside = await siblingFolder(ground, dir, "making");
  try {
    await aside.makeFolder("");
    for await (const { path } of examples.walk(NOTES.slice(0, -1))) {
      const place = path.slice(NOTES.length);
      await aside.create(EARLIER.get(place) ?? place, (await examples.read(path, MAX_NOTE_BYTES))!);
    }
    await aside.create(REMOVED.path, Buffer.from(REMOVED.text));
    const name = language === "uk" ? "Сад на Липовій" : "The Garden on Lypova Street";
    await initGarden(ground, aside.dir, { language, name, nested: true });
    await plant(ground, ground.folders.at(`${examples.dir}/${AGENTS}/${language}`), aside.dir, language);
    await ground.folders.moveIntoPlace(aside.dir, dir);
  } finally {
    await aside.removeAll("");
  }
  return "made";
}

/** Grants the optimizer the logic of all other agents, and writes its first memory snapshot (source 000 §4.2). */
async function trust(garden: Garden, agents: Folder): Promise<void> {
  const others = (await agents.names("")).filter((slug) => slug !== OPTIMIZER).toSorted();
  await addGrants(garden, { agent: OPTIMIZER, action: "logic-update", on: others, by: commandLineOwner });
  const snapshot = await agents.read(`${OPTIMIZER}/memory/snapshot.md`, MAX_NOTE_BYTES);
  if (!snapshot) return;
  const text = Buffer.from(snapshot).toString();
  const received = await receive(garden, {
    identity: commandLineOwner,
    action: "memory-update",
    payload: {
      agent: OPTIMIZER,
      operations: [{ op: "replace", file: "snapshot.md", text }],
      expectedVersion: 0,
      priority: "normal",
    },
    summary: "Snapshot",
  });
  if (received.kind === "refused") throw received.failure;
  const { id: proposal, digest } = received.proposal;
  await decide(garden, { proposal, verdict: "approve", digest, by: commandLineOwner });
}

/** A commit by hand that renames and removes notes, as people do. */
async function tidyUp(garden: Garden, language: Language): Promise<void> {
  const { repo } = garden;
  const head = await headOf(repo);
  const by = await personSignature(garden);
  const edits: Edit[] = [{ path: REMOVED.path, bytes: undefined }];
  for (const [path, earlier] of EARLIER)
    edits.push({ path: earlier, bytes: undefined }, { path, bytes: (await repo.read(head, earlier))!.bytes });
  const commit = await repo.build({ parents: [head], edits, author: by, committer: by, message: TIDIED[language] });
  const moved = await repo.move([{ ref: MAIN_REF, from: head, to: commit }]);
  assert(moved.kind === "moved", "nobody else works in a demo that is being made");
}

/** Adds agents and proposals through the verbs, as the owner, and activates the agents. */
async function plant(ground: GardenPorts, agents: Folder, dir: string, language: Language): Promise<void> {
  const garden = await openGarden(ground, dir);
  try {
    await tidyUp(garden, language);
    for (const slug of (await agents.names("")).toSorted()) {
      const folder = ground.folders.at(`${agents.dir}/${slug}`);
      await createAgent(garden, { slug, by: commandLineOwner, language, from: { kind: "folder", folder } });
      await changeAgentStatus(garden, { slug, to: "active", by: commandLineOwner });
    }
    await trust(garden, agents);
    for (const wish of demoProposals[language]) {
      const received = await receive(garden, { ...wish, identity: commandLineOwner, ttl_hours: WAITS_HOURS });
      if (received.kind === "refused") throw received.failure;
    }
  } finally {
    await closeGarden(garden);
  }
}
