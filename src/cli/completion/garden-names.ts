import { agentFilePath, contractKey, keys, machine } from "../../domain/layout.ts";
import { isNotePath } from "../../domain/note/note-path.ts";
import { readConfig } from "../../garden/core/garden.ts";
import type { Folder } from "../../ports/folder.ts";
import type { NameKind } from "./completion-table.ts";

/** Newest runs of each agent that are offered. */
const MAX_RUNS = 20;
const MAX_NAMES = 1000;

/** Names in a garden that begin so, read from its files without opening it. Notes are offered folder by folder, as paths are. */
export async function gardenNames(folder: Folder, kind: NameKind, beginning: string): Promise<readonly string[]> {
  const reading = await readConfig(folder);
  if (reading.kind !== "value") return [];
  const { agents_root } = reading.value;
  const begins = (name: string): boolean => name.startsWith(beginning);
  switch (kind) {
    case "agents":
      return (await agentNames(folder, agents_root)).filter(begins);
    case "proposals":
      return (await folder.names(`${machine.store}/${keys.pendingProposal("").replace(/\/[^/]*$/, "")}`))
        .map((name) => name.replace(/\.json$/, ""))
        .filter(begins)
        .slice(0, MAX_NAMES);
    case "runs": {
      const runs: string[] = [];
      for (const slug of await agentNames(folder, agents_root))
        runs.push(...(await folder.names(`${machine.store}/${keys.runs(slug)}`.replace(/\/$/, ""))).slice(-MAX_RUNS));
      return runs.filter(begins);
    }
    case "notes":
      return noteNames(folder, reading.value, beginning);
  }
}

async function agentNames(folder: Folder, root: string): Promise<string[]> {
  const slugs: string[] = [];
  for (const slug of await folder.names(root))
    if ((await folder.stat(agentFilePath(root, contractKey(slug))!)).kind === "file") slugs.push(slug);
  return slugs;
}

/** Notes and folders (with a slash at the end) in the folder of the beginning. */
async function noteNames(
  folder: Folder,
  roots: Parameters<typeof isNotePath>[1],
  beginning: string,
): Promise<readonly string[]> {
  if (beginning.split("/").some((part) => part === "." || part === "..") || beginning.startsWith("/")) return [];
  const parent = beginning.slice(0, beginning.lastIndexOf("/") + 1);
  const found: string[] = [];
  for (const name of await folder.names(parent.replace(/\/$/, ""))) {
    const path = `${parent}${name}`;
    if (!path.startsWith(beginning) || found.length >= MAX_NAMES) continue;
    const { kind } = await folder.stat(path);
    if (kind === "file" && isNotePath(path, roots)) found.push(path);
    if (kind === "folder" && leadsToNotes(path, roots)) found.push(`${path}/`);
  }
  return found;
}

/** True for a folder that may hold notes, and for one on the way to the notes root. */
const leadsToNotes = (path: string, roots: Parameters<typeof isNotePath>[1]): boolean =>
  isNotePath(`${path}/a.md`, roots) || roots.notes_root.startsWith(`${path}/`);
