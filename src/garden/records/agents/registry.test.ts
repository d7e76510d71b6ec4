import { describe, expect, test } from "vitest";
import { contractKey, keys, REGISTRY_KEY } from "../../../domain/layout.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { contractText } from "../../agents/testing/contract-text.ts";
import type { Garden } from "../../core/garden.ts";
import { gardenWith } from "../../testing/scratch.ts";
import { type Registry, readRegistry, updateRegistry } from "./registry.ts";

const put = (store: Store, key: string, text: string) => store.create(key, Buffer.from(text));
const stored = async ({ store }: Garden): Promise<string> =>
  Buffer.from((await store.get(REGISTRY_KEY))?.bytes ?? []).toString();

const card = (id: string, type: string, identity: string): string =>
  JSON.stringify({
    id,
    status: "pending",
    action: "propose-note",
    target: "notes/x.md",
    summary: "x",
    source: { type, identity, authenticated: true, timestamp: "2026-02-14T08:00:00Z" },
    priority: "normal",
    digest: "d",
    created_at: "2026-02-14T08:00:00Z",
    expires_at: "2026-02-17T08:00:00Z",
  });

async function gardenOfTwo(): Promise<Garden> {
  const { garden } = await gardenWith();
  const { store } = garden;
  await put(
    store,
    contractKey("archivist-violin"),
    contractText("archivist-violin", { name: '"Архіваріус Violin"', status: "active" }),
  );
  await put(store, contractKey("archivist"), contractText("archivist"));
  await put(store, "agents/no-agent/sources/x.md", "x");
  for (const [run, status] of [
    ["run_2026-02-13_080000_def456", "failed"],
    ["run_2026-02-14_080000_abc123", "completed"],
  ] as const) {
    await put(store, keys.runManifest("archivist-violin", run), JSON.stringify({ status }));
    await put(store, `agents/archivist-violin/runs/${run}/steps/01-load-context.json`, "{}");
  }
  for (const [id, type, identity] of [
    ["prop_1", "agent", "archivist-violin"],
    ["prop_2", "agent", "archivist-violin"],
    ["prop_3", "owner", "owner"],
  ] as const)
    await store.put(keys.pendingProposal(id), Buffer.from(card(id, type, identity)));
  return garden;
}

