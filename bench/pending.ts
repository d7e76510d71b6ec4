import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { commandLineOwner } from "../src/domain/identity.ts";
import { machine } from "../src/domain/layout.ts";
import { decide } from "../src/garden/changes/proposals/decide.ts";
import { listPending } from "../src/garden/changes/proposals/list-proposals.ts";
import { closeGarden, type Garden } from "../src/garden/core/garden.ts";
import { everyKey } from "../src/ports/store.ts";
import type { Bench, Contender, Size } from "./harness.ts";
import { gardenIn, proposed, reopened } from "./ours-garden.ts";
import { checkedOut, noteBytes, notePath, type Repository, repositoryOf } from "./repository.ts";

const PENDING = 10;
const NOTES = 40;

/** Listing what waits for a decision must not grow slower with what was decided long ago. */
export const pendingProposals = ({ archived }: Size, scratch: string): Bench => {
  const repository = checkedOut(repositoryOf(NOTES, 1, scratch));
  return {
    name: `pending: list ${PENDING} pending proposals beside ${archived} archived ones`,
    unit: "ms",
    workers: 1,
    latency: true,
    ours: listing(repository, archived),
    rivals: [listing(repository, 0)],
  };
};

const listing = (repository: Repository, archived: number): Contender => ({
  name: archived === 0 ? "the same with nothing archived" : "bloom",
  async open(folder) {
    const first = await gardenIn(folder, repository);
    for (let n = 0; n < PENDING; n++) await proposed(first, notePath(n), noteBytes(n, 1).toString());
    const decided = archived === 0 ? undefined : await rejected(first);
    await closeGarden(first);
    if (decided) await copies(join(folder, machine.store), decided, archived);
    const garden = await reopened(folder);
    return {
      async once() {
        const { proposals } = await listPending(garden);
        if (proposals.length !== PENDING) throw new Error(`${proposals.length} are pending`);
      },
      close: () => closeGarden(garden),
    };
  },
});

interface Decided {
  readonly id: string;
  readonly objects: readonly { readonly key: string; readonly text: string }[];
}

/** A proposal that was rejected, with every object of the store that speaks of it by its name. */
async function rejected(garden: Garden): Promise<Decided> {
  const { id, digest } = await proposed(garden, notePath(PENDING), noteBytes(PENDING, 1).toString());
  await decide(garden, { proposal: id, verdict: "reject", digest, by: commandLineOwner, note: "Not now." });
  const objects: { key: string; text: string }[] = [];
  for await (const { key } of everyKey(garden.store, "proposals/"))
    if (key.includes(id)) objects.push({ key, text: Buffer.from((await garden.store.get(key))!.bytes).toString() });
  return { id, objects };
}

/** The same again under other ids, straight into the files of a closed store: through the log it would take minutes. */
async function copies(store: string, { id, objects }: Decided, count: number): Promise<void> {
  const folders = new Set<string>();
  for (let n = 0; n < count; n++) {
    const other = id.slice(0, -6) + n.toString(36).padStart(6, "0");
    for (const { key, text } of objects) {
      const path = join(store, key.replaceAll(id, other));
      if (!folders.has(dirname(path))) await mkdir(dirname(path), { recursive: true });
      if (folders.size < 1000) folders.add(dirname(path));
      await writeFile(path, text.replaceAll(id, other));
    }
  }
}
