import { keys } from "../../../../domain/layout.ts";
import type { ReadingSource } from "../../../../ports/reader.ts";
import { everyKey } from "../../../../ports/store.ts";
import { textOf } from "../../../changes/effect/note-target.ts";
import type { ToolContext } from "../tool.ts";

/** Limits for the files that people put into `agents/<slug>/sources/`. They are in the store, without history: read as they are now. */
const MAX_SOURCE_BYTES = 5 * 1024 * 1024;
const MOST_SOURCES = 200;
const MOST_BYTES = 20 * 1024 * 1024;

const folderOf = (slug: string): string => `${keys.agentFolder(slug)}sources/`;

/** Names of the sources, in the order of keys. */
async function sourceNames({ garden, slug }: Pick<ToolContext, "garden" | "slug">): Promise<string[]> {
  const folder = folderOf(slug);
  const names: string[] = [];
  for await (const { key, size } of everyKey(garden.store, folder)) {
    if (size <= MAX_SOURCE_BYTES) names.push(key.slice(folder.length));
    if (names.length === MOST_SOURCES) break;
  }
  return names;
}

/** Finds a source by its file name, with or without `sources/` and the extension. */
export async function findSource(
  context: Pick<ToolContext, "garden" | "slug">,
  wanted: string,
): Promise<ReadingSource | undefined> {
  const plain = wanted
    .normalize("NFC")
    .trim()
    .replace(/^sources\//, "");
  const names = await sourceNames(context);
  const found = names.find((name) => name === plain) ?? names.find((name) => withoutEnding(name) === plain);
  return found === undefined ? undefined : readSource(context, found);
}

/** All text sources, up to `MOST_BYTES` in total. */
export async function allSources(context: Pick<ToolContext, "garden" | "slug">): Promise<ReadingSource[]> {
  const sources: ReadingSource[] = [];
  let bytes = 0;
  for (const name of await sourceNames(context)) {
    const source = await readSource(context, name);
    bytes += Buffer.byteLength(source?.text ?? "");
    if (bytes > MOST_BYTES) break;
    if (source) sources.push(source);
  }
  return sources;
}

async function readSource(
  { garden, slug }: Pick<ToolContext, "garden" | "slug">,
  name: string,
): Promise<ReadingSource | undefined> {
  const stored = await garden.store.get(`${folderOf(slug)}${name}`);
  const text = stored && textOf(stored.bytes);
  return text === undefined ? undefined : { title: `sources/${name}`, text };
}

const withoutEnding = (name: string): string => name.replace(/\.[^./]+$/, "");
