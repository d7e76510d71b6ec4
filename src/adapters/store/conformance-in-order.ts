import { expect, it } from "vitest";
import { besideEachOther, type Write } from "../../ports/store.ts";
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

  it.each([0, 1])("inOrder does all writes, and returns the result of each (store %i)", async (which) => {
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
    expect({ old: await text(stores[0], "audit/old"), new: await text(stores[0], "audit/new") }).toEqual({
      old: "old",
      new: "new",
    });
  });

  it.each([0, 1])("inOrder stops at a create with `must` whose key is taken (store %i)", async (which) => {
    const stores = await both();
    await stores[0].create("audit/b", bytes("first"));
    const done = await stores[which]!.inOrder([put("views/a.json", "a"), must("audit/b", "b"), create("audit/c", "c")]);
    expect(done.map(({ kind }) => kind)).toEqual(["done", "taken"]);
    expect({ keys: await keys(stores[0], ""), text: await text(stores[0], "audit/b") }).toEqual({
      keys: ["audit/b", "views/a.json"],
      text: "first",
    });
  });

  it.each([0, 1])("inOrder does writes beside each other before the next one (store %i)", async (which) => {
    const stores = await both();
    await stores[0].create("audit/old", bytes("old"));
    const first = [put("views/a.json", "a"), create("audit/old", "another"), create("audit/new", "new")];
    const done = await stores[which]!.inOrder([
      ...besideEachOther(first),
      must("audit/first", "first"),
      { ...put("views/b.json", "b"), beside: true },
      { verb: "delete", key: "views/a.json" },
    ]);
    expect(done.map(({ kind }) => kind)).toEqual(["done", "taken", "created", "created", "done", "done"]);
    expect(await keys(stores[1 - which]!, "")).toEqual(["audit/first", "audit/new", "audit/old", "views/b.json"]);
    const ended = await stores[which]!.inOrder([must("audit/first", "x"), { ...create("audit/x", "x"), beside: true }]);
    expect([ended, await keys(stores[0], "audit/x")]).toEqual([[{ kind: "taken" }], []]);
  });

  it.each([0, 1])("inOrder does nothing after a refused write, whatever is beside it (store %i)", async (which) => {
    const stores = await both();
    const writes = [create("audit/a", "a"), create("Audit/X", "x"), create("audit/c", "c")];
    const code = failureCodeOf(stores[which]!.inOrder([...besideEachOther(writes), create("audit/behind", "x")]));
    expect(await code).toBe("VALIDATION_FAILED");
    expect(await keys(stores[0], "audit/behind")).toEqual([]);
  });

  it.each<[string, Write]>([
    ["an invalid key", create("Audit/X", "x")],
    ["a put of a key that is not a view", put("audit/x", "x")],
    ["a folder of other keys", create("audit", "x")],
  ])("inOrder stops at a write that is refused: %s", async (_, wrong) => {
    const stores = await both();
    await stores[0].create("audit/there", bytes("there"));
    for (const store of stores)
      expect(await failureCodeOf(store.inOrder([wrong, create("audit/behind", "x")]))).toBe("VALIDATION_FAILED");
    expect(await keys(stores[0], "")).toEqual(["audit/there"]);
  });

  it("the caller's buffers may be reused as soon as inOrder is called", async () => {
    const store = await opened();
    const buffer = bytes("before");
    const writing = store.inOrder([{ verb: "create", key: "audit/a", bytes: buffer }]);
    buffer.fill(0);
    await writing;
    expect(await text(store, "audit/a")).toBe("before");
  });

  it("one of 16 concurrent inOrder calls for a key does its later writes, and the others write nothing", async () => {
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
