import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { machine } from "../../../domain/layout.ts";
import type { Store } from "../../../ports/store.ts";
import type { Disk } from "./disk.ts";
import { afterwards, bytes, fileOf, folder, fragile, text, until } from "./testing/directory-setup.ts";
import { WrittenFolders } from "./written-folders.ts";

const RUN = "agents/a/runs/run_1";
const NEVER_MS = 3_600_000;

/** A store that counts how often it reads files and folders on disk. */
function counted(filesMs: number): { garden: string; store: Store; asked: () => number } {
  const garden = folder();
  let count = 0;
  const counting =
    <R>(call: (path: string) => R) =>
    (path: string): R => {
      count++;
      return call(path);
    };
  const watched = (disk: Disk): Partial<Disk> => ({
    kind: counting((path) => disk.kind(path)),
    fileMark: counting((path) => disk.fileMark(path)),
    names: counting((path) => disk.names(path)),
    stamp: counting((path) => disk.stamp(path)),
  });
  const store = fragile(garden, watched, filesMs);
  afterwards(() => store.close());
  return { garden, store, asked: () => count };
}

describe("G-6 a folder whose files are not written yet", () => {
  it.each<[string, (store: Store) => Promise<unknown>, unknown]>([
    ["a create", (store) => store.create(`${RUN}/steps/01-a.json`, bytes("1")), { kind: "created" }],
    ["a second create", (store) => store.create(`${RUN}/steps/00.json`, bytes("1")), { kind: "taken" }],
    ["a read of a missing key", (store) => store.get(`${RUN}/cancel.json`), undefined],
    ["a read of an existing key", (store) => text(store, `${RUN}/steps/00.json`), "0"],
    [
      "a list",
      async (store) => (await store.list(`${RUN}/steps/`)).entries.map(({ key }) => key.slice(-7)),
      ["00.json"],
    ],
  ])("answers %s without reading the disk", async (_, ask, answer) => {
    const { store, asked } = counted(NEVER_MS);
    await store.create(`${RUN}/steps/00.json`, bytes("0"));
    const before = asked();
    const given = await ask(store);
    expect({ given, asked: asked() - before }).toEqual({
      given:
        answer !== null && typeof answer === "object" && !Array.isArray(answer)
          ? expect.objectContaining(answer)
          : answer,
      asked: 0,
    });
  });

  it("is read from disk once its first file is written, so that a person's file is found", async () => {
    const { garden, store } = counted(5);
    await store.create(`${RUN}/steps/00.json`, bytes("0"));
    await until(() => fs.existsSync(fileOf(garden, `${RUN}/steps/00.json`)));
    fs.writeFileSync(fileOf(garden, `${RUN}/steps/by-hand.json`), "{}");
    await until(async () => (await text(store, `${RUN}/steps/by-hand.json`)) === "{}");
    expect(await store.create(`${RUN}/steps/by-hand.json`, bytes("1"))).toEqual({ kind: "taken" });
  });

  it("is read from disk if the write that would create it fails", async () => {
    const garden = folder();
    let full = true;
    const store = fragile(garden, (disk) => ({
      createLog(path) {
        if (full) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
        return disk.createLog(path);
      },
    }));
    afterwards(() => store.close());
    await store.create(`${RUN}/steps/00.json`, bytes("0")).catch(() => undefined);
    fs.mkdirSync(fileOf(garden, `${RUN}/steps`), { recursive: true });
    fs.writeFileSync(fileOf(garden, `${RUN}/steps/00.json`), "by hand");
    full = false;
    expect(await text(store, `${RUN}/steps/00.json`)).toBe("by hand");
  });

  it("gets its files soon, even under constant writes", async () => {
    const { garden, store } = counted(1);
    let last = "";
    await until(async () => {
      const keys = Array.from({ length: 300 }, (_, i) => `${RUN}/steps/${last.length}-${i}.json`);
      await Promise.all(keys.map((key) => store.create(key, bytes("0"))));
      last += "x";
      return fs.existsSync(fileOf(garden, `${RUN}/steps/0-0.json`));
    });
    expect(last.length).toBeGreaterThan(0);
  });
});

describe("G-6 a folder of audit records or views that this process has made", () => {
  const made = async (): Promise<ReturnType<typeof counted>> => {
    const all = counted(5);
    await all.store.create("audit/2026-02/14/080000-a.json", bytes("0"));
    await until(() => fs.existsSync(fileOf(all.garden, "audit/2026-02/14/080000-a.json")));
    return all;
  };

  it("is not read from disk for a new key, also when its files are written", async () => {
    const { store, asked } = await made();
    const before = asked();
    expect(await store.create("audit/2026-02/14/080001-b.json", bytes("1"))).toMatchObject({ kind: "created" });
    expect(asked() - before).toBe(0);
  });

  it("is read from disk for a key that was written before", async () => {
    const { store } = await made();
    expect(await store.create("audit/2026-02/14/080000-a.json", bytes("1"))).toEqual({ kind: "taken" });
    await store.put("views/open-runs/a.json", bytes("0"));
    await store.delete("views/open-runs/a.json");
    expect(await store.create("views/open-runs/a.json", bytes("1"))).toMatchObject({ kind: "created" });
    expect(await text(store, "views/open-runs/a.json")).toBe("1");
  });

  it("keeps a person's file of the name of a new record aside", async () => {
    const { garden, store } = await made();
    const name = "audit/2026-02/14/080002-c.json";
    fs.writeFileSync(fileOf(garden, name), "by hand");
    expect(await store.create(name, bytes("1"))).toMatchObject({ kind: "created" });
    const aside = join(garden, machine.setAside, name);
    await until(() => fs.existsSync(aside));
    expect([fs.readFileSync(aside, "utf8"), await text(store, name)]).toEqual(["by hand", "1"]);
  });

  it("deletes a person's file in it", async () => {
    const { garden, store } = await made();
    await store.put("views/open-runs/a.json", bytes("0"));
    await until(() => fs.existsSync(fileOf(garden, "views/open-runs/a.json")));
    fs.writeFileSync(fileOf(garden, "views/open-runs/by-hand.json"), "{}");
    await store.delete("views/open-runs/by-hand.json");
    expect(await text(store, "views/open-runs/by-hand.json")).toBeUndefined();
  });

  it("has no key free that was written before its folders were forgotten", () => {
    const onDisk = new Set(["views", "views/open-runs"]);
    const folders = new WrittenFolders((path) => !onDisk.has(path));
    const held = { keys: () => ["views/open-runs/b.json"] };
    folders.note("views/open-runs/a.json", held);
    onDisk.delete("views/open-runs"); // emptied
    folders.note("views/open-runs/b.json", held);
    for (let number = 0; number < 100_001; number++) folders.note(`comments/${number}/a.json`, held);
    expect(["a", "b", "c"].map((name) => folders.isFree(`views/open-runs/${name}.json`))).toEqual([true, false, true]);
  });

  it("is read from disk by the next process", async () => {
    const { garden, store } = await made();
    await store.close();
    const next = fragile(garden, () => ({}));
    afterwards(() => next.close());
    expect(await next.create("audit/2026-02/14/080000-a.json", bytes("1"))).toEqual({ kind: "taken" });
  });
});
