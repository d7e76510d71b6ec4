import { realWorld } from "../../../../base/world.ts";
import { Bucket } from "../bucket.ts";
import { openEndpoint } from "../endpoint.ts";

export interface TestS3 {
  readonly endpoint: string;
  readonly key: string;
  readonly secret: string;
  readonly region: string;
}

/** Creates a bucket. One that exists is kept. */
export async function makeBucket({ endpoint, key, secret, region }: TestS3, bucket: string): Promise<void> {
  const place = { endpoint, bucket, prefix: "", keyEnv: "", secretEnv: "" };
  const to = openEndpoint(new URL(endpoint));
  try {
    await new Bucket(place, region, { key, secret }, to, realWorld).put("", new Uint8Array());
  } finally {
    to.close();
  }
}
