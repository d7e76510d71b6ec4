import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { badProxy } from "../../adapters/store/s3/testing/bad-proxy.ts";
import { ceph, describeWithCeph, freshPlace } from "../../adapters/store/s3/testing/ceph.ts";
import { blobId } from "../../base/canonical.ts";
import { armCrashPoints } from "../../base/crash-point.ts";
import { Failure, isFailure } from "../../base/failure.ts";
import { ranNode } from "../../base/testing/ran-node.ts";
import { testProgram } from "../../base/testing/test-program.ts";
import { composePorts } from "../../compose.ts";
import { isSameStore, type StoreConfig, storeName } from "../../domain/config/store-config.ts";
import { contractKey, keys } from "../../domain/layout.ts";
import { closeGarden, type GardenPorts, openGarden } from "../core/garden.ts";
import { requestedEcho, withAgent } from "../runs/testing/sample-flow.ts";
import { closed, gardenWith, scratch } from "../testing/scratch.ts";
import { initGarden } from "./init.ts";
import { moveStore } from "./move-store.ts";

const ports = (secrets: { readonly key: string; readonly secret: string } = ceph()) =>
  composePorts({ environment: { ...process.env, S3_ACCESS_KEY: secrets.key, S3_SECRET_KEY: secrets.secret } });
const wishes = { language: "en" } as const;

const codeOf = (error: unknown): unknown => (isFailure(error) ? error.code : error);

