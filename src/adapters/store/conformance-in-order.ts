import { expect, it } from "vitest";
import type { Write } from "../../ports/store.ts";
import { bytes, failureCodeOf, keys, type StoreSuite, text } from "./conformance-setup.ts";

const put = (key: string, content: string): Write => ({ verb: "put", key, bytes: bytes(content) });
const create = (key: string, content: string): Write => ({ verb: "create", key, bytes: bytes(content) });
const must = (key: string, content: string): Write => ({ verb: "create", key, bytes: bytes(content), must: true });

/** Several writes in one call, by the owner of the store and by a client process. */
export function inOrderConformance({ place, opened }: StoreSuite): void {
  const both = async () => {
    const at = await place();
    return [await opened(at), await opened(at)] as const;
  };

  it.each([0, 1])("in order, all are done and each tells what became of it (store %i)", async (which) => {
    const stores = await both();
    await stores[0].create("audit/old", bytes("old"));
    await stores[0].put("views/gone.json", bytes("soon"));
    const done = await stores[which]!.inOrder([
      put("views/a.json", "a"),
      create("audit/old", "another"),
      create("audit/new", "new"),
      { verb: "delete", key: "views/gone.json" },
    ]);
    expect(done.map(({ kind }) => kind)).toEqual(["done", "taken", "created", "done"]);
    expect(await keys(stores[1 - which]!, "")).toEqual(["audit/new", "audit/old", "views/a.json"]);
    expect([await text(stores[0], "audit/old"), await text(stores[0], "audit/new")]).toEqual(["old", "new"]);
  });

  it.each([0, 1])("in order, nothing follows a create that must and finds its key taken (store %i)", async (which) => {
    const stores = await both();
    await stores[0].create("audit/b", bytes("first"));
    const done = await stores[which]!.inOrder([put("views/a.json", "a"), must("audit/b", "b"), create("audit/c", "c")]);
    expect(done.map(({ kind }) => kind)).toEqual(["done", "taken"]);
    expect([await keys(stores[0], ""), await text(stores[0], "audit/b")]).toEqual([
      ["audit/b", "views/a.json"],
      "first",
    ]);
  });

  it.each<[string, Write]>([
    ["a key that is none", create("Audit/X", "x")],
    ["a put of what is no view", put("audit/x", "x")],
    ["a folder of other keys", create("audit", "x")],
  ])("in order, nothing follows one that is refused: %s", async (_, wrong) => {
    const stores = await both();
    await stores[0].create("audit/there", bytes("there"));
    for (const store of stores)
      expect(await failureCodeOf(store.inOrder([wrong, create("audit/behind", "x")]))).toBe("VALIDATION_FAILED");
    expect(await keys(stores[0], "")).toEqual(["audit/there"]);
  });

  it("in order, the caller's buffers may be reused at once", async () => {
    const store = await opened();
    const buffer = bytes("before");
    const writing = store.inOrder([{ verb: "create", key: "audit/a", bytes: buffer }]);
    buffer.fill(0);
    await writing;
    expect(await text(store, "audit/a")).toBe("before");
  });

  it("in order, of 16 that race for one key one goes on behind it, and the others leave nothing there", async () => {
    const stores = await both();
    for (let round = 0; round < 10; round++) {
      const done = await Promise.all(
        Array.from({ length: 16 }, (_, i) =>
          stores[i % 2]!.inOrder([must(`audit/${round}/first`, `${i}`), create(`audit/${round}/by-${i}`, `${i}`)]),
        ),
      );
      const winners = done.flatMap(([first], i) => (first?.kind === "created" ? [i] : []));
      expect(winners).toHaveLength(1);
      expect(await keys(stores[0], `audit/${round}/`)).toEqual([
        `audit/${round}/by-${winners[0]}`,
        `audit/${round}/first`,
      ]);
    }
  });
}
