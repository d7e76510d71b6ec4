import { contractKey, keys } from "../../../../domain/layout.ts";
import { runManifest } from "../../../../domain/run/run-manifest.ts";
import { diagramFromTree } from "../../../../drakon/from-tree/diagram-from-tree.ts";
import { parsePseudocode } from "../../../../drakon/text/parse.ts";
import { oneByOne, type Store } from "../../../../ports/store.ts";
import type { Garden } from "../../../core/garden.ts";
import { files, gardenWith, git } from "../../../testing/scratch.ts";

/** A garden whose language is Ukrainian. */
export async function ukrainianGarden(contents?: Record<string, string>): Promise<{ garden: Garden; dir: string }> {
  const { garden, dir } = await gardenWith(contents);
  files(dir, { "garden.yaml": git(dir, "show", "HEAD:garden.yaml").replace(/^language: en$/m, "language: uk") });
  git(dir, "commit", "-qam", "Speak Ukrainian");
  return { garden, dir };
}

/** A store like another one, with some of its verbs replaced. */
export const storeWith = (store: Store, verbs: Partial<Store>): Store => {
  const changed: Store = {
    get: (key) => store.get(key),
    create: (key, bytes) => store.create(key, bytes),
    swap: (key, hash, bytes) => store.swap(key, hash, bytes),
    put: (key, bytes) => store.put(key, bytes),
    delete: (key) => store.delete(key),
    remove: (key, hash) => store.remove(key, hash),
    list: (prefix, page) => store.list(prefix, page),
    health: () => store.health(),
    close: () => store.close(),
    inOrder: (writes) => oneByOne(changed, writes),
    ...verbs,
  };
  return changed;
};

/** A procedure with these lines. */
export const procedure = (...lines: string[]): string =>
  `ПОЧАТОК "Головний"\n\n${lines.map((line) => `  ${line}`).join("\n")}\n\nКІНЕЦЬ\n`;

/** The diagram of a procedure. */
export function drawn(...lines: string[]): string {
  const { tree } = parsePseudocode(procedure(...lines));
  if (!tree) throw new Error(`not a procedure: ${lines.join("; ")}`);
  return diagramFromTree(tree).source.text;
}

export const contractOf = (slug: string, extra = "", body = "# Роль\n\nТи — архіваріус.\n"): string => `---
name: "Архіваріус"
slug: ${slug}
version: 1.0.0 # перша
description: "Упорядковує нотатки"
model: bloom/follower
tools: [read-notes, create-proposal]
safe_outputs: [propose-note]
created_at: "2026-02-14T08:00:00Z"
updated_at: "2026-02-14T08:00:00Z"
created_by: owner
status: draft
${extra}---

${body}`;

/** An agent in the store, before it has a version. */
export async function agent(garden: Garden, slug = "archivist", contract = contractOf(slug)): Promise<void> {
  await garden.store.create(contractKey(slug), Buffer.from(contract));
}

export const stored = async (garden: Garden, key: string): Promise<string | undefined> => {
  const found = await garden.store.get(key);
  return found && Buffer.from(found.bytes).toString();
};

/** A finished run with the facts that logic reads. */
export async function finishedRun(
  garden: Garden,
  slug: string,
  run: string,
  of: { readonly logic?: string; readonly failed?: boolean; readonly tokens?: number } = {},
): Promise<void> {
  const manifest = runManifest.parse({
    run_id: run,
    agent_slug: slug,
    agent_version: "1.0.0",
    trigger: "manual",
    started_at: "2026-02-13T08:00:00Z",
    finished_at: "2026-02-13T08:01:00Z",
    status: of.failed ? "failed" : "completed",
    steps_count: 1,
    proposals_created: 0,
    model_used: "bloom/follower",
    tokens_used: { input: of.tokens ?? 100, output: 0 },
    error: of.failed ? "x" : null,
    outcome: of.failed ? { kind: "failed", reason: "x" } : { kind: "noop", reason: "nothing new" },
    logic_version: of.logic ?? null,
    behaviour_id: null,
    garden_commit: "0".repeat(40),
    contract_hash: "0".repeat(40),
    engine: "embedded",
    forked_from: null,
    error_details: null,
    journal: "0".repeat(40),
  });
  await garden.store.create(keys.runManifest(slug, run), Buffer.from(JSON.stringify(manifest)));
}
