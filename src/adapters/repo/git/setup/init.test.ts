import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ranNode } from "../../../../base/testing/ran-node.ts";
import { testProgram } from "../../../../base/testing/test-program.ts";
import { realWorld } from "../../../../base/world.ts";
import { byHand, environment, scratch } from "../testing/scratch.ts";
import { initRepository } from "./init.ts";
import { lookAtFolder } from "./look-at-folder.ts";

const make = (dir: string) => initRepository(dir, environment, realWorld);
const killedProgram = testProgram(join(import.meta.dirname, "../testing/killed-setup.ts"));

describe("creating a repository (G-1)", () => {
  test("keeps the files of the folder, on an unborn main", async () => {
    const dir = scratch();
    writeFileSync(join(dir, "нотатка.md"), "text");
    await make(dir);
    expect(readdirSync(dir).toSorted()).toEqual([".git", "нотатка.md"]);
    expect(readFileSync(join(dir, "нотатка.md"), "utf8")).toBe("text");
    expect(await lookAtFolder(dir, environment)).toEqual({
      kind: "repository",
      branch: "main",
      head: undefined,
      underWay: undefined,
    });
  });

  test("sets the options that protect its history, in the repository itself", async () => {
    const dir = scratch();
    await make(dir);
    const set = (name: string) => byHand(dir, "config", "--local", name);
    expect(set("core.logAllRefUpdates")).toBe("always");
    expect(set("core.fsync")).toBe("committed");
    expect(set("gc.auto")).toBe("0");
    expect(set("receive.denyNonFastForwards")).toBe("true");
    expect(set("transfer.fsckObjects")).toBe("true");
    expect(set("notes.displayRef")).toBe("refs/notes/*");
  });

  test("is refused in an existing repository, whose settings stay", async () => {
    const dir = scratch();
    byHand(dir, "init", "-q");
    const before = readFileSync(join(dir, ".git/config"), "utf8");
    await expect(make(dir)).rejects.toMatchObject({ code: "DUPLICATE_ENTRY" });
    expect(readFileSync(join(dir, ".git/config"), "utf8")).toBe(before);
  });

  test.each(["init:made", "init:settled"])(
    "leaves no repository when killed at %s, and succeeds the next time",
    async (point) => {
      const dir = scratch();
      const child = await ranNode([killedProgram, "init", dir, point]);
      expect(child.signal).toBe("SIGKILL");
      expect(existsSync(join(dir, ".git"))).toBe(false);
      await make(dir);
      expect(readdirSync(dir)).toEqual([".git"]);
      expect(byHand(dir, "config", "--local", "gc.auto")).toBe("0");
    },
  );
});
