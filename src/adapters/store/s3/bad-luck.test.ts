import { afterEach, expect, it } from "vitest";
import { blobId } from "../../../base/canonical.ts";
import { isFailure } from "../../../base/failure.ts";
import { seeded } from "../../../base/testing/seeded.ts";
import { realWorld, type World } from "../../../base/world.ts";
import type { S3Settings } from "../../../domain/config/store-config.ts";
import { createOrFind } from "../../../garden/core/flow/create-record.ts";
import type { Store } from "../../../ports/store.ts";
import { openEndpoint } from "./endpoint.ts";
import { openS3Store } from "./open-s3-store.ts";
import { badProxy, type ProxyFault } from "./testing/bad-proxy.ts";
import { ceph, cephSecrets, describeWithCeph, freshPlace, keptProofs } from "./testing/ceph.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});

async function storeBehind(
  faultOf: (request: { readonly method: string; readonly number: number }) => ProxyFault,
  more: { settings?: Partial<S3Settings>; world?: World; answerMs?: number } = {},
): Promise<{ store: Store; counts: Record<string, number> }> {
  // The server is proved without faults; the store then begins.
  const clean = await freshPlace();
  await (await openS3Store({ settings: clean, world: realWorld, secretOf: cephSecrets, proofs: keptProofs() })).close();
  let isReady = false;
  const proxy = await badProxy(ceph().endpoint, (request) => (isReady ? faultOf(request) : undefined));
  open.push(proxy);
  const settings = { ...clean, endpoint: proxy.url, ...more.settings };
  const endpoint = openEndpoint(new URL(settings.endpoint), { answerMs: more.answerMs ?? 20_000, connectMs: 2000 });
  const world = more.world ?? realWorld;
  const store = await openS3Store({ settings, world, secretOf: cephSecrets, proofs: keptProofs(), endpoint });
  open.push(store);
  isReady = true;
  return { store, counts: proxy.counts };
}

const bytes = (text: string): Uint8Array => Buffer.from(text);
const told = async (call: Promise<unknown>): Promise<string> =>
  await call.then(
    (answer) => JSON.stringify(answer),
    (error: unknown) =>
      isFailure(error) ? `${error.code} ${error.outcome} ${String(error.details["part"])}` : String(error),
  );

