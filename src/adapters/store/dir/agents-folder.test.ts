import * as fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realWorld } from "../../../base/world.ts";
import type { Store } from "../../../ports/store.ts";
import { storeConformance } from "../conformance.ts";
import { agentsDisk } from "./agents-disk.ts";
import { openDirStore } from "./dir-store.ts";
import { realDisk } from "./disk.ts";
import { afterwards, bytes, fileOf, folder, hashIn, text } from "./testing/directory-setup.ts";

const openAt = (garden: string): Promise<Store> => openDirStore({ garden, world: realWorld, agentsRoot: "agents" });

storeConformance("directory with agents in the work tree", async () => {
  const garden = folder();
  return { open: () => openAt(garden), discard: async () => fs.rmSync(garden, { recursive: true, force: true }) };
});

async function openedAt(garden: string): Promise<Store> {
  const store = await openAt(garden);
  afterwards(() => store.close());
  return store;
}

test("G-1a the files that people write are in the agents folder, everything else of an agent is in the store", async () => {
  const garden = folder();
  const store = await openedAt(garden);
  const visible = ["_agent.md", "drakon/a.drakon.json", "pseudocode.md", "sources/deep/a.md"];
  const inside = ["_deleted.json", "memory/observations.jsonl", "runs/r1/manifest.json"];
  for (const name of [...visible, ...inside]) await store.create(`agents/echo/${name}`, bytes(name));
  expect(visible.map((name) => fs.readFileSync(join(garden, "agents/echo", name), "utf8"))).toEqual(visible);
  const listed = (await store.list("agents/")).entries.map(({ key }) => key.slice("agents/echo/".length));
  await store.close();
  expect({
    listed,
    inTree: fs.readdirSync(join(garden, "agents/echo")),
    inStore: fs.readdirSync(fileOf(garden, "agents/echo")),
  }).toEqual({
    listed: [...visible, ...inside].toSorted(),
    inTree: ["_agent.md", "drakon", "pseudocode.md", "sources"],
    inStore: ["_deleted.json", "memory", "runs"],
  });
});

test("C-9 a file that a person writes, edits or removes is read at once", async () => {
  const garden = folder();
  const store = await openedAt(garden);
  const file = join(garden, "agents/fern/_agent.md");
  fs.mkdirSync(join(garden, "agents/fern"), { recursive: true });
  fs.writeFileSync(file, "one");
  expect((await store.list("")).entries.map(({ key }) => key)).toEqual(["agents/fern/_agent.md"]);
  const first = await text(store, "agents/fern/_agent.md");
  fs.writeFileSync(file, "two");
  const second = await text(store, "agents/fern/_agent.md");
  const refused = await store.create("agents/fern/_agent.md", bytes("three"));
  const swapped = await store.swap(
    "agents/fern/_agent.md",
    await hashIn(store, "agents/fern/_agent.md"),
    bytes("four"),
  );
  const seen = fs.readFileSync(file, "utf8");
  fs.rmSync(file);
  expect([first, second, refused.kind, swapped.kind, seen, await text(store, "agents/fern/_agent.md")]).toEqual([
    "one",
    "two",
    "taken",
    "swapped",
    "four",
    undefined,
  ]);
});

test("C-9 after a crash an edit or a removal by hand of a file that was just written stays", async () => {
  const garden = folder();
  const store = await openedAt(garden);
  for (const slug of ["edited", "removed"]) await store.create(`agents/${slug}/_agent.md`, bytes("made"));
  // The log as a crash would leave it now: nothing of these files may be replayed.
  const crashed = folder();
  fs.cpSync(garden, crashed, { recursive: true, filter: (path) => !path.endsWith(".sock") });
  fs.writeFileSync(join(crashed, "agents/edited/_agent.md"), "by hand");
  fs.rmSync(join(crashed, "agents/removed/_agent.md"));
  const next = await openedAt(crashed);
  expect([await text(next, "agents/edited/_agent.md"), await text(next, "agents/removed/_agent.md")]).toEqual([
    "by hand",
    undefined,
  ]);
});

test("G-1a a symbolic link in the agents folder is not followed", async () => {
  const garden = folder();
  const store = await openedAt(garden);
  const outside = folder();
  fs.writeFileSync(join(outside, "_agent.md"), "secret");
  fs.mkdirSync(join(garden, "agents/file/sources"), { recursive: true });
  fs.symlinkSync(outside, join(garden, "agents/linked"));
  fs.symlinkSync(join(outside, "_agent.md"), join(garden, "agents/file/_agent.md"));
  fs.symlinkSync(outside, join(garden, "agents/file/sources/all"));
  const listed = (await store.list("agents/")).entries.map(({ key }) => key);
  const read = await Promise.all(
    ["linked/_agent.md", "file/_agent.md", "file/sources/all/_agent.md"].map((key) => text(store, `agents/${key}`)),
  );
  expect({ listed, read }).toEqual({ listed: [], read: [undefined, undefined, undefined] });
});

test("G-1a a folder that becomes a symbolic link right after it was read is not written through", () => {
  const garden = folder();
  const [root, agents, outside] = [join(garden, ".bloom/store"), join(garden, "agents"), folder()];
  const disk = agentsDisk(realDisk, root, agents);
  fs.mkdirSync(join(agents, "a/sources"), { recursive: true });
  disk.fileMark(join(root, "agents/a/sources/x.md"));
  fs.rmdirSync(join(agents, "a/sources"));
  fs.symlinkSync(outside, join(agents, "a/sources"));
  expect(disk.kind(join(root, "agents/a/sources/x.md"))).toBe("other");
});

test.each([1, 2, 3])(
  "G-1a a caller that comes %i ticks after the write of an agent's file waits for the file",
  async (ticks) => {
    const garden = folder();
    const store = await openedAt(garden);
    const early: string[] = [];
    for (let round = 0; round < 10; round++) {
      // A lone writer is written at once, between other microtasks.
      for (let i = 0; i < 6; i++) await store.create(`audit/${round}-${i}.json`, bytes("x"));
      const key = `agents/a${round}/_agent.md`;
      const second = async (): Promise<void> => {
        for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
        const { kind } = await store.create(key, bytes("B"));
        if (kind === "taken" && !fs.existsSync(join(garden, key))) early.push(key);
      };
      await Promise.all([store.create(key, bytes("A")), second()]);
    }
    expect(early).toEqual([]);
  },
);

test("G-1a an agent that is removed leaves no empty folder, and files of a person's own stay", async () => {
  const garden = folder();
  const store = await openedAt(garden);
  for (const slug of ["gone", "kept"]) await store.create(`agents/${slug}/drakon/a.drakon.json`, bytes("{}"));
  fs.writeFileSync(join(garden, "agents/kept/README.md"), "mine");
  for (const slug of ["gone", "kept"]) {
    const key = `agents/${slug}/drakon/a.drakon.json`;
    await store.remove(key, await hashIn(store, key));
  }
  expect([fs.readdirSync(join(garden, "agents")), fs.readdirSync(join(garden, "agents/kept"))]).toEqual([
    ["kept"],
    ["README.md"],
  ]);
});
