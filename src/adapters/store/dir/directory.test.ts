import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Failure } from "../../../base/failure.ts";
import { realWorld } from "../../../base/world.ts";
import { openDirStore } from "./dir-store.ts";
import type { LogFile } from "./disk.ts";
import {
  afterwards,
  bytes,
  fileOf,
  folder,
  fragile,
  hashIn,
  opened,
  remarksOf,
  text,
  until,
} from "./testing/directory-setup.ts";

describe("files that people see", () => {
  it("are there soon, under the very name of the key", async () => {
    const garden = folder();
    const store = await opened(garden);
    await store.create("agents/архіваріус/_agent.md", bytes("договір"));
    await until(() => fs.existsSync(fileOf(garden, "agents/архіваріус/_agent.md")));
    expect(fs.readFileSync(fileOf(garden, "agents/архіваріус/_agent.md"), "utf8")).toBe("договір");
  });

  it("leave nothing else behind when the store is closed: the log is empty, no temporary file stays", async () => {
    const garden = folder();
    const store = await openDirStore({ garden, world: realWorld });
    for (let i = 0; i < 200; i++) await store.create(`audit/${i}.json`, bytes("{}"));
    await store.close();
    const names = ["log", "tmp/store"].flatMap((name) => fs.readdirSync(join(garden, ".bloom", name)));
    expect([names, fs.readdirSync(fileOf(garden, "audit")).length]).toEqual([[], 200]);
  });

  it("C-9 a contract edited by hand is read as it stands", async () => {
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
    expect([swapped.kind, await text(store, "agents/a/_agent.md")]).toEqual(["moved", "theirs"]);
  });

  it("may have names that the program would not write, and are read and listed all the same", async () => {
    const garden = folder();
    const store = await opened(garden);
    fs.mkdirSync(fileOf(garden, "agents/a/sources"), { recursive: true });
    fs.writeFileSync(fileOf(garden, "agents/a/sources/README Ї.md"), "by hand");
    const listed = (await store.list("agents/")).entries.map(({ key }) => key);
    expect([await text(store, "agents/a/sources/README Ї.md"), listed]).toEqual([
      "by hand",
      ["agents/a/sources/README Ї.md"],
    ]);
  });

  it("that are hidden, or were left by a desktop, are no objects", async () => {
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
  ])("no key is a folder of another: %s beside %s", async (second, first) => {
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
    expect([inMemory, await attempt()]).toEqual(["VALIDATION_FAILED", "VALIDATION_FAILED"]);
  });
});

