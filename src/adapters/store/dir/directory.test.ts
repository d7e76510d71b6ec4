import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Failure } from "../../../base/failure.ts";
import { realWorld } from "../../../base/world.ts";
import { openDirStore } from "./dir-store.ts";
import { bytes, fileOf, folder, fragile, hashIn, opened, remarksOf, text, until } from "./testing/directory-setup.ts";

describe("files of the store", () => {
  it("are written soon, under the name of the key", async () => {
    const garden = folder();
    const store = await opened(garden);
    await store.create("agents/архіваріус/_agent.md", bytes("договір"));
    await until(() => fs.existsSync(fileOf(garden, "agents/архіваріус/_agent.md")));
    expect(fs.readFileSync(fileOf(garden, "agents/архіваріус/_agent.md"), "utf8")).toBe("договір");
  });

  it("are all that is left when the store is closed: the log is empty, and there is no temporary file", async () => {
    const garden = folder();
    const store = await openDirStore({ garden, world: realWorld });
    for (let i = 0; i < 200; i++) await store.create(`audit/${i}.json`, bytes("{}"));
    await store.close();
    const names = ["log", "tmp/store"].flatMap((name) => fs.readdirSync(join(garden, ".bloom", name)));
    expect({ leftovers: names, files: fs.readdirSync(fileOf(garden, "audit")).length }).toEqual({
      leftovers: [],
      files: 200,
    });
  });

  it("C-9 show a manual edit of a contract to the next reader", async () => {
    const garden = folder();
    const store = await opened(garden);
    const made = await store.create("agents/a/_agent.md", bytes("ours"));
    await until(() => fs.existsSync(fileOf(garden, "agents/a/_agent.md")));
    fs.writeFileSync(fileOf(garden, "agents/a/_agent.md"), "theirs");
    const swapped = await store.swap(
      "agents/a/_agent.md",
      made.kind === "created" ? made.hash : "",
      bytes("ours again"),
    );
    expect({ swap: swapped.kind, text: await text(store, "agents/a/_agent.md") }).toEqual({
      swap: "moved",
      text: "theirs",
    });
  });

  it("may have names that the store itself would not write; they are read and listed too", async () => {
    const garden = folder();
    const store = await opened(garden);
    fs.mkdirSync(fileOf(garden, "agents/a/sources"), { recursive: true });
    fs.writeFileSync(fileOf(garden, "agents/a/sources/README Ї.md"), "by hand");
    const listed = (await store.list("agents/")).entries.map(({ key }) => key);
    expect({ text: await text(store, "agents/a/sources/README Ї.md"), listed }).toEqual({
      text: "by hand",
      listed: ["agents/a/sources/README Ї.md"],
    });
  });

  it("are not objects if they are hidden or were left by a desktop", async () => {
    const garden = folder();
    const store = await opened(garden);
    await store.create("audit/a.json", bytes("{}"));
    await until(() => fs.existsSync(fileOf(garden, "audit/a.json")));
    fs.writeFileSync(fileOf(garden, "audit/.DS_Store"), "x");
    expect((await store.list("")).entries).toEqual([{ key: "audit/a.json", size: 2 }]);
  });

  it.each([
    ["audit/a.json/b", "audit/a.json"],
    ["audit", "audit/a.json"],
    ["audit/a.json/b/c/d", "audit/a.json"],
  ])("cannot have a key that is a folder of another key: %s beside %s", async (second, first) => {
    const garden = folder();
    const store = await opened(garden);
    const attempt = async (): Promise<string> => {
      try {
        return (await store.create(second, bytes("x"))).kind;
      } catch (error) {
        return (error as Failure).code;
      }
    };
    await store.create(first, bytes("x"));
    const inMemory = await attempt();
    await until(() => fs.existsSync(fileOf(garden, first)));
    expect({ inMemory, onDisk: await attempt() }).toEqual({
      inMemory: "VALIDATION_FAILED",
      onDisk: "VALIDATION_FAILED",
    });
  });
});