describeWithCeph("A-6 an S3 store whose server or network fails", () => {
  it("behind a proxy that names itself as the server, stands its test, and one of racing creates wins", async () => {
    const settings = await freshPlace();
    const real = openEndpoint(new URL(settings.endpoint));
    const send: typeof real.send = async (request) => {
      const answer = await real.send(request);
      return { ...answer, headers: { ...answer.headers, server: "nginx" } };
    };
    const proofs = { read: () => undefined, write: () => undefined };
    const ends: unknown[] = [];
    for (let opening = 0; opening < 4; opening++) {
      const endpoint = { send, close: () => undefined };
      const store = await openS3Store({ settings, world: realWorld, secretOf: cephSecrets, proofs, endpoint });
      const racers = Array.from({ length: 16 }, (_, racer) => store.create(`audit/${opening}.json`, bytes(`${racer}`)));
      const made = await Promise.all(racers.map((racer) => racer.then(({ kind }) => kind, String)));
      ends.push(made.toSorted());
      await store.close();
    }
    real.close();
    const oneWins = ["created", ...Array.from({ length: 15 }, () => "taken")];
    expect(ends).toEqual([oneWins, oneWins, oneWins, oneWins]);
  });

  it("with 30 % of the answers to writes lost, no record of four writers is lost or doubled", async () => {
    const chance = seeded(14);
    const { store, counts } = await storeBehind(({ method }) =>
      method === "PUT" && chance() < 0.3 ? "lost" : undefined,
    );
    const WRITERS = 4;
    const EACH = 8;
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        let number = 0;
        for (let done = 0; done < EACH; ) {
          const key = `proposals/log/p/${String(number).padStart(4, "0")}.json`;
          const made = await createOrFind(store, key, bytes(`{"op":"${writer}-${done}"}`)).catch(() => undefined);
          if (made?.first) done++;
          if (made) number++;
        }
      }),
    );
    const found: string[] = [];
    for (const { key } of (await store.list("proposals/log/p/")).entries)
      found.push(Buffer.from((await store.get(key))!.bytes).toString());
    expect({ count: found.length, different: new Set(found).size, someLost: (counts["lost"] ?? 0) > 5 }).toEqual({
      count: WRITERS * EACH,
      different: WRITERS * EACH,
      someLost: true,
    });
  });

  it("a lost answer is a failure with outcome unknown, for each kind of write, and the write has happened", async () => {
    let faults = 0;
    const { store } = await storeBehind(({ method }) => (method !== "GET" && faults-- > 0 ? "lost" : undefined));
    const one = await store.create("agents/a/_agent.md", bytes("1"));
    const hash = one.kind === "created" ? one.hash : "";
    const results: string[] = [];
    const losing = async (call: () => Promise<unknown>): Promise<void> => {
      faults = 1;
      results.push(await told(call()));
    };
    await losing(() => store.create("agents/b/_agent.md", bytes("2")));
    await losing(() => store.put("views/a.json", bytes("{}")));
    await losing(() => store.swap("agents/a/_agent.md", hash, bytes("3")));
    await losing(() => store.remove("agents/b/_agent.md", blobId(bytes("2"))));
    await losing(() => store.delete("views/a.json"));
    const left = (await store.list("")).entries.map(({ key }) => key);
    expect({ results: [...new Set(results)], left }).toEqual({
      results: ["UPSTREAM_UNAVAILABLE unknown store"],
      left: ["agents/a/_agent.md"],
    });
  });

  it("SlowDown is repeated until the server has time, and a read survives a cut connection", async () => {
    let busy = 3;
    const { store, counts } = await storeBehind(({ method }) => {
      if (method === "PUT") return busy-- > 0 ? "slow-down" : undefined;
      return busy-- > -3 ? "cut" : undefined;
    });
    const made = await store.create("agents/a/_agent.md", bytes("1"));
    const read = await store.get("agents/a/_agent.md");
    expect({ made: made.kind, read: read?.bytes.length, busy: counts["slow-down"], cut: counts["cut"] }).toEqual({
      made: "created",
      read: 1,
      busy: 3,
      cut: 2,
    });
  });

  it("an answer that comes too late leaves a write unknown, and a write after it works", async () => {
    let isSlow = true;
    const { store } = await storeBehind(() => (isSlow ? "slow" : undefined), { answerMs: 300 });
    const late = await told(store.create("agents/a/_agent.md", bytes("1")));
    isSlow = false;
    expect({ late, after: (await store.create("agents/b/_agent.md", bytes("2"))).kind }).toEqual({
      late: "UPSTREAM_UNAVAILABLE unknown store",
      after: "created",
    });
  });

  it("a bucket that is away fails with outcome none, health tells it, and everything works when it is back", async () => {
    let isAway = false;
    const settings = await freshPlace();
    const real = openEndpoint(new URL(settings.endpoint));
    const nowhere = openEndpoint(new URL("http://127.0.0.1:1"));
    const endpoint = {
      send: (request: Parameters<typeof real.send>[0]) => (isAway ? nowhere : real).send(request),
      close: () => real.close(),
    };
    const store = await openS3Store({
      settings,
      world: realWorld,
      secretOf: cephSecrets,
      proofs: keptProofs(),
      endpoint,
    });
    open.push(store);
    isAway = true;
    const away = [await told(store.create("audit/a.json", bytes("1"))), await told(store.get("audit/a.json"))];
    const { ok, role } = await store.health();
    isAway = false;
    expect({ away, ok, role, back: (await store.create("audit/a.json", bytes("1"))).kind }).toEqual({
      away: ["UPSTREAM_UNAVAILABLE none store", "UPSTREAM_UNAVAILABLE none store"],
      ok: false,
      role: "remote",
      back: "created",
    });
  });

  it("a clock that is an hour wrong is corrected by the server's", async () => {
    const world: World = { ...realWorld, now: () => realWorld.now() - 3_600_000 };
    const { store } = await storeBehind(() => undefined, { world });
    expect((await store.create("audit/a.json", bytes("1"))).kind).toBe("created");
  });

  it.each<[string, Partial<S3Settings>, (variable: string) => string | undefined, RegExp]>([
    [
      "a wrong secret",
      {},
      (name) => (name === "S3_SECRET_KEY" ? "wrong" : ceph().key),
      /refuses the keys.*\|.*S3_SECRET_KEY/,
    ],
    [
      "an unknown key",
      {},
      (name) => (name === "S3_ACCESS_KEY" ? "nobody" : "x"),
      /refuses the keys.*\|.*S3_ACCESS_KEY/,
    ],
    ["keys that are not set", {}, () => undefined, /S3_ACCESS_KEY and S3_SECRET_KEY are not set.*\|/],
    [
      "a bucket that does not exist",
      { bucket: "no-such-bucket" },
      cephSecrets,
      /no bucket no-such-bucket.*\|Create the bucket/,
    ],
    ["a server that is away", { endpoint: "http://127.0.0.1:1" }, cephSecrets, /127\.0\.0\.1:1 .*ECONNREFUSED.*\|/],
  ])("%s is told with what to do", async (_, change, secretOf, expected) => {
    const settings = { ...(await freshPlace()), ...change };
    const proofs = { read: () => undefined, write: () => undefined };
    const failure = await openS3Store({ settings, world: realWorld, secretOf, proofs }).catch(
      (error: unknown) => error,
    );
    expect(isFailure(failure) && `${failure.message}|${failure.hint?.en}`).toMatch(expected);
  });
});
