import { Bucket } from "../src/adapters/store/s3/bucket.ts";
import { openEndpoint } from "../src/adapters/store/s3/endpoint.ts";
import { realWorld } from "../src/base/world.ts";
import { composePorts } from "../src/compose.ts";
import { openGarden } from "../src/garden/core/garden.ts";
import { initGarden } from "../src/garden/life/init.ts";
import type { Bench, Contender, Size } from "./harness.ts";
import { fourStepRun, plant, runsToEnd } from "./ours-runs.ts";

/** A run of four steps whose objects are in a bucket, beside its 14 requests with nothing around them. */
export const bucketRuns = ({ install }: Size): Bench[] => {
  if (!install) return []; // starts a server
  const server = sharedCeph();
  return [
    {
      name: "s3: a run of four no-op steps, objects in a bucket of Ceph on this machine",
      unit: "ms",
      workers: 1,
      latency: true,
      ours: runsInBucket(server),
      rivals: [bareRequests(server)],
    },
  ];
};

interface Ceph {
  readonly endpoint: string;
  readonly key: string;
  readonly secret: string;
  readonly region: string;
  stop(): Promise<void>;
}

interface SharedCeph {
  open(): Promise<Ceph>;
  close(): Promise<void>;
}

/** One server for both contenders, until the last of them closes. */
function sharedCeph(): SharedCeph {
  let users = 0;
  let starting: Promise<Ceph> | undefined;
  return {
    async open() {
      users++;
      starting ??= started();
      return await starting;
    },
    async close() {
      if (--users > 0) return;
      await (await starting)?.stop();
      starting = undefined;
    },
  };
}

async function started(): Promise<Ceph> {
  const script = "../scripts/ceph.js"; // plain JavaScript without types
  const scripts = (await import(script)) as { startCeph(): Promise<Ceph | { readonly missing: string }> };
  const ceph = await scripts.startCeph();
  if ("missing" in ceph) throw new Error(ceph.missing);
  await bucketAt(ceph).put("", new Uint8Array()); // creates the bucket
  return ceph;
}

const BUCKET = "bench";

const bucketAt = ({ endpoint, key, secret, region }: Ceph): Bucket =>
  new Bucket(
    { endpoint, bucket: BUCKET, prefix: "", keyEnv: "", secretEnv: "" },
    region,
    { key, secret },
    openEndpoint(new URL(endpoint)),
    realWorld,
  );

const runsInBucket = (server: SharedCeph): Contender => ({
  name: "bloom",
  async open(folder) {
    const { endpoint, key, secret, region } = await server.open();
    const ground = composePorts({ environment: { ...process.env, S3_ACCESS_KEY: key, S3_SECRET_KEY: secret } });
    const variables = { key_env: "S3_ACCESS_KEY", secret_env: "S3_SECRET_KEY" };
    const store = { kind: "s3" as const, endpoint, bucket: BUCKET, prefix: "garden", region, ...variables };
    await initGarden(ground, folder, { language: "en", name: "Bench", nested: true, store });
    const garden = await openGarden(ground, folder);
    await plant(garden, "agent-0");
    const { runToEnd, close } = await runsToEnd(garden, fourStepRun, 1);
    return {
      once: () => runToEnd("agent-0"),
      async close() {
        await close();
        await server.close();
      },
    };
  },
});

const PUTS = 11;

const bareRequests = (server: SharedCeph): Contender => ({
  name: "its 14 requests alone: 11 puts, 2 gets, 1 delete, one after the other",
  async open() {
    const bucket = bucketAt(await server.open());
    const body = Buffer.alloc(500, "x");
    let count = 0;
    return {
      async once() {
        const name = `bare/${count++}`;
        for (let put = 0; put < PUTS; put++) await bucket.put(`${name}/${put}`, body, put > 1 ? "free" : undefined);
        for (const read of [0, 1]) await bucket.get(`${name}/${read}`);
        await bucket.delete(`${name}/0`);
      },
      async close() {
        bucket.close();
        await server.close();
      },
    };
  },
});
