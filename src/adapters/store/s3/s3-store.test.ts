import { expect, it } from "vitest";
import { isThorough } from "../../../base/testing/tries.ts";
import { realWorld } from "../../../base/world.ts";
import { storeConformance } from "../conformance.ts";
import { openS3Store } from "./open-s3-store.ts";
import type { ServerProof } from "./self-test.ts";
import { cephSecrets, countingEndpoint, describeWithCeph, freshPlace, keptProofs } from "./testing/ceph.ts";

describeWithCeph("S3 store on Ceph", () => {
  const place = async () => {
    const settings = await freshPlace();
    const proofs = keptProofs();
    return {
      open: () => openS3Store({ settings, world: realWorld, secretOf: cephSecrets, proofs }),
      discard: async () => undefined, // the server keeps everything in memory, and ends with the test run
    };
  };

  it("the first opening tests the server with some 40 requests, and a later one makes one request", async () => {
    const settings = await freshPlace();
    let kept: ServerProof | undefined;
    const proofs = { read: () => kept, write: (proof: ServerProof) => void (kept = proof) };
    const requestsOfOpening = async (): Promise<number> => {
      const endpoint = countingEndpoint(settings.endpoint);
      await (await openS3Store({ settings, world: realWorld, secretOf: cephSecrets, proofs, endpoint })).close();
      return endpoint.seen.length;
    };
    const [first, second] = [await requestsOfOpening(), await requestsOfOpening()];
    // Each of the 24 racers may be told to try again, so the number differs by a few.
    expect({ isBounded: first >= 36 && first <= 100, second }, `${first} requests`).toEqual({
      isBounded: true,
      second: 1,
    });
  });
  storeConformance("s3", place, { sequences: isThorough ? 150 : 15 });
});
