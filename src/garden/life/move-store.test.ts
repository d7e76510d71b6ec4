import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, test } from "vitest";
import { describeWithCeph, freshPlace } from "../../adapters/store/s3/testing/ceph.ts";
import { Failure, isFailure } from "../../base/failure.ts";
import { prove } from "../../base/testing/prove.ts";
import { readGardenConfig } from "../../domain/config/garden-config.ts";
import { withGardenStore } from "../../domain/config/garden-config-text.ts";
import { isSameStore, readStoreName, type StoreConfig, storeName } from "../../domain/config/store-config.ts";
import type { Store } from "../../ports/store.ts";
import { issueToken, readToken, revokeToken } from "../agents/access/tokens.ts";
import {
  closeFound,
  closeGarden,
  findGarden,
  type Garden,
  type GardenPorts,
  leftMark,
  openGarden,
  type StoreSettings,
} from "../core/garden.ts";
import { verifyGarden } from "../insight/verify/verify.ts";
import { closed, gardenWith, git, killedEverywhere, scratch, snapshot } from "../testing/scratch.ts";
import { type MovedStore, moveStore } from "./move-store.ts";
import { bucketPorts, byHand, contentOf, planted, withCephKeys, writeInMirror } from "./testing/garden-to-move.ts";

const moved = async (...call: Parameters<typeof moveStore>): Promise<MovedStore> =>
  (await moveStore(...call)) as MovedStore;

test.each(["version: 2\nname: a # b\n", "version: 2\n\n# last\n", "version: 2\nname: x\n\nzones: []\n"])(
  "G-7 a store that is set and removed leaves garden.yaml as it was: %j",
  (text) => {
    const store = readStoreName("s3://garden/home?endpoint=https://s3.example.com&region=eu-1")!;
    const there = withGardenStore(text, store);
    expect({ back: withGardenStore(there, { kind: "directory" }), name: storeName(store) }).toEqual({
      back: text,
      name: "s3://garden/home?endpoint=https://s3.example.com&region=eu-1",
    });
  },
);

test.each(["s3://", "s3://garden", "garden", "s3://UPPER/x?endpoint=https://a.b", "s3://garden?endpoint=ftp://a.b"])(
  "a store that cannot be is refused: %s",
  (name) => expect(readStoreName(name)).toBeUndefined(),
);