describe("C-8 the registry", () => {
  test("has the form of source 001 §5", async () => {
    const garden = await gardenOfTwo();
    const registry = await readRegistry(garden);
    expect(registry).toEqual({
      version: "1",
      updated_at: expect.stringMatching(/^2026-02-14T\d\d:\d\d:\d\dZ$/) as string,
      agents: [
        {
          slug: "archivist-violin",
          name: "Архіваріус Violin",
          status: "active",
          version: "1.0.0",
          last_run: "2026-02-14T08:00:00Z",
          last_run_status: "completed",
          pending_proposals: 2,
        },
        {
          slug: "archivist",
          name: "archivist",
          status: "draft",
          version: "1.0.0",
          last_run: null,
          last_run_status: null,
          pending_proposals: 0,
        },
      ],
    });
    expect(await stored(garden), "a read writes nothing").toBe("");
    await updateRegistry(garden);
    expect((JSON.parse(await stored(garden)) as Registry).agents).toEqual(registry.agents);
  });

  test("is not rewritten while nothing changes", async () => {
    const garden = await gardenOfTwo();
    await updateRegistry(garden);
    const first = await stored(garden);
    await updateRegistry(garden);
    expect(await stored(garden)).toBe(first);
  });

  test.each<[string, string]>([
    ["damaged", '{"version": "1", "agents'],
    ["of another form", '{"version": "2"}'],
    [
      "listing an agent without a file",
      '{"version":"1","updated_at":"2026-02-14T12:00:00Z","agents":[{"slug":"ghost","name":"x","status":"active","version":"1.0.0","last_run":null,"last_run_status":null,"pending_proposals":0}]}',
    ],
    [
      "listing a run that never existed",
      '{"version":"1","updated_at":"2026-02-14T12:00:00Z","agents":[{"slug":"archivist-violin","name":"x","status":"active","version":"1.0.0","last_run":"2027-01-01T00:00:00Z","last_run_status":"failed","pending_proposals":0}]}',
    ],
  ])("that is %s is rebuilt before it is returned", async (_, text) => {
    const garden = await gardenOfTwo();
    const { agents } = await readRegistry(garden);
    await garden.store.put(REGISTRY_KEY, Buffer.from(text));
    expect((await readRegistry(garden)).agents).toEqual(agents);
    expect(await stored(garden)).toBe(text);
    await updateRegistry(garden);
    expect((JSON.parse(await stored(garden)) as { agents: unknown }).agents).toEqual(agents);
  });

  test("C-1 drops an agent whose contract was deleted", async () => {
    const garden = await gardenOfTwo();
    await readRegistry(garden);
    const contract = (await garden.store.get(contractKey("archivist")))!;
    await garden.store.remove(contractKey("archivist"), contract.hash);
    expect((await readRegistry(garden)).agents.map(({ slug }) => slug)).toEqual(["archivist-violin"]);
  });

  test("lists an agent with an invalid contract, with the readable fields", async () => {
    const garden = await gardenOfTwo();
    await put(garden.store, contractKey("broken"), contractText("broken", { tols: "[]", status: "paused" }));
    await put(garden.store, contractKey("unreadable"), "---\nname: [\n---\n");
    expect(
      (await readRegistry(garden)).agents.slice(2).map(({ slug, status, version }) => [slug, status, version]),
    ).toEqual([
      ["broken", "paused", "1.0.0"],
      ["unreadable", "error", "0.0.0"],
    ]);
  });

  test("reads each pending proposal once", async () => {
    const { store, world } = await gardenOfTwo();
    const reads: string[] = [];
    const watched: Store = {
      ...store,
      get: (key) => {
        if (key.startsWith("proposals/")) reads.push(key);
        return store.get(key);
      },
      put: (key, bytes) => store.put(key, bytes),
      list: (prefix, page) => store.list(prefix, page),
    };
    await readRegistry({ store: watched, world });
    reads.length = 0;
    await store.delete(keys.pendingProposal("prop_1"));
    await store.put(keys.pendingProposal("prop_4"), Buffer.from(card("prop_4", "agent", "archivist")));
    const { agents } = await readRegistry({ store: watched, world });
    expect({ reads, pending: agents.map(({ pending_proposals }) => pending_proposals) }).toEqual({
      reads: [keys.pendingProposal("prop_4")],
      pending: [1, 1],
    });
  });

  test("finds a newer run from the last known one, without listing steps and older runs", async () => {
    const garden = await gardenOfTwo();
    await updateRegistry(garden);
    await put(garden.store, keys.runStep("archivist-violin", "run_2026-02-15_080000_aaaaaa", 1, "load-context"), "{}");
    await garden.store.put(
      keys.runStatus("archivist-violin", "run_2026-02-15_080000_aaaaaa"),
      Buffer.from('{"state":"running"}'),
    );
    const lists: string[] = [];
    const watched: Store = {
      ...garden.store,
      get: (key) => garden.store.get(key),
      put: (key, bytes) => garden.store.put(key, bytes),
      list: (prefix, page) => {
        if (prefix.includes("/runs/")) lists.push(page?.after ?? "");
        return garden.store.list(prefix, page);
      },
    };
    const { agents } = await readRegistry({ store: watched, world: garden.world });
    expect(agents[0]).toMatchObject({ last_run: "2026-02-15T08:00:00Z", last_run_status: "running" });
    expect(lists.filter((after) => after.startsWith("agents/archivist-violin/runs/run_2026-02-13"))).toEqual([]);
    expect((await keysUnder(garden.store, "agents/archivist-violin/runs/")).length).toBeGreaterThan(4);
  });
});

const keysUnder = async (store: Store, prefix: string): Promise<string[]> => {
  const found: string[] = [];
  for await (const { key } of everyKey(store, prefix)) found.push(key);
  return found;
};
