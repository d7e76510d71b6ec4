import { randomBytes } from "node:crypto";
import { describe } from "vitest";
import { type SharedServer, sharedServer } from "../../../../base/testing/shared-server.ts";
import type { S3Settings } from "../../../../domain/config/store-config.ts";
import { openEndpoint, type S3Endpoint } from "../endpoint.ts";
import type { ServerProofs } from "../open-s3-store.ts";
import type { ServerProof } from "../self-test.ts";
import { makeBucket, type TestS3 } from "./make-bucket.ts";

const server: SharedServer<TestS3> = await sharedServer<TestS3>("ceph");

/** Tests against the real gateway of Ceph. Where it cannot be installed they are skipped, and one line says why. */
export const describeWithCeph = (title: string, tests: () => void): void => {
  const missing = "missing" in server ? server.missing : undefined;
  if (missing !== undefined) process.stderr.write(`skipped: ${title}: ${missing}\n`);
  describe.runIf(missing === undefined)(title, tests);
};

/** For tests inside of `describeWithCeph`. */
export function ceph(): TestS3 {
  if ("missing" in server) throw new Error(server.missing);
  return server;
}

export const cephSecrets = (variable: string): string | undefined =>
  ({ S3_ACCESS_KEY: ceph().key, S3_SECRET_KEY: ceph().secret })[variable];

/** A folder of its own in one bucket, which is made by the first test that needs it. */
export async function freshPlace(): Promise<S3Settings> {
  await madeBucket();
  return { ...settingsFor(ceph().endpoint), prefix: `t-${randomBytes(6).toString("hex")}` };
}

export const settingsFor = (endpoint: string): S3Settings => ({
  kind: "s3",
  endpoint,
  bucket: "garden-tests",
  prefix: "",
  region: ceph().region,
  key_env: "S3_ACCESS_KEY",
  secret_env: "S3_SECRET_KEY",
});

let making: Promise<void> | undefined;
function madeBucket(): Promise<void> {
  making ??= makeBucket(ceph(), "garden-tests");
  return making;
}

/** Kept for all stores of a test file, as a start after the first finds it on disk. */
export function keptProofs(): ServerProofs {
  return { read: () => kept, write: (proof) => void (kept = proof) };
}
let kept: ServerProof | undefined;

/** An endpoint that counts its requests by method. */
export function countingEndpoint(url: string): S3Endpoint & { readonly seen: string[] } {
  const real = openEndpoint(new URL(url));
  const seen: string[] = [];
  return {
    seen,
    send(request) {
      seen.push(`${request.method} ${decodeURIComponent(request.target)}`);
      return real.send(request);
    },
    close: () => real.close(),
  };
}
