import type { World } from "../../../base/world.ts";
import type { S3Settings } from "../../../domain/config/store-config.ts";
import type { Store } from "../../../ports/store.ts";
import { Bucket } from "./bucket.ts";
import { openEndpoint, type S3Endpoint } from "./endpoint.ts";
import { type BucketPlace, keysMissing } from "./failures.ts";
import { S3Store } from "./s3-store.ts";
import { proveServer, type ServerProof } from "./self-test.ts";

/** Where results of the self-test are kept between starts. A lost one costs a new test. */
export interface ServerProofs {
  read(): ServerProof | undefined;
  write(proof: ServerProof): void;
}

const PROOF_MS = 7 * 24 * 60 * 60_000;

/**
 * Opens the bucket of a garden. The first start proves that the server keeps conditional writes in a race (some forty requests); the
 * result is kept for a week, so that later starts cost one request. Throws VALIDATION_FAILED for a server that does not keep them,
 * and UPSTREAM_UNAVAILABLE if it cannot be reached.
 */
export async function openS3Store(options: {
  readonly settings: S3Settings;
  readonly world: World;
  readonly secretOf: (variable: string) => string | undefined;
  readonly proofs: ServerProofs;
  readonly endpoint?: S3Endpoint;
}): Promise<Store> {
  const { settings, world, secretOf, proofs } = options;
  const { endpoint, bucket: name, prefix, region, key_env, secret_env } = settings;
  const [key, secret] = [secretOf(key_env)?.trim(), secretOf(secret_env)?.trim()];
  if (!key || !secret) throw keysMissing([...(key ? [] : [key_env]), ...(secret ? [] : [secret_env])]);
  const place: BucketPlace = { endpoint, bucket: name, prefix, keyEnv: key_env, secretEnv: secret_env };
  const bucket = new Bucket(place, region, { key, secret }, options.endpoint ?? openEndpoint(new URL(endpoint)), world);
  try {
    const proof = await provedServer(bucket, world, proofs);
    bucket.quotes = proof.quotes;
    return new S3Store(bucket, proof.conditionalDelete);
  } catch (error) {
    bucket.close();
    throw error;
  }
}

async function provedServer(bucket: Bucket, world: World, proofs: ServerProofs): Promise<ServerProof> {
  const known = proofs.read();
  const folder = bucket.place.prefix === "" ? CHECKS : `${bucket.place.prefix}/${CHECKS}`;
  if (known) {
    await bucket.list(folder, "", 1); // the bucket can be reached, and the server is still the same one
    const age = world.now() - Date.parse(known.provedAt);
    if (known.server === bucket.server && age >= 0 && age < PROOF_MS) return known;
  }
  const proof = await proveServer(bucket, folder, world);
  proofs.write(proof);
  return proof;
}

/** Not a store key, because of the dot: no listing shows it. */
const CHECKS = ".bloom-check/";
