import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { compareUtf8 } from "../../base/order.ts";
import { keySegment } from "../../domain/store-key.ts";
import type { Store } from "../../ports/store.ts";
import { inOrderConformance } from "./conformance-in-order.ts";
import { racesConformance } from "./conformance-races.ts";
import { bytes, failureCodeOf, keys, type StorePlace, same, text } from "./conformance-setup.ts";

/** The promises of `ports/store.ts`, races included. Every adapter must pass this suite. `sequences`: number of random ones. */
export function storeConformance(family: string, makePlace: () => Promise<StorePlace>, { sequences = 150 } = {}): void {
  describe(`${family}: conformance of the store port`, () => {
    let cleanUp: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const step of cleanUp.toReversed()) await step();
      cleanUp = [];
    });

    async function place(): Promise<StorePlace> {
      const made = await makePlace();
      cleanUp.push(() => made.discard());
      return made;
    }
    async function opened(at?: StorePlace): Promise<Store> {
      const store = await (at ?? (await place())).open();
      cleanUp.push(() => store.close());
      return store;
    }

    it("a created object can be read, with the git blob id as its hash", async () => {
      const store = await opened();
      const made = await store.create("audit/a.json", bytes("один"));
      const git = execFileSync("git", ["hash-object", "--stdin"], { input: "один" }).toString().trim();
      expect({ made, text: await text(store, "audit/a.json") }).toEqual({
        made: { kind: "created", hash: git },
        text: "один",
      });
    });

    it("create on a taken key returns `taken` and changes nothing", async () => {
      const store = await opened();
      await store.create("audit/a.json", bytes("first"));
      expect({
        second: await store.create("audit/a.json", bytes("second")),
        text: await text(store, "audit/a.json"),
      }).toEqual({ second: { kind: "taken" }, text: "first" });
    });

    it("get returns undefined for a missing key, and does not throw", async () => {
      expect(await (await opened()).get("audit/nothing.json")).toBeUndefined();
    });

    it("an empty object and a megabyte of bytes are read back unchanged", async () => {
      const store = await opened();
      const large = Uint8Array.from({ length: 1024 * 1024 }, (_, i) => (i * 31) & 0xff);
      await store.create("audit/empty", new Uint8Array());
      await store.create("audit/large", large);
      expect({
        emptyLength: (await store.get("audit/empty"))?.bytes.length,
        largeIsSame: same((await store.get("audit/large"))!.bytes, large),
      }).toEqual({ emptyLength: 0, largeIsSame: true });
    });

    it("the caller's buffer may be reused as soon as create is called", async () => {
      const store = await opened();
      const buffer = bytes("before");
      const creating = store.create("audit/a", buffer);
      buffer.fill(0);
      await creating;
      expect(await text(store, "audit/a")).toBe("before");
    });

    it("swap replaces an object with the expected hash, and otherwise returns the hash it found", async () => {
      const store = await opened();
      const first = await store.create("agents/a/_agent.md", bytes("1"));
      const hash = first.kind === "created" ? first.hash : "";
      const second = await store.swap("agents/a/_agent.md", hash, bytes("2"));
      const late = await store.swap("agents/a/_agent.md", hash, bytes("3"));
      const absent = await store.swap("agents/b/_agent.md", hash, bytes("4"));
      const now = (await store.get("agents/a/_agent.md"))!;
      expect({ second, late, absent, text: await text(store, "agents/a/_agent.md") }).toEqual({
        second: { kind: "swapped", hash: now.hash },
        late: { kind: "moved", hash: now.hash },
        absent: { kind: "moved", hash: undefined },
        text: "2",
      });
    });

    it.each(["agents/a/_agent.md", "views/a.json"])(
      "remove deletes an object with the expected hash, and otherwise returns the hash it found: %s",
      async (key) => {
        const store = await opened();
        const made = await store.create(key, bytes("1"));
        const hash = made.kind === "created" ? made.hash : "";
        const wrong = await store.remove(key, "0".repeat(40));
        const kept = await text(store, key);
        const right = await store.remove(key, hash);
        const twice = await store.remove(key, hash);
        expect({ wrong, kept, right, twice, found: await store.get(key), keys: await keys(store, "") }).toEqual({
          wrong: { kind: "moved", hash },
          kept: "1",
          right: { kind: "removed" },
          twice: { kind: "moved", hash: undefined },
          found: undefined,
          keys: [],
        });
      },
    );

    it.each([false, true])(
      "a removed key is free: for the same key, as a folder, as a file (reopened: %s)",
      async (reopen) => {
        const at = await place();
        let store = await opened(at);
        const again = async (): Promise<void> => {
          if (!reopen) return;
          await store.close();
          store = await opened(at);
        };
        const steps = ["agents/a", "agents/a/b/c", "agents/a/b", "agents/a/b", "agents/a"];
        for (const [i, key] of steps.entries()) {
          const made = await store.create(key, bytes(`${i}`));
          await again();
          expect({ key, made: made.kind, keys: await keys(store, ""), text: await text(store, key) }).toEqual({
            key,
            made: "created",
            keys: [key],
            text: `${i}`,
          });
          await store.remove(key, (await store.get(key))!.hash);
          await again();
        }
        expect(await keys(store, "")).toEqual([]);
      },
    );

    it("the name of a folder that still holds a key cannot be taken", async () => {
      const store = await opened();
      const made = await store.create("agents/a/b", bytes("1"));
      await store.create("agents/a/c", bytes("2"));
      await store.remove("agents/a/b", made.kind === "created" ? made.hash : "");
      expect({
        code: await failureCodeOf(store.create("agents/a", bytes("x"))),
        other: await text(store, "agents/a/c"),
      }).toEqual({ code: "VALIDATION_FAILED", other: "2" });
    });

    it("views are overwritten and deleted, and delete is idempotent", async () => {
      const store = await opened();
      await store.put("proposals/pending/p.json", bytes("1"));
      await store.put("proposals/pending/p.json", bytes("2"));
      const between = await text(store, "proposals/pending/p.json");
      await store.delete("proposals/pending/p.json");
      await store.delete("proposals/pending/p.json");
      expect({ between, after: await store.get("proposals/pending/p.json") }).toEqual({
        between: "2",
        after: undefined,
      });
    });

    it.each(["proposals/log/p/0000.json", "agents/a/_agent.md", "agents/a/runs/r/manifest.json", "audit/x.json"])(
      "G-3 an object that is not a view cannot be overwritten or deleted like one: %s",
      async (key) => {
        const store = await opened();
        await store.create(key, bytes("truth"));
        expect({
          put: await failureCodeOf(store.put(key, bytes("lie"))),
          delete: await failureCodeOf(store.delete(key)),
          text: await text(store, key),
        }).toEqual({ put: "VALIDATION_FAILED", delete: "VALIDATION_FAILED", text: "truth" });
      },
    );

    it("a swap after a put over an older view finds the new view", async () => {
      const at = await place();
      const first = await at.open();
      await first.create("registry.json", bytes("older"));
      await first.close();
      const store = await opened(at);
      await store.put("registry.json", bytes("put"));
      const swapped = await store.swap("registry.json", (await store.get("registry.json"))!.hash, bytes("swapped"));
      expect({ kind: swapped.kind, text: await text(store, "registry.json") }).toEqual({
        kind: "swapped",
        text: "swapped",
      });
    });

    const oddKeys = [
      "audit/нотатка про їжака.md",
      "audit/emoji-🌱.json",
      "audit/with space.json",
      "audit/a+b=c,d;e@f(g)[h]{i}!$&'~#.json",
      "audit/%2e%2e.json",
      "audit/^x.json",
      `audit/${"х".repeat(90)}.json`,
      "audit/a.b/c.d/e.f.json",
      "audit/日本語.json",
      `audit/${keySegment("UPPER Case/../Ї")}.json`,
      `audit/${keySegment("nul")}.json`,
    ];
    it.each(oddKeys)("an unusual key is valid: %s", async (key) => {
      const store = await opened();
      await store.create(key, bytes(key));
      expect({ text: await text(store, key), keys: await keys(store, "audit/") }).toEqual({ text: key, keys: [key] });
    });

    const badKeys = [
      "",
      "/",
      "/audit/a",
      "audit/",
      "audit//a",
      "../a",
      "audit/../../a",
      "audit/./a",
      "audit/..",
      "audit/a\0b",
      "audit/a\nb",
      "audit\\a",
      "audit/.hidden",
      "audit/A.json",
      "audit/Ї.json",
      "audit/й.json".normalize("NFD"),
      "audit/nul",
      "audit/com1.json",
      "audit/a.",
      "audit/a ",
      "audit/ a",
      "audit/a:b",
      "audit/a*b",
      "audit/\ud800",
      "audit/zero\u200bwidth",
      `audit/${"a".repeat(300)}`,
      `audit/${"a/".repeat(600)}b`,
    ];
    it.each(badKeys.map((key) => [JSON.stringify(key).slice(0, 40), key]))(
      "a key that traverses paths, or that some file system would confuse, is refused: %s",
      async (_, key) => {
        const store = await opened();
        expect({
          create: await failureCodeOf(store.create(key, bytes("x"))),
          swap: await failureCodeOf(store.swap(key, "0".repeat(40), bytes("x"))),
          put: await failureCodeOf(store.put(key, bytes("x"))),
          delete: await failureCodeOf(store.delete(key)),
          remove: await failureCodeOf(store.remove(key, "0".repeat(40))),
          keys: await keys(store, ""),
        }).toEqual({
          create: "VALIDATION_FAILED",
          swap: "VALIDATION_FAILED",
          put: "VALIDATION_FAILED",
          delete: "VALIDATION_FAILED",
          remove: "VALIDATION_FAILED",
          keys: [],
        });
      },
    );

    it("list is in the order of UTF-8 bytes, by any prefix, and pages of every size give the same entries", async () => {
      const store = await opened();
      const names = [
        "a-b/1",
        "a/1",
        "a/2",
        "a0",
        "ab",
        "я/1",
        "\uff5e",
        "😀",
        "a/10",
        "a/-",
        "b/c/d/e",
        "b/c.x",
        "b/c!",
      ];
      await Promise.all(names.map((name) => store.create(`audit/${name}`, bytes(name))));
      const all = names.map((name) => `audit/${name}`).toSorted(compareUtf8);
      expect(await keys(store, "")).toEqual(all);
      for (const prefix of ["audit", "audit/", "audit/a", "audit/a/", "audit/b/c", "audit/b/c/", "audit/x", "a", "z"]) {
        expect(await keys(store, prefix), prefix).toEqual(all.filter((key) => key.startsWith(prefix)));
      }
      for (let limit = 1; limit <= all.length + 1; limit++) {
        const paged: string[] = [];
        let after: string | undefined;
        do {
          const page = await store.list("audit/", { limit, ...(after !== undefined && { after }) });
          paged.push(...page.entries.map(({ key }) => key));
          expect(page.entries.length).toBeLessThanOrEqual(limit);
          after = page.next;
        } while (after !== undefined);
        expect(paged).toEqual(all);
      }
      expect((await store.list("audit/a/2")).entries).toMatchObject([{ key: "audit/a/2", size: 3 }]);
    });

    it("a version, where one is told, is that of a read, and other content has another", async () => {
      const store = await opened();
      const versions: (string | undefined)[] = [];
      for (const content of ["one", "two", "one"]) {
        await store.put("views/versions/a.json", Buffer.from(content));
        const listed = (await store.list("views/versions/")).entries[0]?.version;
        expect((await store.get("views/versions/a.json"))?.version).toBe(listed);
        versions.push(listed);
      }
      const [first, second, third] = versions;
      expect(first === undefined ? [second, third] : [second !== first, third === first]).toEqual(
        first === undefined ? [undefined, undefined] : [true, true],
      );
    });

    it("a prefix cannot leave the store", async () => {
      const store = await opened();
      const codes = await Promise.all(
        ["..", "../", "audit/../..", "/"].map((prefix) => failureCodeOf(store.list(prefix))),
      );
      expect(new Set(codes)).toEqual(new Set(["VALIDATION_FAILED"]));
    });

    racesConformance({ place, opened });
    inOrderConformance({ place, opened });

    it("every acknowledged write is found when the store is opened again", async () => {
      const at = await place();
      const store = await at.open();
      for (let i = 0; i < 50; i++) await store.create(`audit/${i}.json`, bytes(`${i}`));
      await store.put("registry.json", bytes("{}"));
      await store.close();
      const again = await opened(at);
      expect({
        count: (await keys(again, "audit/")).length,
        last: await text(again, "audit/49.json"),
        view: await text(again, "registry.json"),
      }).toEqual({ count: 50, last: "49", view: "{}" });
    });

    it("a store behaves like a map, through any sequence of calls and reopenings", async () => {
      const key = fc.constantFrom("audit/a", "audit/b/c", "registry.json", "views/x", "views/y/z");
      const call = fc.oneof(
        { weight: 4, arbitrary: fc.record({ verb: fc.constant("create" as const), key, value: fc.string() }) },
        {
          weight: 3,
          arbitrary: fc.record({ verb: fc.constant("swap" as const), key, value: fc.string(), fits: fc.boolean() }),
        },
        { weight: 2, arbitrary: fc.record({ verb: fc.constant("put" as const), key, value: fc.string() }) },
        { weight: 2, arbitrary: fc.record({ verb: fc.constant("delete" as const), key }) },
        { weight: 3, arbitrary: fc.record({ verb: fc.constant("remove" as const), key, fits: fc.boolean() }) },
        { weight: 1, arbitrary: fc.record({ verb: fc.constant("reopen" as const) }) },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(call, { maxLength: 30 }), async (calls) => {
          const at = await makePlace();
          let store = await at.open();
          const model = new Map<string, string>();
          const isView = (name: string): boolean => name === "registry.json" || name.startsWith("views/");
          for (const step of calls) {
            if (step.verb === "reopen") {
              await store.close();
              store = await at.open();
            } else if (step.verb === "create") {
              const kind = (await store.create(step.key, bytes(step.value))).kind;
              expect(kind).toBe(model.has(step.key) ? "taken" : "created");
              if (kind === "created") model.set(step.key, step.value);
            } else if (step.verb === "swap") {
              const now = await store.get(step.key);
              const expected = step.fits && now ? now.hash : "0".repeat(40);
              const kind = (await store.swap(step.key, expected, bytes(step.value))).kind;
              expect(kind).toBe(step.fits && now ? "swapped" : "moved");
              if (kind === "swapped") model.set(step.key, step.value);
            } else if (step.verb === "remove") {
              const now = await store.get(step.key);
              const expected = step.fits && now ? now.hash : "0".repeat(40);
              const kind = (await store.remove(step.key, expected)).kind;
              expect(kind).toBe(step.fits && now ? "removed" : "moved");
              if (kind === "removed") model.delete(step.key);
            } else if (isView(step.key)) {
              if (step.verb === "put") await store.put(step.key, bytes(step.value));
              else await store.delete(step.key);
              if (step.verb === "put") model.set(step.key, step.value);
              else model.delete(step.key);
            }
            const found = await Promise.all(
              (await keys(store, "")).map(async (name) => [name, await text(store, name)]),
            );
            expect(found).toEqual([...model].toSorted(([a], [b]) => compareUtf8(a, b)));
          }
          await store.close();
          await at.discard();
        }),
        { numRuns: sequences },
      );
    });
  });
}
