import { spawn } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realWorld } from "../../../../base/world.ts";
import { byHand, environment, scratch } from "../testing/scratch.ts";
import { maintainRepository } from "./maintain.ts";

const at = (dir: string) => ({ place: { dir, environment }, commonDir: join(dir, ".git") });
const eager = { looseObjects: 64, packs: 3, looseRefs: 20 };

function repository(commits: number): string {
  const dir = scratch();
  byHand(dir, "init", "-q", "-b", "main");
  for (let i = 0; i < commits; i++) {
    writeFileSync(join(dir, `ї${i}.md`), `${i}\n`);
    byHand(dir, "add", ".");
    byHand(dir, "commit", "-q", "-m", `commit ${i}`);
  }
  return dir;
}

const filesOf = (dir: string): string[] =>
  readdirSync(join(dir, ".git"), { recursive: true, encoding: "utf8" }).toSorted();
const objectsOf = (dir: string): string[] =>
  byHand(dir, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split("\n").toSorted();
const packs = (dir: string): string[] =>
  readdirSync(join(dir, ".git/objects/pack")).filter((name) => name.endsWith(".pack"));
const loose = (dir: string): string => /^count: (\d+)/m.exec(byHand(dir, "count-objects", "-v"))![1]!;

test("maintenance of a small repository does nothing", async () => {
  const dir = repository(2);
  const before = filesOf(dir);
  expect(await maintainRepository(at(dir), realWorld)).toEqual({
    packed: 0,
    gathered: false,
    refsPacked: false,
    graphed: false,
  });
  expect(filesOf(dir)).toEqual(before);
});

test("packed commits get a commit graph, once", async () => {
  const dir = repository(3);
  byHand(dir, "repack", "-q", "-a", "-d");
  const graphed = [await maintainRepository(at(dir), realWorld), await maintainRepository(at(dir), realWorld)].map(
    (done) => done.graphed,
  );
  expect({ graphed, verify: byHand(dir, "commit-graph", "verify") }).toEqual({ graphed: [true, false], verify: "" });
});

test("loose objects become a pack, and none is lost, not even unreachable ones", async () => {
  const dir = repository(40);
  writeFileSync(join(dir, "unreachable"), "written, not yet referred to");
  byHand(dir, "hash-object", "-w", "unreachable");
  const before = objectsOf(dir);
  expect(await maintainRepository(at(dir), realWorld, { ...eager, looseObjects: 0 })).toMatchObject({
    packed: before.length,
  });
  expect(loose(dir)).toBe("0");
  expect(objectsOf(dir)).toEqual(before);
  expect(byHand(dir, "fsck", "--strict", "--full", "--no-dangling")).toBe("");
  expect(byHand(dir, "commit-graph", "verify")).toBe("");
  expect(byHand(dir, "log", "--format=%s", "--", "ї7.md")).toBe("commit 7");
});

test("many packs become few, and no object is lost", async () => {
  const dir = repository(0);
  for (let i = 0; i < 6; i++) {
    writeFileSync(join(dir, "a.md"), `${i}\n`.repeat(50));
    byHand(dir, "add", ".");
    byHand(dir, "commit", "-q", "-m", `commit ${i}`);
    await maintainRepository(at(dir), realWorld, { ...eager, looseObjects: 0, packs: 99 });
  }
  const before = objectsOf(dir);
  expect(packs(dir)).toHaveLength(6);
  expect(await maintainRepository(at(dir), realWorld, eager)).toMatchObject({ gathered: true });
  expect(packs(dir).length).toBeLessThanOrEqual(2);
  expect(objectsOf(dir)).toEqual(before);
  expect(byHand(dir, "fsck", "--strict", "--full")).toBe("");
});

test("many refs become one file, and keep their values", async () => {
  const dir = repository(1);
  for (let i = 0; i < 30; i++) byHand(dir, "branch", `agents/a${i}`);
  const before = byHand(dir, "for-each-ref");
  expect(await maintainRepository(at(dir), realWorld, eager)).toMatchObject({ refsPacked: true });
  expect(byHand(dir, "for-each-ref")).toBe(before);
  expect(readdirSync(join(dir, ".git/refs/heads"), { recursive: true })).toEqual([]);
});

test("maintenance beside two writers loses no acknowledged commit", async () => {
  const dir = repository(1);
  const running = new Set(["left", "right"]);
  const writers = [...running].map((name) => {
    const program = join(import.meta.dirname, "../testing/timed-writer.ts");
    const child = spawn(process.execPath, [program, dir, name, "6000"], { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    return new Promise<string[]>((resolve, reject) => {
      child.on("close", (code) => {
        running.delete(name);
        if (code === 0) resolve(said.trimEnd().split("\n"));
        else reject(new Error(`the writer ended with ${code}`));
      });
    });
  });
  const done = { rounds: 0, packed: 0, gathered: 0, refsPacked: 0 };
  const everything = Promise.all(writers);
  while (running.size > 0) {
    const round = await maintainRepository(at(dir), realWorld, { looseObjects: 0, packs: 2, looseRefs: 0 });
    done.rounds++;
    done.packed += round.packed;
    if (round.gathered) done.gathered++;
    if (round.refsPacked) done.refsPacked++;
  }
  const answered = (await everything).flat();
  const history = new Set(byHand(dir, "rev-list", "main").split("\n"));
  console.log(
    `maintain beside 2 writers: ${answered.length} commits answered for, ${done.rounds} rounds, ${done.packed} objects packed, ${done.gathered} times gathered, ${done.refsPacked} times refs packed`,
  );
  expect(answered.length).toBeGreaterThan(0);
  expect(answered.filter((oid) => !history.has(oid))).toEqual([]);
  expect(byHand(dir, "fsck", "--strict", "--full", "--no-dangling")).toBe("");
  expect(byHand(dir, "status", "--porcelain")).toBe("");
});
