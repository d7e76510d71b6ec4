import { expect, test } from "vitest";
import { keys } from "../../../domain/layout.ts";
import { runStatus } from "../../../domain/run/run.ts";
import { gardenWith } from "../../testing/scratch.ts";
import { readJournal } from "./journal.ts";
import { sampleRun } from "./testing/sample-run.ts";

test.each([
  [true, "completed", ["load-context", "list-notes", "summarize", "create-proposal"]],
  [false, "running", ["load-context", "list-notes", "summarize"]],
])("O-9 a sample run (complete: %s) has all records of its state", async (complete, state, names) => {
  const { garden } = await gardenWith();
  const { slug, run, manifest, trace } = await sampleRun(garden, { slug: "echo", complete });
  const journal = (await readJournal(garden.store, { slug, run }))!;
  const shown = await garden.store.get(keys.runStatus(slug, run));
  expect(journal.records.map(({ name }) => name)).toEqual(names);
  expect({ manifest: journal.manifest, run: journal.request?.run_id }).toEqual({ manifest, run });
  expect(runStatus.parse(JSON.parse(Buffer.from(shown!.bytes).toString())).state).toBe(state);
  expect(Buffer.from((await garden.store.get(keys.runTrace(slug, run)))!.bytes).equals(trace)).toBe(true);
  expect(journal.records.slice(1).every(({ icon, line }) => icon !== undefined && line !== undefined)).toBe(true);
  expect(manifest?.tokens_used).toEqual(complete ? { input: 420, output: 110 } : undefined);
});
