import { expect, it } from "vitest";
import { prove } from "../../base/testing/prove.ts";
import { bytes, keys, type StoreSuite, text } from "./conformance-setup.ts";

/** Concurrent writes to one key, through two stores of one place. */
export function racesConformance({ place, opened }: StoreSuite): void {
  it("one of 32 concurrent creates of a key wins, and every other caller can read the winner's object", async () => {
    prove({ races: 1 });
    const at = await place();
    const stores = [await opened(at), await opened(at)];
    for (let round = 0; round < 20; round++) {
      const key = `proposals/log/p${round}/0001.json`;
      const seen = await Promise.all(
        Array.from({ length: 32 }, async (_, i) => {
          const made = await stores[i % 2]!.create(key, bytes(`${i}`));
          return { i, kind: made.kind, read: await text(stores[(i + 1) % 2]!, key) };
        }),
      );
      const winners = seen.filter(({ kind }) => kind === "created");
      expect(winners).toHaveLength(1);
      expect(new Set(seen.map(({ read }) => read))).toEqual(new Set([`${winners[0]!.i}`]));
    }
  });

  it("no update is lost when 16 callers swap one counter", async () => {
    prove({ races: 1 });
    const at = await place();
    const stores = [await opened(at), await opened(at)];
    const key = "agents/a/_agent.md";
    await stores[0]!.create(key, bytes("0"));
    let refused = 0;
    await Promise.all(
      Array.from({ length: 16 }, async (_, i) => {
        for (let done = 0; done < 10; ) {
          const store = stores[i % 2]!;
          const now = (await store.get(key))!;
          const next = bytes(`${Number(Buffer.from(now.bytes).toString()) + 1}`);
          if ((await store.swap(key, now.hash, next)).kind === "swapped") done++;
          else refused++;
        }
      }),
    );
    expect({ counter: await text(stores[0]!, key), someRefused: refused > 0 }).toEqual({
      counter: "160",
      someRefused: true,
    });
  });

  it("one of 16 swaps and 16 removals of an object wins, and the object is as the winner left it", async () => {
    prove({ races: 1 });
    const at = await place();
    const stores = [await opened(at), await opened(at)];
    const wins = { swapped: 0, removed: 0 };
    for (let round = 0; round < 30; round++) {
      const key = `agents/a${round}/_agent.md`;
      const made = await stores[0]!.create(key, bytes("0"));
      const hash = made.kind === "created" ? made.hash : "";
      const order = round % 2;
      const answers = await Promise.all(
        Array.from({ length: 32 }, async (_, i) => {
          const store = stores[(i >> 1) % 2]!;
          return {
            i,
            ...(await (i % 2 === order ? store.swap(key, hash, bytes(`by ${i}`)) : store.remove(key, hash))),
          };
        }),
      );
      const winners = answers.filter(({ kind }) => kind !== "moved");
      expect(winners).toHaveLength(1);
      const [{ i, kind }] = winners as [{ i: number; kind: "swapped" | "removed" }];
      wins[kind]++;
      expect(await text(stores[1]!, key)).toBe(kind === "swapped" ? `by ${i}` : undefined);
    }
    expect(wins.swapped + wins.removed).toBe(30);
  });

  it("a key that 16 callers create and remove repeatedly has one holder at a time", async () => {
    prove({ races: 1 });
    const at = await place();
    const stores = [await opened(at), await opened(at)];
    let holders = 0;
    let most = 0;
    let taken = 0;
    await Promise.all(
      Array.from({ length: 16 }, async (_, i) => {
        const store = stores[i % 2]!;
        for (let done = 0; done < 4; ) {
          const made = await store.create("agents/turn/_agent.md", bytes(`${i} ${done}`));
          if (made.kind === "taken") {
            taken++;
            continue;
          }
          most = Math.max(most, ++holders);
          await store.get("agents/turn/_agent.md");
          holders--;
          expect(await store.remove("agents/turn/_agent.md", made.hash)).toEqual({ kind: "removed" });
          done++;
        }
      }),
    );
    expect({ mostHolders: most, someTaken: taken > 0, keys: await keys(stores[0]!, "") }).toEqual({
      mostHolders: 1,
      someTaken: true,
      keys: [],
    });
  });
}
