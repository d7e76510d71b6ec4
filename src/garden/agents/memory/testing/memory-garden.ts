import type { World } from "../../../../base/world.ts";
import type { Oid } from "../../../../domain/git/git-names.ts";
import { commandLineOwner, type Identity } from "../../../../domain/identity.ts";
import { MAIN_REF, memoryPath } from "../../../../domain/layout.ts";
import type { MemoryOperation } from "../../../../domain/proposal/operation.ts";
import type { Proposal } from "../../../../domain/proposal/proposal.ts";
import { receive } from "../../../changes/inbox/receive.ts";
import type { Garden } from "../../../core/garden.ts";
import { memoryTextAt, readMemory } from "../../../records/memory/memory-state.ts";
import { files, gardenWith, git, testPorts } from "../../../testing/scratch.ts";
import { approved } from "../../../testing/tended-garden.ts";

export const SLUG = "archivist";

export interface MemoryGarden {
  readonly garden: Garden;
  readonly dir: string;
  /** Sets the clock, backwards too. */
  readonly on: (time: string) => void;
  readonly head: () => Promise<Oid>;
  readonly version: () => Promise<number>;
  readonly text: (file: string) => Promise<string>;
  /** Proposes an update of the current version; the owner approves it. */
  readonly update: (...operations: MemoryOperation[]) => Promise<Proposal>;
  /** Commits a file as a person. */
  readonly byHand: (file: string, text: string) => void;
}

/** A real garden whose clock a test sets. */
export async function memoryGarden(contents: Readonly<Record<string, string>> = {}): Promise<MemoryGarden> {
  let time = Date.parse("2026-02-14T08:00:00Z");
  let drawn = 0;
  const world: World = {
    now: () => (time += 1000),
    random: (count) => Uint8Array.from({ length: count }, () => (drawn++ * 73 + 41) & 0xff),
  };
  const memory = Object.entries(contents).map(([file, text]) => [memoryPath.file(SLUG, file), text]);
  const { garden, dir } = await gardenWith({ "notes/a.md": "# A\n", ...Object.fromEntries(memory) }, testPorts(world));
  const head = async (): Promise<Oid> => (await garden.repo.resolve(MAIN_REF))!;
  const version = async (): Promise<number> => (await readMemory(garden.repo, await head(), SLUG)).version;
  return {
    garden,
    dir,
    on: (at) => (time = Date.parse(at)),
    head,
    version,
    text: async (file) => (await memoryTextAt(garden.repo, await head(), memoryPath.file(SLUG, file))) ?? "",
    update: async (...operations) => approved(garden, await proposeUpdate(garden, await version(), operations)),
    byHand: (file, text) => commitByHand(dir, file, text),
  };
}

export function commitByHand(dir: string, file: string, text: string): void {
  files(dir, { [memoryPath.file(SLUG, file)]: text });
  git(dir, "add", "memory");
  git(dir, "commit", "-qm", `By hand: ${file}`);
}

export async function proposeUpdate(
  garden: Garden,
  expectedVersion: number,
  operations: readonly MemoryOperation[],
  identity: Identity = commandLineOwner,
): Promise<Proposal> {
  const payload = { agent: SLUG, operations, expectedVersion };
  const received = await receive(garden, { identity, action: "memory-update", payload });
  if (received.kind === "refused") throw received.failure;
  return received.proposal;
}

export const fact = (text: string): MemoryOperation => ({ op: "append", file: "facts.md", text });
/** A fact of about `words` tokens that begins with its number. */
export const longFact = (number: number, words = 400): string => `fact ${number} ${"слово ".repeat(words).trim()}`;