describe("callers that write without a pause", () => {
  it.each([1, 4, 5, 16])("do not starve timers and sockets: %i callers", async (writers) => {
    const store = await opened(folder());
    let answered = 0;
    let most = 0;
    let isOver = false;
    const turn = (): void => {
      most = Math.max(most, answered);
      answered = 0;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let i = 0; i < 300; i++) {
          await store.create(`audit/${writer}-${i}.json`, bytes("{}"));
          answered++;
        }
      }),
    );
    isOver = true;
    turn();
    expect(most).toBeLessThanOrEqual(4 * writers);
  });
});

describe("limits of a directory store", () => {
  it("a view cannot take the name of a folder with keys, before or after its file is written", async () => {
    const garden = folder();
    const store = await opened(garden);
    await store.put("views/a/b", bytes("1"));
    const early = await store.put("views/a", bytes("2")).catch((error: Failure) => error.code);
    await until(() => fs.existsSync(fileOf(garden, "views/a/b")));
    const late = await store.put("views/a", bytes("2")).catch((error: Failure) => error.code);
    expect({ early, late, healthy: (await store.health()).ok }).toEqual({
      early: "VALIDATION_FAILED",
      late: "VALIDATION_FAILED",
      healthy: true,
    });
  });

  it("a named pipe in the store is not an object, and blocks no call", async () => {
    const garden = folder();
    const store = await opened(garden);
    fs.mkdirSync(fileOf(garden, "agents/a"), { recursive: true });
    spawnSync("mkfifo", [fileOf(garden, "agents/a/_agent.md")]);
    const made = await store.create("agents/a/_agent.md", bytes("x")).catch((error: Failure) => error.code);
    expect({ found: await store.get("agents/a/_agent.md"), made }).toEqual({
      found: undefined,
      made: "VALIDATION_FAILED",
    });
  });

  it("an object that is too large is refused before it is sent to the owner, and other calls succeed", async () => {
    const garden = folder();
    await opened(garden);
    const second = await opened(garden);
    const [large, small] = await Promise.allSettled([
      second.create("audit/large", new Uint8Array(64 * 1024 * 1024 + 1)),
      second.create("audit/small", bytes("x")),
    ]);
    expect({ large: large.status === "rejected" && (large.reason as Failure).code, small: small.status }).toEqual({
      large: "VALIDATION_FAILED",
      small: "fulfilled",
    });
  });

  it("a second close waits for the first", async () => {
    const garden = folder();
    const store = await openDirStore({ garden, world: realWorld });
    await store.create("audit/a", bytes("x"));
    void store.close();
    await store.close();
    expect(fs.existsSync(fileOf(garden, "audit/a"))).toBe(true);
    expect(fs.readdirSync(join(garden, ".bloom/log"))).toEqual([]);
  });

  it("a closed store reports that it is not healthy, and a limit is rounded down", async () => {
    const store = await openDirStore({ garden: folder(), world: realWorld });
    for (const name of ["a", "b", "c"]) await store.create(`audit/${name}`, bytes("x"));
    const page = await store.list("audit/", { limit: 1.5 });
    await store.close();
    expect({ entries: page.entries.length, healthy: (await store.health()).ok }).toEqual({
      entries: 1,
      healthy: false,
    });
  });
});

