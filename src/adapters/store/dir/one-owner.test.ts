import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Failure } from "../../../base/failure.ts";
import { realWorld } from "../../../base/world.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { openDirStore } from "./dir-store.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text);
const text = async (store: Store, key: string): Promise<string | undefined> => {
  const found = await store.get(key);
  return found && Buffer.from(found.bytes).toString();
};
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

let left: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const step of left.toReversed()) await step();
  left = [];
});
function folder(): string {
  const made = fs.mkdtempSync(join(tmpdir(), "bloom-owner-"));
  left.push(() => fs.rmSync(made, { recursive: true, force: true }));
  return made;
}
async function opened(garden: string): Promise<Store> {
  const store = await openDirStore({ garden, world: realWorld });
  left.push(() => store.close());
  return store;
}

describe("G-6 the owner of a store", () => {
  it("that closes during writes keeps acknowledged writes, and none of the refused ones", async () => {
    const garden = folder();
    const outcomes: Promise<[key: string, kind: string]>[] = [];
    for (let round = 0; round < 20; round++) {
      const store = await openDirStore({ garden, world: realWorld });
      for (let i = 0; i < 40; i++) {
        const key = `audit/${round}/${i % 30}.json`; // some of them wait for another of the same key
        outcomes.push(
          store.create(key, bytes("{}")).then(
            ({ kind }) => [key, kind],
            (error: Failure) => [`${key} `, error.outcome],
          ),
        );
        if (i % 13 === round % 13) await pause(0);
      }
      await store.close();
    }
    const settled = await Promise.all(outcomes);
    const store = await opened(garden);
    const there = new Set<string>();
    for await (const { key } of everyKey(store, "audit/")) there.add(key);
    const created = settled.filter(([, kind]) => kind === "created").map(([key]) => key);
    expect({
      lost: created.filter((key) => !there.has(key)),
      found: there.size,
      unknown: settled.filter(([, kind]) => kind === "unknown"),
    }).toEqual({ lost: [], found: created.length, unknown: [] });
  });

  it("serves a second process, which becomes the owner when the first one closes", async () => {
    const garden = folder();
    const first = await opened(garden);
    const second = await opened(garden);
    await second.create("audit/a.json", bytes("through the socket"));
    const roles = { first: (await first.health()).role, second: (await second.health()).role };
    await first.close();
    await second.create("audit/b.json", bytes("as the owner"));
    expect({ roles, later: (await second.health()).role, text: await text(second, "audit/a.json") }).toEqual({
      roles: { first: "owner", second: "client" },
      later: "owner",
      text: "through the socket",
    });
  });

  it("passes refusals to the other process unchanged", async () => {
    const garden = folder();
    await opened(garden);
    const second = await opened(garden);
    await expect(second.put("audit/a.json", bytes("x"))).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      text: { uk: expect.stringContaining("не ключ сховища") },
    });
  });

  it("is a new one if a dead owner left its lock, card and socket", async () => {
    const garden = folder();
    fs.mkdirSync(join(garden, ".bloom"));
    fs.writeFileSync(join(garden, ".bloom/owner.lock"), "");
    fs.writeFileSync(join(garden, ".bloom/owner.sock"), "");
    fs.writeFileSync(
      join(garden, ".bloom/owner.json"),
      JSON.stringify({ pid: 999_999, socket: join(garden, ".bloom/owner.sock") }),
    );
    expect((await (await opened(garden)).health()).role).toBe("owner");
  });

  it("has a socket even in a folder too deep for a socket's name", async () => {
    const garden = join(folder(), "deep-".repeat(20), "deeper-".repeat(20));
    fs.mkdirSync(garden, { recursive: true });
    await opened(garden);
    const second = await opened(garden);
    await second.create("audit/a.json", bytes("x"));
    expect((await second.health()).role).toBe("client");
  });

  it("closes a connection with foreign bytes, and continues to serve", async () => {
    const garden = folder();
    const store = await opened(garden);
    const { connect } = await import("node:net");
    for (const noise of ["GET / HTTP/1.1\r\n\r\n", "\0\0\0\0\0\0\0\0", "\u0002\0\0\0\0\0\0\0{}"]) {
      await new Promise<void>((done) => {
        const socket = connect(join(garden, ".bloom/owner.sock"), () => socket.end(noise));
        socket.on("close", () => done());
        socket.on("error", () => done());
        socket.resume();
      });
    }
    expect((await store.create("audit/a.json", bytes("x"))).kind).toBe("created");
  });
});