describe("those who write without a pause", () => {
  it.each([1, 4, 5, 16])("leave timers and sockets their turns: %i at once", async (writers) => {
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

describe("what the disk may hold", () => {
  it("a view cannot take the name of a folder of others, before or after its file is made", async () => {
    const garden = folder();
    const store = await opened(garden);
    await store.put("views/a/b", bytes("1"));
    const early = await store.put("views/a", bytes("2")).catch((error: Failure) => error.code);
    await until(() => fs.existsSync(fileOf(garden, "views/a/b")));
    const late = await store.put("views/a", bytes("2")).catch((error: Failure) => error.code);
    expect([early, late, (await store.health()).ok]).toEqual(["VALIDATION_FAILED", "VALIDATION_FAILED", true]);
  });

  it("a pipe in the store is no object, and stops nobody", async () => {
    const garden = folder();
    const store = await opened(garden);
    fs.mkdirSync(fileOf(garden, "agents/a"), { recursive: true });
    spawnSync("mkfifo", [fileOf(garden, "agents/a/_agent.md")]);
    const made = await store.create("agents/a/_agent.md", bytes("x")).catch((error: Failure) => error.code);
    expect([await store.get("agents/a/_agent.md"), made]).toEqual([undefined, "VALIDATION_FAILED"]);
  });

  it("an object that is too large is refused on this side of the socket, and harms no other call", async () => {
    const garden = folder();
    await opened(garden);
    const second = await opened(garden);
    const [large, small] = await Promise.allSettled([
      second.create("audit/large", new Uint8Array(64 * 1024 * 1024 + 1)),
      second.create("audit/small", bytes("x")),
    ]);
    expect([large.status === "rejected" && (large.reason as Failure).code, small.status]).toEqual([
      "VALIDATION_FAILED",
      "fulfilled",
    ]);
  });

  it("who closes a store again waits for the same end", async () => {
    const garden = folder();
    const store = await openDirStore({ garden, world: realWorld });
    await store.create("audit/a", bytes("x"));
    void store.close();
    await store.close();
    expect(fs.existsSync(fileOf(garden, "audit/a"))).toBe(true);
    expect(fs.readdirSync(join(garden, ".bloom/log"))).toEqual([]);
  });

  it("a closed store says so, and a limit is a whole number", async () => {
    const store = await openDirStore({ garden: folder(), world: realWorld });
    for (const name of ["a", "b", "c"]) await store.create(`audit/${name}`, bytes("x"));
    const page = await store.list("audit/", { limit: 1.5 });
    await store.close();
    expect([page.entries.length, (await store.health()).ok]).toEqual([1, false]);
  });
});

describe("after a crash", () => {
  it("damage of the very first record is told too", async () => {
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
    expect([
      fs.readdirSync(join(garden, ".bloom/set-aside")).length,
      (await remarksOf(second)).some((remark) => remark.includes("damaged")),
    ]).toEqual([1, true]);
  });

  it("G-5 a hand edit made after the last write is kept, and told", async () => {
    const garden = folder();
    const first = fragile(garden, () => ({}));
    await first.create("agents/a/_agent.md", bytes("v1 of the contract"));
    await first.swap("agents/a/_agent.md", await hashIn(first, "agents/a/_agent.md"), bytes("v2 of the contract"));
    fs.writeFileSync(fileOf(garden, "agents/a/_agent.md"), "a person's own words");
    const second = await opened(garden); // the first was never closed: its log is still there
    expect([
      await text(second, "agents/a/_agent.md"),
      (await remarksOf(second)).some((remark) => remark.includes("the edit was kept")),
    ]).toEqual(["a person's own words", true]);
  });

  it("a created object that somebody changed comes back, and the change is kept aside", async () => {
    const garden = folder();
    const first = fragile(garden, () => ({}));
    await first.create("audit/a.json", bytes('{"truth":1}'));
    await until(() => fs.existsSync(fileOf(garden, "audit/a.json")));
    fs.writeFileSync(fileOf(garden, "audit/a.json"), '{"lie":1}');
    const second = await opened(garden);
    expect([
      await text(second, "audit/a.json"),
      fs.readFileSync(join(garden, ".bloom/set-aside/audit/a.json"), "utf8"),
    ]).toEqual(['{"truth":1}', '{"lie":1}']);
  });

  it("damage in the middle of the log is told, and the log is kept", async () => {
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
    expect([readable, kept.length, (await remarksOf(second)).filter((remark) => remark.includes("damaged"))]).toEqual([
      ["audit/0.json", "audit/1.json"],
      1,
      [expect.stringContaining("2 answered writes cannot be read")],
    ]);
  });

  it.each([
    ["zeros only", Buffer.alloc(100)],
    ["half a beginning", Buffer.from("bloom-l")],
  ])("a log that was just begun (%s) is no damage", async (_, content) => {
    const garden = folder();
    fs.mkdirSync(join(garden, ".bloom/log"), { recursive: true });
    fs.writeFileSync(join(garden, ".bloom/log/00000007.log"), content);
    expect(await remarksOf(await opened(garden))).toEqual([]);
  });

  it("G-7 a log of a newer format is refused, and stays", async () => {
    const garden = folder();
    fs.mkdirSync(join(garden, ".bloom/log"), { recursive: true });
    fs.writeFileSync(join(garden, ".bloom/log/00000001.log"), "bloom-log 2\nwhatever");
    await expect(openDirStore({ garden, world: realWorld })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    expect(fs.existsSync(join(garden, ".bloom/log/00000001.log"))).toBe(true);
  });
});

describe("bad luck with the disk", () => {
  const full = (): Error => Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });

  it("a full disk fails the write with nothing written, and goes on when there is room again", async () => {
    const garden = folder();
    let isFull = false;
    const store = fragile(garden, (disk) => ({
      createLog: (path) => {
        const log = disk.createLog(path);
        const write: LogFile["write"] = (buffers, at) => (isFull ? Promise.reject(full()) : log.write(buffers, at));
        return { ...log, write };
      },
    }));
    await store.create("audit/before.json", bytes("{}"));
    isFull = true;
    const failures = await Promise.allSettled([
      store.create("audit/a.json", bytes("1")),
      store.create("audit/a.json", bytes("2")),
    ]);
    isFull = false;
    const after = await store.create("audit/a.json", bytes("3"));
    const reasons = failures.map((one) => one.status === "rejected" && { ...(one.reason as Failure) });
    expect([reasons, after.kind, await text(store, "audit/a.json"), await text(store, "audit/before.json")]).toEqual([
      [
        expect.objectContaining({ code: "UPSTREAM_UNAVAILABLE", outcome: "none" }),
        expect.objectContaining({ code: "UPSTREAM_UNAVAILABLE", outcome: "none" }),
      ],
      "created",
      "3",
      "{}",
    ]);
    await store.close();
    const again = await opened(garden);
    expect(await text(again, "audit/a.json")).toBe("3");
  });

  it("a write that can neither be finished nor taken back is told as unknown", async () => {
    const store = fragile(folder(), (disk) => ({
      createLog: (path) => ({
        ...disk.createLog(path),
        write: () => Promise.reject(full()),
        cut: () => Promise.reject(full()),
      }),
    }));
    await expect(store.create("audit/a.json", bytes("1"))).rejects.toMatchObject({ outcome: "unknown" });
  });

  it("answers go on while files cannot be made, health says why, and the files follow later", async () => {
    const garden = folder();
    let isFull = true;
    const store = fragile(garden, (disk) => ({
      rename: (from, to) => {
        if (isFull) throw full();
        disk.rename(from, to);
      },
    }));
    await store.create("audit/a.json", bytes("{}"));
    await until(async () => !(await store.health()).ok);
    const sick = await store.health();
    isFull = false;
    await until(async () => (await store.health()).ok);
    const well = await store.health();
    expect([
      sick.ok,
      sick.remarks.at(-1)?.en,
      well.ok,
      fs.readFileSync(fileOf(garden, "audit/a.json"), "utf8"),
    ]).toEqual([false, "the disk of the store is full", true, "{}"]);
    await store.close();
  });

  it("a folder that cannot be written is a clear failure at opening", async () => {
    const garden = folder();
    fs.writeFileSync(join(garden, ".bloom"), "a file in the way");
    await expect(openDirStore({ garden, world: realWorld })).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });
});

describe("a disk that is really full", () => {
  /** A file system of 256 KB, where this machine lets us mount one; elsewhere the recorded disk of the other suites must do. */
  function smallDisk(): string | undefined {
    const at = folder();
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", at]).status !== 0) return undefined;
    afterwards(() => void spawnSync("umount", ["-l", at]));
    return at;
  }

  it("refuses writes with the reason, keeps what was answered, goes on reading, and takes writes when there is room", async () => {
    const garden = smallDisk();
    if (!garden) return;
    const store = await opened(garden);
    await store.create("audit/kept.json", bytes('"kept"'));
    fs.writeFileSync(join(garden, "ballast"), Buffer.alloc(100_000));
    let answered = 0;
    const fill = async (): Promise<Failure> => {
      for (;;) {
        try {
          await store.create(`audit/${answered}.json`, bytes(JSON.stringify("x".repeat(5000))));
          answered++;
        } catch (error) {
          return error as Failure;
        }
      }
    };
    const failure = await fill();
    await store.close();
    const again = await opened(garden);
    const readable = (await again.list("audit/")).entries.length;
    fs.rmSync(join(garden, "ballast"));
    const later = await again.create("audit/later.json", bytes('"later"'));
    expect([failure.text.en, failure.outcome, readable, later.kind]).toEqual([
      "the disk of the store is full",
      "none",
      answered + 1,
      "created",
    ]);
  });
});
