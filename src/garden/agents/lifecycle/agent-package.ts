import { z } from "zod";
import { contractKey, keys } from "../../../domain/layout.ts";
import { everyKey } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { noAgent } from "../../records/agents/read-agent.ts";
import { notAgentPackage } from "../failures.ts";

/** One agent as one file: everything that people wrote, nothing that it did. Runs, memory and tokens stay in the garden. */
const FORMAT = "garden-bloom-agent";
const MOST_FILES = 500;

const packagedFile = z.union([
  z.strictObject({ path: z.string().min(1).max(500), text: z.string() }),
  z.strictObject({ path: z.string().min(1).max(500), base64: z.base64() }),
]);
const agentPackage = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  slug: z.string().max(100),
  exported_at: z.string().max(100),
  files: z.array(packagedFile).max(MOST_FILES),
});
export type AgentPackage = z.infer<typeof agentPackage>;
type PackagedFile = z.infer<typeof packagedFile>;

/** The files of an agent's folder that travel. */
export const isPackagedPath = (path: string): boolean =>
  /^(?:pseudocode\.md$|drakon\/|sources\/)/.test(path) && !path.split("/").includes("..");

/** The owner's files of one agent. Throws NOT_FOUND without a contract. */
export async function packAgent(
  { store, world }: Pick<Garden, "store" | "world">,
  slug: string,
): Promise<AgentPackage> {
  const contract = await store.get(contractKey(slug));
  if (!contract) throw noAgent(slug);
  const folder = keys.agentFolder(slug);
  const files = [packed("_agent.md", contract.bytes)];
  for await (const { key } of everyKey(store, folder)) {
    const path = key.slice(folder.length);
    const stored = isPackagedPath(path) ? await store.get(key) : undefined;
    if (stored) files.push(packed(path, stored.bytes));
  }
  return { format: FORMAT, version: 1, slug, exported_at: new Date(world.now()).toISOString(), files };
}

function packed(path: string, bytes: Uint8Array): PackagedFile {
  try {
    return { path, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { path, base64: Buffer.from(bytes).toString("base64") };
  }
}

/** The slug in an exported file. Throws VALIDATION_FAILED for any other file. */
export const packagedSlug = (text: string): string => parsed(text).slug;

/** The files of an exported agent; those that do not travel are left out. Throws VALIDATION_FAILED for any other file. */
export function expectAgentPackage(text: string): {
  readonly contract: Uint8Array;
  readonly others: ReadonlyMap<string, Uint8Array>;
} {
  const { files } = parsed(text);
  const contract = files.find(({ path }) => path === "_agent.md");
  if (!contract) throw notAgentPackage("_agent.md");
  const others = files.filter(({ path }) => isPackagedPath(path));
  return { contract: bytesOf(contract), others: new Map(others.map((file) => [file.path, bytesOf(file)])) };
}

const bytesOf = (file: PackagedFile): Uint8Array =>
  "text" in file ? Buffer.from(file.text) : Buffer.from(file.base64, "base64");

function parsed(text: string): AgentPackage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notAgentPackage();
  }
  const read = agentPackage.safeParse(value);
  if (!read.success) throw notAgentPackage(read.error.issues[0]?.path.join("."));
  return read.data;
}
