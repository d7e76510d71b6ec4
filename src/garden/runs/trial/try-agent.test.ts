import { expect, test } from "vitest";
import { scriptedModel } from "../../../adapters/runtime/testing/scripted-model.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { createAgent } from "../../agents/lifecycle/create-agent.ts";
import { readAgent } from "../../records/agents/read-agent.ts";
import { gardenWith, git } from "../../testing/scratch.ts";
import { portsWith } from "../testing/agent-ground.ts";
import { tryAgent } from "./try-agent.ts";

const ports = portsWith(scriptedModel([]));
const notes = {
  "notes/compost.md": "---\ntags: [soil]\n---\n# Compost heap\n\nThe compost heap needs leaves.\n",
  "notes/heap.md": "# Compost heap in winter\n\nCover the compost heap.\n",
};

async function objectsOf(store: Store): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { key } of everyKey(store, "")) found.push(`${key} ${(await store.get(key))?.hash}`);
  return found;
}

async function drafted(template: string) {
  const made = await gardenWith(notes);
  const from = { kind: "template", template } as const;
  await createAgent(made.garden, { slug: template, by: commandLineOwner, language: "en", from });
  return made;
}

test("U-1b a trial of a draft shows its effects and its calls, and writes nothing", async () => {
  const { garden, dir } = await drafted("tagger");
  const state = async () => ({ objects: await objectsOf(garden.store), head: git(dir, "rev-parse", "HEAD") });
  const before = await state();
  const trial = await tryAgent(garden, ports, { slug: "tagger", by: commandLineOwner });
  expect(await state()).toEqual(before);
  expect(trial.steps.map(({ name }) => name)).toEqual(["read-notes", "search-notes", "create-proposal"]);
  expect(trial).toMatchObject({
    outcome: { kind: "effects" },
    effects: [{ kind: "possible", action: "propose-tag", target: "notes/heap.md", files: [{ change: "changed" }] }],
  });
  expect(trial.effects[0]?.kind === "possible" && trial.effects[0].files[0]?.patch).toContain("soil");
});

test("U-1b a trial follows a contract that is not saved, and its gate refuses what that contract does not allow", async () => {
  const { garden } = await drafted("tagger");
  const { text } = await readAgent(garden.store, "tagger");
  const narrower = text.replace(/safe_outputs:\n {2}- "?propose-tag"?/, "safe_outputs:\n  - propose-note");
  const trial = await tryAgent(garden, ports, { slug: "tagger", by: commandLineOwner, text: narrower });
  expect({ changed: narrower !== text, kinds: trial.effects.map(({ kind }) => kind) }).toEqual({
    changed: true,
    kinds: [],
  });
  await expect(
    tryAgent(garden, ports, { slug: "tagger", by: commandLineOwner, text: "no contract" }),
  ).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
});

test("U-1b a trial ends at a question, which nobody is asked", async () => {
  const { garden } = await gardenWith(notes);
  const text = 'BEGIN "Ask"\n\n  answer ← ask-human("Which bed?", form: "text")\n\nEND\n';
  await createAgent(garden, {
    slug: "asker",
    by: commandLineOwner,
    language: "en",
    from: { kind: "pseudocode", text },
  });
  const trial = await tryAgent(garden, ports, { slug: "asker", by: commandLineOwner });
  expect(trial).toMatchObject({ outcome: null, question: { question: "Which bed?" }, effects: [] });
});

test("U-1b only the owner tries an agent", async () => {
  const { garden } = await drafted("tagger");
  await expect(
    tryAgent(garden, ports, { slug: "tagger", by: { type: "agent", slug: "tagger", run: "run_x" } }),
  ).rejects.toMatchObject({ code: "FORBIDDEN" });
});