describeWithCeph("G-3 a garden that is created in a bucket", () => {
  it("has its objects there from the first on, and the place cannot be used for another one", async () => {
    const store = await freshPlace();
    const [dir, other] = [join(scratch(), "rose"), join(scratch(), "lily")];
    await initGarden(ports(), dir, { ...wishes, store });
    const garden = await openGarden(ports(), dir);
    await withAgent(garden, "echo");
    await requestedEcho(garden);
    const { role } = await garden.store.health();
    await closeGarden(garden);
    expect({ role, local: existsSync(join(dir, ".bloom/store")) }).toEqual({ role: "remote", local: false });
    expect(readFileSync(join(dir, "garden.yaml"), "utf8")).toContain(`  prefix: ${store.prefix}`);
    await expect(initGarden(ports(), other, { ...wishes, store })).rejects.toMatchObject({ code: "DUPLICATE_ENTRY" });
    expect(existsSync(other)).toBe(false);
  });

  it("takes its place at once: of four that are created there together one remains, and a failed one leaves it free", async () => {
    const store = await freshPlace();
    const full = () => Promise.reject(new Failure("UPSTREAM_UNAVAILABLE", { en: "full", uk: "повно" }));
    const spoilt = { ...ports(), repos: { ...ports().repos, init: full } };
    const failed = await initGarden(spoilt, join(scratch(), "rose"), { ...wishes, store }).catch(codeOf);
    const ended = await Promise.all(
      ["a", "b", "c", "d"].map((name) =>
        initGarden(ports(), join(scratch(), name), { ...wishes, store }).then(() => "created", codeOf),
      ),
    );
    expect({ failed, ended: ended.map(String).toSorted() }).toEqual({
      failed: "UPSTREAM_UNAVAILABLE",
      ended: ["DUPLICATE_ENTRY", "DUPLICATE_ENTRY", "DUPLICATE_ENTRY", "created"],
    });
  });

  it.each(["init:planned", "init:claimed"])("is completed by the same call after a kill at %s", async (point) => {
    const [dir, store] = [join(scratch(), "rose"), await freshPlace()];
    const script = testProgram(join(import.meta.dirname, "../testing/dying.ts"));
    const secrets = { S3_ACCESS_KEY: ceph().key, S3_SECRET_KEY: ceph().secret };
    const killed = await ranNode([script, "init", point, dir, storeName(store)], {
      env: { ...process.env, ...secrets },
    });
    const { resumed } = await initGarden(ports(), dir, wishes);
    const garden = await openGarden(ports(), dir);
    const { role } = await garden.store.health();
    await closeGarden(garden);
    const other = await initGarden(ports(), join(scratch(), "lily"), { ...wishes, store }).catch(codeOf);
    expect({ point: killed.stdout.trim().split("\n").at(-1), resumed, role, other }).toEqual({
      point,
      resumed: true,
      role: "remote",
      other: "DUPLICATE_ENTRY",
    });
  });

  it("goes on nowhere if a garden was moved to its place meanwhile", async () => {
    const [dir, store] = [join(scratch(), "rose"), await freshPlace()];
    const script = testProgram(join(import.meta.dirname, "../testing/dying.ts"));
    const secrets = { S3_ACCESS_KEY: ceph().key, S3_SECRET_KEY: ceph().secret };
    await ranNode([script, "init", "init:planned", dir, storeName(store)], { env: { ...process.env, ...secrets } });
    const { garden, dir: other } = await gardenWith({ "notes/a.md": "# A\n" });
    await garden.store.create("audit/2026-02/14/080000-one.json", Buffer.from("{}"));
    await closed({ garden });
    await moveStore(ports(), other, store);
    const resumed = await initGarden(ports(), dir, wishes).catch(codeOf);
    const moved = await openGarden(ports(), other);
    await closeGarden(moved);
    expect(resumed).toBe("DUPLICATE_ENTRY");
  });

  it("was begun in a bucket: another place is refused, and its own place in other words is not", async () => {
    const [dir, store, elsewhere] = [join(scratch(), "rose"), await freshPlace(), await freshPlace()];
    const script = testProgram(join(import.meta.dirname, "../testing/dying.ts"));
    const secrets = { S3_ACCESS_KEY: ceph().key, S3_SECRET_KEY: ceph().secret };
    await ranNode([script, "init", "init:claimed", dir, storeName(store)], { env: { ...process.env, ...secrets } });
    const attempt = (place: StoreConfig) =>
      initGarden(ports(), dir, { ...wishes, store: place }).catch(
        (error: unknown) => isFailure(error) && error.text.en,
      );
    const refused = [await attempt(elsewhere), await attempt({ kind: "directory" })];
    const done = await attempt({ ...store });
    const why = `an interrupted \`bloom init\` began this garden with --store ${storeName(store)}`;
    expect({ refused, done }).toEqual({
      refused: [why, why],
      done: expect.objectContaining({ resumed: true, store: storeName(store) }),
    });
  });

  it.each<[string, string]>([
    ["was just created there", keys.claim],
    ["was moved there with an agent", contractKey("echo")],
    ["was moved there with its records", "audit/2026-02/14/one.json"],
    ["was moved there with proposals", "proposals/log/prop_1/0001.json"],
  ])("is not created below the prefix of a garden that %s", async (_, key) => {
    const [outer, dir] = [await freshPlace(), join(scratch(), "lily")];
    const there = await ports().openStore(scratch(), { store: outer, agents_root: "agents" });
    await there.create(key, Buffer.from("{}"));
    const store = { ...outer, prefix: `${outer.prefix}/some/home` };
    const refused: unknown = await initGarden(ports(), dir, { ...wishes, store }).catch((error: unknown) => error);
    const listed = (await there.list("")).entries.map((entry) => entry.key);
    await there.close();
    expect({ said: isFailure(refused, "DUPLICATE_ENTRY") && refused.text, listed, left: existsSync(dir) }).toEqual({
      said: { en: expect.stringContaining(storeName(outer)), uk: expect.stringContaining(storeName(outer)) },
      listed: [key],
      left: false,
    });
  });

  it("is created beside others, whatever their prefixes are called, but not above them", async () => {
    const outer = await freshPlace();
    const place = (name: string): StoreConfig => ({ ...outer, prefix: `${outer.prefix}/${name}` });
    const ended: unknown[] = [];
    for (const name of ["agents", "views", "audit/2026-02", "proposals", "inbox", "rose"]) {
      const dir = join(scratch(), "rose");
      ended.push(await initGarden(ports(), dir, { ...wishes, store: place(name) }).then(() => "created", codeOf));
      const garden = await openGarden(ports(), dir);
      await withAgent(garden, "echo");
      await garden.store.create("audit/2026-02/14/one.json", Buffer.from("{}"));
      await closeGarden(garden);
    }
    const above = await initGarden(ports(), join(scratch(), "lily"), { ...wishes, store: outer }).catch(codeOf);
    expect({ ended, above }).toEqual({ ended: Array.from({ length: 6 }, () => "created"), above: "DUPLICATE_ENTRY" });
  });

  it("is created below a prefix that its keys may not list", async () => {
    const outer = await freshPlace();
    const store = { ...outer, prefix: `${outer.prefix}/home` };
    const denied = { en: "refused", uk: "відмовлено", details: { part: "store", reason: "AccessDenied" } };
    const limited: GardenPorts = {
      ...ports(),
      async openStore(dir, settings) {
        if (!isSameStore(settings.store, store)) throw new Failure("UPSTREAM_UNAVAILABLE", denied);
        return await ports().openStore(dir, settings);
      },
    };
    expect(await initGarden(limited, join(scratch(), "rose"), { ...wishes, store })).toMatchObject({
      store: storeName(store),
    });
  });

  it.each<[string, "cut" | undefined, { readonly first: string; readonly again: unknown }]>([
    ["is lost", undefined, { first: "created", again: "DUPLICATE_ENTRY" }],
    ["is lost and the server is away then", "cut", { first: "UPSTREAM_UNAVAILABLE", again: { resumed: true } }],
  ])("is completed, at once or by the same call, if the answer to its claim %s", async (_, then, expected) => {
    const [place, dir] = [await freshPlace(), join(scratch(), "rose")];
    let fault: "lost" | "cut" | undefined;
    const proxy = await badProxy(place.endpoint, ({ method }) => {
      if (fault !== "lost" || method !== "PUT") return fault === "cut" ? "cut" : undefined;
      fault = then;
      return "lost";
    });
    const store = { ...place, endpoint: proxy.url };
    const disarm = armCrashPoints((name) => void (name === "init:folders" && (fault = "lost")));
    const first = await initGarden(ports(), dir, { ...wishes, store }).then(() => "created", codeOf);
    disarm();
    fault = undefined;
    const again = await initGarden(ports(), dir, { ...wishes, store }).catch(codeOf);
    const other = await initGarden(ports(), join(scratch(), "lily"), { ...wishes, store: place }).catch(codeOf);
    const { lost } = proxy.counts;
    await closeGarden(await openGarden(ports(), dir));
    await proxy.close();
    expect({ first, again, other, lost }).toMatchObject({ ...expected, other: "DUPLICATE_ENTRY", lost: 1 });
  });

  it.each([
    ["was withdrawn meanwhile is claimed again", true],
    ["is another one's stays as it is", false],
  ])("does not take another claim for its own: a place whose claim %s", async (_, isWithdrawn) => {
    const [store, dir] = [await freshPlace(), join(scratch(), "rose")];
    const settings = { store, agents_root: "agents" };
    const rival = await ports().openStore(scratch(), settings);
    const theirs = Buffer.from('{"id":"rival"}\n');
    let isClaimed = false;
    const racing: GardenPorts = {
      ...ports(),
      async openStore(...call) {
        const opened = await ports().openStore(...call);
        const [create, get] = [opened.create.bind(opened), opened.get.bind(opened)];
        return Object.assign(opened, {
          async create(...args: Parameters<typeof create>) {
            if (!isClaimed) await rival.create(keys.claim, theirs);
            isClaimed = true;
            return await create(...args);
          },
          async get(key: string) {
            if (isWithdrawn && key === keys.claim) await rival.remove(keys.claim, blobId(theirs));
            return await get(key);
          },
        });
      },
    };
    const ended = await initGarden(racing, dir, { ...wishes, store }).then(() => "created", codeOf);
    const claim = Buffer.from((await rival.get(keys.claim))?.bytes ?? "none").toString();
    await rival.close();
    expect({ ended, claim }).toEqual(
      isWithdrawn
        ? { ended: "created", claim: expect.stringMatching(/^\{"id":"[0-9a-f]{32}"\}\n$/) }
        : { ended: "DUPLICATE_ENTRY", claim: theirs.toString() },
    );
  });

  it.each<[string, (place: StoreConfig) => StoreConfig, { key: string; secret: string } | undefined, string]>([
    [
      "no server answers",
      (place) => ({ ...place, endpoint: "http://127.0.0.1:9" }) as StoreConfig,
      undefined,
      "does not answer",
    ],
    [
      "there is no such bucket",
      (place) => ({ ...place, bucket: "no-such-bucket" }) as StoreConfig,
      undefined,
      "no bucket",
    ],
    ["the keys are wrong", (place) => place, { key: "nobody", secret: "x" }, "refuses the keys"],
    ["the keys are missing", (place) => place, { key: "", secret: "" }, "keys of the store are missing"],
  ])("is not created, and nothing is left behind, where %s", async (_, change, secrets, said) => {
    const dir = join(scratch(), "rose");
    const store = change(await freshPlace());
    const failure: unknown = await initGarden(ports(secrets), dir, { ...wishes, store }).catch(
      (error: unknown) => error,
    );
    expect(isFailure(failure) && failure.text.en).toContain(said);
    expect(existsSync(dir)).toBe(false);
  });
});