describeWithCeph("G-8 moving a garden between stores", () => {
  const directory: StoreConfig = { kind: "directory" };
  withCephKeys();
  it("a garden that is moved there and back has the same objects, settings and digest", async () => {
    const dir = await planted();
    const before = { objects: await contentOf(dir), settings: readFileSync(join(dir, "garden.yaml"), "utf8") };
    const there = await moved(bucketPorts(), dir, await freshPlace());
    const inBucket = await contentOf(dir);
    const back = await moved(bucketPorts(), dir, directory);
    const after = { objects: await contentOf(dir), settings: readFileSync(join(dir, "garden.yaml"), "utf8") };
    expect({ after, inBucket, digest: back.digest, status: git(dir, "status", "--porcelain") }).toEqual({
      after: before,
      inBucket: before.objects,
      digest: there.digest,
      status: "",
    });
  });

  it("a move that is killed at any point is refused by every command, and completed by the same call", async () => {
    const kills = await killedEverywhere("move", async (die) => {
      const dir = await planted();
      const before = await contentOf(dir);
      const to = await freshPlace();
      const points = await die(dir, storeName(to));
      const half = await openGarden(bucketPorts(), dir)
        .then(closeGarden)
        .catch((error: unknown) => error);
      if (half !== undefined)
        expect(isFailure(half, "INVALID_TRANSITION") && half.hint?.en, points.at(-1)).toContain("bloom move --to");
      const done = await moved(bucketPorts(), dir, to).catch((error: unknown) => {
        if (!isFailure(error, "INVALID_TRANSITION")) throw error; // killed when all was done
        return undefined;
      });
      if (done) expect(done.resumed, points.at(-1)).toBe(half !== undefined);
      expect(await contentOf(dir), points.at(-1)).toEqual(before);
      prove({ kills: 1 });
      return points;
    });
    expect(kills).toBeGreaterThan(1);
  });

  it("a target with objects, another process, and edits of agents are refused before anything is written", async () => {
    const [dir, other, to] = [await planted(), await planted(), await freshPlace()];
    await moveStore(bucketPorts(), other, to);
    const codes: unknown[] = [];
    const attempt = () =>
      moveStore(bucketPorts(), dir, to).catch((error: unknown) => codes.push(isFailure(error) ? error.code : error));
    await attempt();
    const open = await openGarden(bucketPorts(), dir);
    await attempt();
    await closeGarden(open);
    writeFileSync(join(dir, "agents/echo/_agent.md"), "edited\n");
    await moveStore(bucketPorts(), dir, await freshPlace()).catch((error: unknown) =>
      codes.push(isFailure(error) ? error.code : error),
    );
    expect(codes).toEqual(["DUPLICATE_ENTRY", "CONCURRENT_MODIFICATION", "CONCURRENT_MODIFICATION"]);
  });

  it("G-3 a target inside the place of a garden is refused, its own too, and nothing is written", async () => {
    const [dir, other, outer] = [await planted(), await planted(), await freshPlace()];
    await moveStore(bucketPorts(), other, outer);
    const inside: StoreConfig = { ...outer, prefix: `${outer.prefix}/home` };
    const before = await contentOf(other);
    const refused = [
      await moveStore(bucketPorts(), dir, inside).catch((error: unknown) => error),
      await moveStore(bucketPorts(), other, inside).catch((error: unknown) => error),
    ];
    const told = refused.map((each) => isFailure(each, "DUPLICATE_ENTRY") && each.message.includes(storeName(outer)));
    expect({ told, after: await contentOf(other), isOpen: Object.keys(await contentOf(dir)).length > 0 }).toEqual({
      told: [true, true],
      after: before,
      isOpen: true,
    });
  });

  it("a bucket that a garden has left refuses processes with older settings", async () => {
    const dir = await planted();
    await moveStore(bucketPorts(), dir, await freshPlace());
    const older = readFileSync(join(dir, "garden.yaml"), "utf8");
    await moveStore(bucketPorts(), dir, directory);
    writeFileSync(join(dir, "garden.yaml"), older);
    const refusals = [
      await openGarden(bucketPorts(), dir).catch((error: unknown) => error),
      await moveStore(bucketPorts(), dir, await freshPlace()).catch((error: unknown) => error),
      await problemOfStore(dir),
    ];
    const told = refusals.map((each) => isFailure(each, "INVALID_TRANSITION") && [each.message, each.hint?.en]);
    // After `git pull` another machine would have an empty garden in its own folder.
    const here = [
      expect.stringContaining("was moved to dir"),
      expect.stringMatching(/machine that moved it.*go on there/),
    ];
    expect(told).toEqual([here, here, here]);
  });

  /** The failure of the store that `bloom verify` reports. */
  async function problemOfStore(dir: string): Promise<unknown> {
    const found = await findGarden(bucketPorts(), dir);
    const problems = await verifyGarden(found);
    await closeFound(found);
    expect(problems.length).toBeGreaterThan(0);
    return found.store.kind === "failed" ? found.store.failure : undefined;
  }

  it("a move that was interrupted is called off by a move back, and the garden is as it was", async () => {
    const dir = await planted();
    const before = await contentOf(dir);
    const gone: StoreConfig = { ...(await freshPlace()), bucket: "no-such-bucket" };
    writeFileSync(
      join(dir, ".bloom/moving.json"),
      JSON.stringify({ from: directory, to: gone, at: "2026-02-14T08:00:00.000Z" }),
    );
    const half = await problemOfStore(dir);
    const calledOff = await moveStore(bucketPorts(), dir, directory);
    expect({ half: isFailure(half, "INVALID_TRANSITION"), calledOff, after: await contentOf(dir) }).toEqual({
      half: true,
      calledOff: { stays: "dir", calledOff: storeName(gone) },
      after: before,
    });
  });

  it.each<["dir" | "s3"]>([["dir"], ["s3"]])(
    "a move that was switched is not called off by old settings that are put back, but completed (from %s)",
    async (from) => {
      const dir = await planted();
      if (from === "s3") await moveStore(bucketPorts(), dir, await freshPlace());
      const [before, older] = [await contentOf(dir), readFileSync(join(dir, "garden.yaml"), "utf8")];
      const to = await freshPlace();
      await moveStore(bucketPorts(), dir, to);
      // As if the process had died before its last step.
      const [aside] = from === "dir" ? readdirSync(join(dir, ".bloom/moved-stores")) : [];
      const source = readGardenConfig(Buffer.from(older));
      if (source.kind !== "value") throw new Error(older);
      const at =
        aside?.replace(/^(....)(..)(..T..)(..)/, "$1-$2-$3:$4:") ?? (await markIn(dir, source.value.store))?.at;
      writeFileSync(join(dir, ".bloom/moving.json"), JSON.stringify({ from: source.value.store, to, at }));
      writeFileSync(join(dir, "garden.yaml"), older);
      const refused = await moveStore(bucketPorts(), dir, source.value.store).catch((error: unknown) => error);
      const done = await moved(bucketPorts(), dir, to);
      expect({ hint: isFailure(refused) && refused.hint?.en, done, after: await contentOf(dir) }).toEqual({
        hint: expect.stringContaining("it completes the move"),
        done: expect.objectContaining({ resumed: true, objects: Object.keys(before).length, unmarked: undefined }),
        after: before,
      });
    },
  );

  /** The mark that a move has left in a bucket. */
  async function markIn(
    dir: string,
    store: StoreConfig,
  ): Promise<{ readonly to: string; readonly at: string } | undefined> {
    const bucket = await bucketPorts().openStore(dir, { agents_root: "agents", store });
    const mark = await leftMark(bucket);
    await bucket.close();
    return mark;
  }

  it("an interrupted move of a garden that another machine has moved elsewhere is given up, and loses nothing", async () => {
    const dir = await planted();
    const [from, unfinished, elsewhere] = [await freshPlace(), await freshPlace(), await freshPlace()];
    await moveStore(bucketPorts(), dir, from);
    const before = await contentOf(dir);
    const other = join(scratch(), "other");
    cpSync(dir, other, { recursive: true });
    writeFileSync(
      join(dir, ".bloom/moving.json"),
      JSON.stringify({ from, to: unfinished, at: "2026-02-14T08:00:00Z" }),
    );
    await moveStore(bucketPorts(), other, elsewhere);
    const refused = await moveStore(bucketPorts(), dir, unfinished).catch((error: unknown) => error);
    expect(isFailure(refused, "INVALID_TRANSITION") && refused.message).toContain(
      `was moved to ${storeName(elsewhere)}`,
    );
    expect([(await markIn(dir, from))?.to, existsSync(join(dir, ".bloom/moving.json"))]).toEqual([
      storeName(elsewhere),
      false,
    ]);
    writeFileSync(join(dir, "garden.yaml"), readFileSync(join(other, "garden.yaml")));
    expect(await contentOf(dir)).toEqual(before);
  });

  it("a move during which another machine writes is refused, and copies that too when it is repeated", async () => {
    const dir = await planted();
    const [from, to] = [await freshPlace(), await freshPlace()];
    await moveStore(bucketPorts(), dir, from);
    const late = "audit/2026-02/14/090000-late.json";
    const writeLate = async (): Promise<void> => {
      const other = await bucketPorts().openStore(dir, { agents_root: "agents", store: from });
      await other.create(late, Buffer.from("{}"));
      await other.close();
    };
    let written: Promise<void> | undefined;
    const beforeComparison = async (at: string, settings: StoreSettings): Promise<Store> => {
      const store = await bucketPorts().openStore(at, settings);
      if (!isSameStore(settings.store, to)) return store;
      const get: Store["get"] = async (key) => (await (written ??= writeLate()), await store.get(key));
      return new Proxy(store, {
        get(_, name) {
          const member = Reflect.get(store, name) as unknown;
          return name === "get" ? get : typeof member === "function" ? (member.bind(store) as unknown) : member;
        },
      });
    };
    const ports = { ...bucketPorts(), openStore: beforeComparison };
    const refused = await moveStore(ports, dir, to).catch((error: unknown) => error);
    expect(isFailure(refused, "CONCURRENT_MODIFICATION") && refused.details["key"]).toBe(late);
    await moveStore(bucketPorts(), dir, to);
    expect(Object.keys(await contentOf(dir))).toContain(late);
  });

  it("a move that goes on names the same variables of keys and the same region", async () => {
    const [dir, to] = [await planted(), await freshPlace()];
    writeFileSync(join(dir, ".bloom/moving.json"), JSON.stringify({ from: directory, to, at: "2026-02-14T08:00:00Z" }));
    const other: StoreConfig = to.kind === "s3" ? { ...to, region: "eu-1" } : to;
    const refused = await moveStore(bucketPorts(), dir, other).catch((error: unknown) => error);
    expect(isFailure(refused, "INVALID_TRANSITION") && refused.hint?.en).toContain(storeName(to));
  });

  it("A-3 a token is valid in the new place, and one that was revoked there is not valid again after the move back", async () => {
    const dir = await planted();
    const inGarden = async <T>(use: (garden: Garden) => Promise<T>): Promise<T> => {
      const garden = await openGarden(bucketPorts(), dir);
      try {
        return await use(garden);
      } finally {
        await closeGarden(garden);
      }
    };
    const issue = (name: string) => inGarden((garden) => issueToken(garden, { kind: "owner", name }, { by: "owner" }));
    const kindOf = async ({ token }: { readonly token: string }) =>
      (await inGarden((garden) => readToken(garden, token))).kind;
    const [kept, lost] = [await issue("kept"), await issue("lost")];
    await moveStore(bucketPorts(), dir, await freshPlace());
    const inBucket = [await kindOf(kept), await kindOf(lost)];
    await inGarden((garden) => revokeToken(garden, lost.id, "owner"));
    await moveStore(bucketPorts(), dir, directory);
    expect({ inBucket, back: [await kindOf(kept), await kindOf(lost)] }).toEqual({
      inBucket: ["good", "good"],
      back: ["good", "refused"],
    });
  });

  it("a bucket that was left and takes no writes is told, and the garden is open in the new place", async () => {
    const dir = await planted();
    const left = await freshPlace();
    await moveStore(bucketPorts(), dir, left);
    const before = await contentOf(dir);
    const full = new Failure("UPSTREAM_UNAVAILABLE", { en: "over its quota", uk: "квоту вичерпано" });
    const ground = (): GardenPorts => ({
      ...bucketPorts(),
      async openStore(...call) {
        const store = await bucketPorts().openStore(...call);
        const isLeft = isSameStore(call[1].store, left);
        return isLeft ? Object.assign(store, { put: () => Promise.reject(full) }) : store;
      },
    });
    const done = await moved(ground(), dir, await freshPlace());
    expect({ unmarked: done.unmarked?.en, after: await contentOf(dir) }).toEqual({
      unmarked: "over its quota",
      after: before,
    });
  });

  it("a place without an object is not opened; a garden without an object can be moved", async () => {
    const { garden, dir } = await gardenWith({ "notes/a.md": "# A\n" });
    await closed({ garden });
    const [to, wrong] = [await freshPlace(), await freshPlace()];
    await moveStore(bucketPorts(), dir, to);
    expect(await contentOf(dir)).toEqual({}); // opened: its claim is there
    writeFileSync(join(dir, "garden.yaml"), withGardenStore(readFileSync(join(dir, "garden.yaml"), "utf8"), wrong));
    const refused = await openGarden(bucketPorts(), dir).catch((error: unknown) => error);
    expect(isFailure(refused, "INVALID_TRANSITION")).toBe(true);
  });

  /** Without folders: a store that is opened makes its own. */
  const filesOf = (dir: string): [string, string][] =>
    Object.entries(snapshot(dir, [".git", ".bloom/tmp"])).filter(([path]) => !path.endsWith("/"));

  it.each([["committed"], ["uncommitted"], ["ignored"]])(
    "G-1a a move to dir is refused while the mirror has agents that the bucket does not have: %s",
    async (how) => {
      const dir = await planted();
      const before = await contentOf(dir);
      await moveStore(bucketPorts(), dir, await freshPlace());
      writeInMirror(dir);
      if (how === "ignored") appendFileSync(join(dir, ".git/info/exclude"), "agents/\n");
      if (how === "committed") git(dir, "add", "agents");
      if (how === "committed") git(dir, "commit", "-qm", "by hand");
      const untouched = filesOf(dir);
      const refused = await moveStore(bucketPorts(), dir, directory).catch((error: unknown) => error);
      const after = filesOf(dir);
      for (const path of byHand) rmSync(join(dir, path));
      if (how === "committed") git(dir, "commit", "-qam", "not by hand");
      const { resumed } = await moved(bucketPorts(), dir, directory);
      expect({ refused, after, resumed, objects: await contentOf(dir) }).toEqual({
        refused: expect.objectContaining({
          code: "CONCURRENT_MODIFICATION",
          message: expect.stringMatching(`not in s3://.*${byHand.join(", ")}`),
          hint: expect.anything(),
        }),
        after: untouched,
        resumed: false,
        objects: before,
      });
    },
  );

  it("G-1a files that only the mirror has are refused by a move that goes on after an interruption too", async () => {
    const dir = await planted();
    const from = await freshPlace();
    await moveStore(bucketPorts(), dir, from);
    const mark = { from, to: directory, at: "2026-02-14T08:00:00.000Z" };
    writeFileSync(join(dir, ".bloom/moving.json"), JSON.stringify(mark));
    writeInMirror(dir);
    const refused = await moveStore(bucketPorts(), dir, directory).catch((error: unknown) => error);
    for (const path of byHand) rmSync(join(dir, path));
    const { resumed } = await moved(bucketPorts(), dir, directory);
    expect({ message: isFailure(refused) && refused.message, resumed }).toEqual({
      message: expect.stringContaining(byHand.join(", ")),
      resumed: true,
    });
  });
});
