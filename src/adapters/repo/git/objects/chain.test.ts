import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Oid } from "../../../../domain/git/git-names.ts";
import { edit, garden, MAIN, moved, status, textAt } from "../testing/garden.ts";
import { byHand, environment, scratch } from "../testing/scratch.ts";
import { gardener } from "../testing/signatures.ts";
import { deferredCommits } from "./deferred-commits.ts";
import type { ObjectReader } from "./object-reader.ts";
import { type NewObject, newObject } from "./object-writer.ts";
import { packOf } from "./pack-file.ts";

type Core = Awaited<ReturnType<typeof garden>>["core"];

async function chained(core: Core, length: number): Promise<{ from: Oid; to: Oid }> {
  const from = (await core.resolve(MAIN))!;
  let to = from;
  for (let i = 0; i < length; i++)
    to = await core.build(
      { parents: [to], edits: [edit(`c/${i}.md`, `${i}\n`)], author: gardener, committer: gardener, message: `${i}` },
      { durable: "with-move" },
    );
  return { from, to };
}

describe("a chain of commits that lands with one move", () => {
  const looseAndPacks = (dir: string): [number, number] => {
    const folders = readdirSync(join(dir, ".git/objects")).filter((name) => name.length === 2);
    return [
      folders.reduce((sum, name) => sum + readdirSync(join(dir, ".git/objects", name)).length, 0),
      readdirSync(join(dir, ".git/objects/pack")).filter((name) => name.endsWith(".pack")).length,
    ];
  };

  test.each([
    { length: 3, loose: 12, packs: 0 },
    { length: 12, loose: 0, packs: 1 },
  ])("$length commits: nothing on disk before the move, $packs packs after it", async ({ length, loose, packs }) => {
    const { dir, core } = await garden();
    const before = looseAndPacks(dir);
    const { from, to } = await chained(core, length);
    expect(looseAndPacks(dir)).toEqual(before);
    await core.move([{ ref: MAIN, from, to }]);
    expect(looseAndPacks(dir)).toEqual([before[0] + loose, before[1] + packs]);
    expect([status(dir), byHand(dir, "fsck", "--strict", "--no-dangling")]).toEqual(["", ""]);
    expect(textAt(dir, `c/${length - 1}.md`)).toBe(`${length - 1}\n`);
  });

  test("one that nobody lands costs the disk nothing", async () => {
    const { dir, core } = await garden();
    const before = looseAndPacks(dir);
    const { from } = await chained(core, 12);
    const head = await core.build({
      parents: [from],
      edits: [edit("x", "1")],
      author: gardener,
      committer: gardener,
      message: "Other",
    });
    await core.move([{ ref: MAIN, from, to: head }]);
    expect(looseAndPacks(dir)).toEqual([before[0] + 3, before[1]]);
  });

  test("one that the disk refuses moves nothing, and lands when it may", async () => {
    const { dir, core } = await garden();
    const { from, to } = await chained(core, 12);
    const packs = join(dir, ".git/objects/pack");
    renameSync(packs, `${packs}-away`);
    writeFileSync(packs, "in the way");
    const refused = await core
      .move([{ ref: MAIN, from, to }])
      .catch(({ code, outcome }: { code: string; outcome: string }) => [code, outcome]);
    expect([refused, await core.resolve(MAIN), existsSync(join(dir, "c"))]).toEqual([
      ["UPSTREAM_UNAVAILABLE", "none"],
      from,
      false,
    ]);
    rmSync(packs);
    renameSync(`${packs}-away`, packs);
    expect(await core.move([{ ref: MAIN, from, to }])).toMatchObject({ kind: "moved" });
    expect([await core.resolve(MAIN), status(dir)]).toEqual([to, ""]);
  });

  test("G-5 one that would write over an edit by hand moves nothing and writes nothing", async () => {
    const { dir, core } = await garden();
    const { from, to } = await chained(core, 12);
    execFileSync("mkdir", [join(dir, "c")]);
    writeFileSync(join(dir, "c/5.md"), "mine\n");
    const before = looseAndPacks(dir);
    expect(await core.move([{ ref: MAIN, from, to }])).toEqual({ kind: "edited", paths: ["c/5.md"] });
    expect([looseAndPacks(dir), textAt(dir, "c/5.md")]).toEqual([before, "mine\n"]);
    rmSync(join(dir, "c/5.md"));
    const written = Array.from({ length: 12 }, (_, i) => `c/${i}.md`).toSorted();
    expect(await core.move([{ ref: MAIN, from, to }])).toEqual(moved(...written));
  });
});

describe("what is held back", () => {
  const blob = (text: string): NewObject => newObject("blob", Buffer.from(text));
  function ground(fails: () => boolean = () => false) {
    const written: string[][] = [];
    const pinned = new Set<Oid>();
    const reader = { pin: (oid: Oid) => pinned.add(oid), unpin: (oid: Oid) => pinned.delete(oid) };
    const held = deferredCommits(reader as unknown as ObjectReader, async (objects) => {
      if (fails()) throw Object.assign(new Error("full"), { code: "ENOSPC" });
      written.push(objects.map(({ bytes }) => Buffer.from(bytes).toString()));
    });
    return { held, written, pinned };
  }

  test("is written once, what is built upon first, and only what is needed", async () => {
    const { held, written, pinned } = ground();
    await held.add("one", [blob("1")], []);
    await held.add("two", [blob("2"), blob("1")], ["one"]);
    await held.add("other", [blob("3")], ["one"]);
    await Promise.all([held.makeDurable(["two"]), held.makeDurable(["two"]), held.makeDurable(["one"])]);
    expect([written, pinned.size]).toEqual([[["1", "2"]], 1]);
    await held.makeDurable(["other", "unknown"]);
    expect([written, pinned.size]).toEqual([[["1", "2"], ["3"]], 0]);
  });

  test("stays held when it cannot be written", async () => {
    let isFull = true;
    const { held, written, pinned } = ground(() => isFull);
    await held.add("one", [blob("1")], []);
    await expect(held.makeDurable(["one"])).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE", outcome: "none" });
    expect(pinned.size).toBe(1);
    isFull = false;
    await held.makeDurable(["one"]);
    expect([written, pinned.size]).toEqual([[["1"]], 0]);
  });
});

test("a pack of ours is one that git reads: all types, all lengths of a size, empty and large objects", async () => {
  const dir = scratch();
  byHand(dir, "init", "-q");
  const sizes = [0, 1, 15, 16, 2047, 2048, 32_768, 32_769, 262_143, 262_144, 1_000_000];
  const blobs = sizes.map((size) => newObject("blob", Buffer.alloc(size, "їжак ")));
  const { name, pack, index } = await packOf([...blobs, newObject("tree", new Uint8Array())]);
  const path = join(dir, ".git/objects/pack", `pack-${name}`);
  writeFileSync(`${path}.pack`, pack);
  writeFileSync(`${path}.idx`, index);
  const listed = byHand(dir, "verify-pack", "-v", `${path}.idx`)
    .split("\n")
    .slice(0, sizes.length + 1);
  expect(new Set(listed.map((line) => line.split(/ +/).slice(0, 3).join(" ")))).toEqual(
    new Set([
      ...blobs.map(({ oid, bytes }) => `${oid} blob ${bytes.length}`),
      "4b825dc642cb6eb9a060e54bf8d69288fbee4904 tree 0",
    ]),
  );
  const made = execFileSync("git", ["index-pack", "--stdin"], { cwd: dir, env: environment, input: pack });
  expect(made.toString().trim()).toBe(`pack\t${name}`);
});