describe("a store after a crash", () => {
  it("reports damage of the first record of the log", async () => {
    const garden = folder();
    const first = fragile(garden, () => ({
      rename: () => {
        throw Object.assign(new Error("no"), { code: "ENOSPC" });
      },
    }));
    for (let i = 0; i < 5; i++) await first.create(`audit/${i}.json`, bytes(`"${"x".repeat(100)}${i}"`));
    const log = join(garden, ".bloom/log", fs.readdirSync(join(garden, ".bloom/log"))[0]!);
    const content = fs.readFileSync(log);
    content[content.indexOf(`${"x".repeat(100)}0`) + 3]! ^= 1;
    fs.writeFileSync(log, content);
    const second = await opened(garden);
    expect({
      setAside: fs.readdirSync(join(garden, ".bloom/set-aside")).length,
      isReported: (await remarksOf(second)).some((remark) => remark.includes("damaged")),
    }).toEqual({ setAside: 1, isReported: true });
  });

  it("G-5 keeps and reports a manual edit made after the last write", async () => {
    const garden = folder();
    const first = fragile(garden, () => ({}));
    await first.create("agents/a/memory/decisions.jsonl", bytes("v1 of the file"));
    await first.swap(
      "agents/a/memory/decisions.jsonl",
      await hashIn(first, "agents/a/memory/decisions.jsonl"),
      bytes("v2 of the file"),
    );
    fs.writeFileSync(fileOf(garden, "agents/a/memory/decisions.jsonl"), "a person's own words");
    const second = await opened(garden); // the first was never closed: its log is still there
    expect({
      text: await text(second, "agents/a/memory/decisions.jsonl"),
      isReported: (await remarksOf(second)).some((remark) => remark.includes("the edit was kept")),
    }).toEqual({ text: "a person's own words", isReported: true });
  });

  it("restores a created object that was changed outside, and keeps the changed file aside", async () => {
    const garden = folder();
    const first = fragile(garden, () => ({}));
    await first.create("audit/a.json", bytes('{"truth":1}'));
    await until(() => fs.existsSync(fileOf(garden, "audit/a.json")));
    fs.writeFileSync(fileOf(garden, "audit/a.json"), '{"lie":1}');
    const second = await opened(garden);
    expect({
      text: await text(second, "audit/a.json"),
      setAside: fs.readFileSync(join(garden, ".bloom/set-aside/audit/a.json"), "utf8"),
    }).toEqual({ text: '{"truth":1}', setAside: '{"lie":1}' });
  });

  it("reports damage in the middle of the log, and keeps the log", async () => {
    const garden = folder();
    const first = fragile(garden, () => ({
      rename: () => {
        throw Object.assign(new Error("no"), { code: "ENOSPC" }); // nothing reaches the files
      },
    }));
    for (let i = 0; i < 5; i++) await first.create(`audit/${i}.json`, bytes(`"${"x".repeat(100)}${i}"`));
    const log = join(garden, ".bloom/log", fs.readdirSync(join(garden, ".bloom/log"))[0]!);
    const content = fs.readFileSync(log);
    content[content.indexOf(`${"x".repeat(100)}2`) + 3]! ^= 1;
    fs.writeFileSync(log, content);
    const second = await opened(garden);
    const readable = (await second.list("audit/")).entries.map(({ key }) => key);
    const kept = fs.readdirSync(join(garden, ".bloom/set-aside"));
    expect({
      readable,
      setAside: kept.length,
      remarks: (await remarksOf(second)).filter((remark) => remark.includes("damaged")),
    }).toEqual({
      readable: ["audit/0.json", "audit/1.json"],
      setAside: 1,
      remarks: [expect.stringContaining("2 answered writes cannot be read")],
    });
  });

  it.each([
    ["zeros only", Buffer.alloc(100)],
    ["half a beginning", Buffer.from("bloom-l")],
  ])("does not report a log that was just begun (%s) as damage", async (_, content) => {
    const garden = folder();
    fs.mkdirSync(join(garden, ".bloom/log"), { recursive: true });
    fs.writeFileSync(join(garden, ".bloom/log/00000007.log"), content);
    expect(await remarksOf(await opened(garden))).toEqual([]);
  });

  it("G-7 refuses a log of a newer format, and keeps it", async () => {
    const garden = folder();
    fs.mkdirSync(join(garden, ".bloom/log"), { recursive: true });
    fs.writeFileSync(join(garden, ".bloom/log/00000001.log"), "bloom-log 2\nwhatever");
    await expect(openDirStore({ garden, world: realWorld })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    expect(fs.existsSync(join(garden, ".bloom/log/00000001.log"))).toBe(true);
  });
});
