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
  const objectsOf = (dir: string): { loose: number; packs: number } => {
    const folders = readdirSync(join(dir, ".git/objects")).filter((name) => name.length === 2);
    return {
      loose: folders.reduce((sum, name) => sum + readdirSync(join(dir, ".git/objects", name)).length, 0),
      packs: readdirSync(join(dir, ".git/objects/pack")).filter((name) => name.endsWith(".pack")).length,
    };
  };

  test.each([
    { length: 3, loose: 12, packs: 0 },
    { length: 12, loose: 0, packs: 1 },
  ])("$length commits: no object on disk before the move, $packs packs after it", async ({ length, loose, packs }) => {
    const { dir, core } = await garden();
    const before = objectsOf(dir);
    const { from, to } = await chained(core, length);
    expect(objectsOf(dir)).toEqual(before);
    await core.move([{ ref: MAIN, from, to }]);
    expect(objectsOf(dir)).toEqual({ loose: before.loose + loose, packs: before.packs + packs });
    expect({ status: status(dir), fsck: byHand(dir, "fsck", "--strict", "--no-dangling") }).toEqual({
      status: "",
      fsck: "",
    });
    expect(textAt(dir, `c/${length - 1}.md`)).toBe(`${length - 1}\n`);
  });

  test("a chain that is never moved to writes nothing to disk", async () => {
    const { dir, core } = await garden();
    const before = objectsOf(dir);
    const { from } = await chained(core, 12);
    const head = await core.build({
      parents: [from],
      edits: [edit("x", "1")],
      author: gardener,
      committer: gardener,
      message: "Other",
    });
    await core.move([{ ref: MAIN, from, to: head }]);
    expect(objectsOf(dir)).toEqual({ loose: before.loose + 3, packs: before.packs });
  });

  test("a chain that the disk refuses moves nothing, and can be moved later", async () => {
    const { dir, core } = await garden();
    const { from, to } = await chained(core, 12);
    const packs = join(dir, ".git/objects/pack");
    renameSync(packs, `${packs}-away`);
    writeFileSync(packs, "in the way");
    const refused = await core
      .move([{ ref: MAIN, from, to }])
      .catch(({ code, outcome }: { code: string; outcome: string }) => ({ code, outcome }));
    expect({ refused, head: await core.resolve(MAIN), written: existsSync(join(dir, "c")) }).toEqual({
      refused: { code: "UPSTREAM_UNAVAILABLE", outcome: "none" },
      head: from,
      written: false,
    });
    rmSync(packs);
    renameSync(`${packs}-away`, packs);
    expect(await core.move([{ ref: MAIN, from, to }])).toMatchObject({ kind: "moved" });
    expect({ head: await core.resolve(MAIN), status: status(dir) }).toEqual({ head: to, status: "" });
  });

  test("G-5 a chain that would overwrite a manual edit moves nothing and writes nothing", async () => {
    const { dir, core } = await garden();
    const { from, to } = await chained(core, 12);
    execFileSync("mkdir", [join(dir, "c")]);
    writeFileSync(join(dir, "c/5.md"), "mine\n");
    const before = objectsOf(dir);
    expect(await core.move([{ ref: MAIN, from, to }])).toEqual({ kind: "edited", paths: ["c/5.md"] });
    expect({ objects: objectsOf(dir), text: textAt(dir, "c/5.md") }).toEqual({ objects: before, text: "mine\n" });
    rmSync(join(dir, "c/5.md"));
    const written = Array.from({ length: 12 }, (_, i) => `c/${i}.md`).toSorted();
    expect(await core.move([{ ref: MAIN, from, to }])).toEqual(moved(...written));
  });
});

describe("a deferred object", () => {
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

  test("is written once, after the objects it builds on, and only when it is needed", async () => {
    const { held, written, pinned } = ground();
    await held.add("one", [blob("1")], []);
    await held.add("two", [blob("2"), blob("1")], ["one"]);
    await held.add("other", [blob("3")], ["one"]);
    await Promise.all([held.makeDurable(["two"]), held.makeDurable(["two"]), held.makeDurable(["one"])]);
    expect({ written, pinned: pinned.size }).toEqual({ written: [["1", "2"]], pinned: 1 });
    await held.makeDurable(["other", "unknown"]);
    expect({ written, pinned: pinned.size }).toEqual({ written: [["1", "2"], ["3"]], pinned: 0 });
  });

  test("stays deferred when it cannot be written", async () => {
    let isFull = true;
    const { held, written, pinned } = ground(() => isFull);
    await held.add("one", [blob("1")], []);
    await expect(held.makeDurable(["one"])).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE", outcome: "none" });
    expect(pinned.size).toBe(1);
    isFull = false;
    await held.makeDurable(["one"]);
    expect({ written, pinned: pinned.size }).toEqual({ written: [["1"]], pinned: 0 });
  });
});

test("git reads our packs: all types, all lengths of the size field, empty and large objects", async () => {
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
