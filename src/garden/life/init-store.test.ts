import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ceph, describeWithCeph, freshPlace } from "../../adapters/store/s3/testing/ceph.ts";
import { Failure, isFailure } from "../../base/failure.ts";
import { ranNode } from "../../base/testing/ran-node.ts";
import { testProgram } from "../../base/testing/test-program.ts";
import { composePorts } from "../../compose.ts";
import { type StoreConfig, storeName } from "../../domain/config/store-config.ts";
import { closeGarden, openGarden } from "../core/garden.ts";
import { requestedEcho, withAgent } from "../runs/testing/sample-flow.ts";
import { scratch } from "../testing/scratch.ts";
import { initGarden } from "./init.ts";

const ports = (keys: { readonly key: string; readonly secret: string } = ceph()) =>
  composePorts({ environment: { ...process.env, S3_ACCESS_KEY: keys.key, S3_SECRET_KEY: keys.secret } });
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
    const keys = { S3_ACCESS_KEY: ceph().key, S3_SECRET_KEY: ceph().secret };
    const killed = await ranNode([script, "init", point, dir, storeName(store)], { env: { ...process.env, ...keys } });
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
  ])("is not created, and nothing is left behind, where %s", async (_, change, keys, said) => {
    const dir = join(scratch(), "rose");
    const store = change(await freshPlace());
    const failure: unknown = await initGarden(ports(keys), dir, { ...wishes, store }).catch((error: unknown) => error);
    expect(isFailure(failure) && failure.text.en).toContain(said);
    expect(existsSync(dir)).toBe(false);
  });
});
