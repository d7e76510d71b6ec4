import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Disk, LogFile } from "./disk.ts";
import { bytes, fileOf, folder, fragile, opened, text, until } from "./testing/directory-setup.ts";

describe("removal from a directory", () => {
  it("G-5 a contract that a person edits just before its removal stays, also after a crash", async () => {
    const key = "agents/a/_agent.md";
    const garden = folder();
    let isLate = false;
    const late: (disk: Disk) => Partial<Disk> = (disk) => ({
      createLog: (path) => {
        const log = disk.createLog(path);
        const write: LogFile["write"] = async (buffers, at) => {
          await log.write(buffers, at);
          if (isLate) fs.writeFileSync(fileOf(garden, key), "a person's own words");
        };
        return { ...log, write };
      },
    });
    const first = fragile(garden, late);
    const made = await first.create(key, bytes("v1"));
    await until(() => fs.existsSync(fileOf(garden, key)));
    isLate = true;
    const removed = await first.remove(key, made.kind === "created" ? made.hash : "");
    isLate = false;
    const after = { kind: removed.kind, text: await text(first, key) };
    const second = await opened(garden); // the first was never closed: its log is still there
    expect({ after, atReopening: await text(second, key) }).toEqual({
      after: { kind: "moved", text: "a person's own words" },
      atReopening: "a person's own words",
    });
  });

  it("an acknowledged removal is finished at the next opening, with its empty folders", async () => {
    const garden = folder();
    let isFull = false;
    const first = fragile(garden, (disk) => ({
      remove: (path) => {
        if (isFull && path.endsWith("_agent.md")) throw Object.assign(new Error("no"), { code: "ENOSPC" });
        disk.remove(path);
      },
    }));
    const made = await first.create("agents/a/b/_agent.md", bytes("v1"));
    await first.create("agents/c/_agent.md", bytes("v1"));
    await until(() => fs.existsSync(fileOf(garden, "agents/c/_agent.md")));
    isFull = true;
    const removed = await first.remove("agents/a/b/_agent.md", made.kind === "created" ? made.hash : "");
    const early = {
      kind: removed.kind,
      text: await text(first, "agents/a/b/_agent.md"),
      entries: (await first.list("")).entries.length,
    };
    const second = await opened(garden);
    expect({ early, keys: (await second.list("")).entries.map(({ key }) => key) }).toEqual({
      early: { kind: "removed", text: undefined, entries: 1 },
      keys: ["agents/c/_agent.md"],
    });
    expect(fs.readdirSync(fileOf(garden, "agents"))).toEqual(["c"]);
  });

  const dead = (): never => {
    throw Object.assign(new Error("the process is dead"), { code: "EIO" });
  };
  it.each<[string, Partial<Disk>]>([
    ["its folders existed and its file did not yet", { rename: dead }],
    ["its file was removed and its folders were not", { removeFolder: dead }],
  ])("a removal whose process died when %s is finished at the next opening", async (_, disk) => {
    const garden = folder();
    const first = fragile(garden, () => disk);
    const made = await first.create("agents/a/b/_agent.md", bytes("v1"));
    await until(() => fs.existsSync(fileOf(garden, "agents/a/b")));
    await first.remove("agents/a/b/_agent.md", made.kind === "created" ? made.hash : "");
    const halfway = {
      file: fs.existsSync(fileOf(garden, "agents/a/b/_agent.md")),
      folder: fs.existsSync(fileOf(garden, "agents/a/b")),
    };
    await opened(garden);
    expect({ halfway, files: fs.readdirSync(fileOf(garden, "")) }).toEqual({
      halfway: { file: false, folder: true },
      files: [],
    });
  });

  it("a person's file in the place of a folder, or inside one, is moved aside and blocks nothing", async () => {
    const garden = folder();
    const store = fragile(garden, () => ({}));
    const made = await store.create("agents/a/b/_agent.md", bytes("v1"));
    await until(() => fs.existsSync(fileOf(garden, "agents/a/b/_agent.md")));
    fs.writeFileSync(fileOf(garden, "agents/a/b/.notes"), "mine");
    await store.remove("agents/a/b/_agent.md", made.kind === "created" ? made.hash : "");
    await store.create("agents/a/b", bytes("v2"));
    await until(() => fs.statSync(fileOf(garden, "agents/a/b"), { throwIfNoEntry: false })?.isFile() ?? false);
    const file = fs.readFileSync(fileOf(garden, "agents/a/b"), "utf8");
    const inTheWay = store.create("agents/x/y/_agent.md", bytes("v3"));
    fs.writeFileSync(fileOf(garden, "agents/x"), "mine too");
    await inTheWay;
    await store.close();
    const aside = (key: string): string => fs.readFileSync(join(garden, ".bloom/set-aside", key), "utf8");
    expect({
      file,
      note: aside("agents/a/b/.notes"),
      created: fs.readFileSync(fileOf(garden, "agents/x/y/_agent.md"), "utf8"),
      aside: aside("agents/x"),
      remarks: (await store.health()).remarks.length,
    }).toEqual({ file: "v2", note: "mine", created: "v3", aside: "mine too", remarks: 2 });
  });
});
