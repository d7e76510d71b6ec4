import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Failure } from "../../../base/failure.ts";
import { realWorld } from "../../../base/world.ts";
import { openDirStore } from "./dir-store.ts";
import type { LogFile } from "./disk.ts";
import { afterwards, bytes, fileOf, folder, fragile, opened, text, until } from "./testing/directory-setup.ts";

describe("a store whose disk fails", () => {
  const full = (): Error => Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });

  it("fails a write to a full disk with nothing written, and continues when there is space again", async () => {
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
    expect({
      reasons,
      after: after.kind,
      written: await text(store, "audit/a.json"),
      before: await text(store, "audit/before.json"),
    }).toEqual({
      reasons: [
        expect.objectContaining({ code: "UPSTREAM_UNAVAILABLE", outcome: "none" }),
        expect.objectContaining({ code: "UPSTREAM_UNAVAILABLE", outcome: "none" }),
      ],
      after: "created",
      written: "3",
      before: "{}",
    });
    await store.close();
    const again = await opened(garden);
    expect(await text(again, "audit/a.json")).toBe("3");
  });

  it("reports a write that can be neither finished nor taken back as unknown", async () => {
    const store = fragile(folder(), (disk) => ({
      createLog: (path) => ({
        ...disk.createLog(path),
        write: () => Promise.reject(full()),
        cut: () => Promise.reject(full()),
      }),
    }));
    await expect(store.create("audit/a.json", bytes("1"))).rejects.toMatchObject({ outcome: "unknown" });
  });

  it("acknowledges writes while files cannot be written, reports why in its health, and writes the files later", async () => {
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
    expect({
      sick: sick.ok,
      reason: sick.remarks.at(-1)?.en,
      well: well.ok,
      file: fs.readFileSync(fileOf(garden, "audit/a.json"), "utf8"),
    }).toEqual({ sick: false, reason: "the disk of the store is full", well: true, file: "{}" });
    await store.close();
  });

  it("fails to open if the folder cannot be written", async () => {
    const garden = folder();
    fs.writeFileSync(join(garden, ".bloom"), "a file in the way");
    await expect(openDirStore({ garden, world: realWorld })).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });
});

describe("a store on a full disk", () => {
  /** A file system of 256 KB; undefined if this machine does not allow mounts. Other suites use the recorded disk. */
  function smallDisk(): string | undefined {
    const at = folder();
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", at]).status !== 0) return undefined;
    afterwards(() => void spawnSync("umount", ["-l", at]));
    return at;
  }

  it("refuses writes with the reason, keeps acknowledged writes, can be read, and accepts writes when there is space", async () => {
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
    expect({ reason: failure.text.en, outcome: failure.outcome, readable, later: later.kind }).toEqual({
      reason: "the disk of the store is full",
      outcome: "none",
      readable: answered + 1,
      later: "created",
    });
  });
});
