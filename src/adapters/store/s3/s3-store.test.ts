import { isThorough } from "../../../base/testing/tries.ts";
import { realWorld } from "../../../base/world.ts";
import { storeConformance } from "../conformance.ts";
import { openS3Store } from "./open-s3-store.ts";
import { cephSecrets, describeWithCeph, freshPlace, keptProofs } from "./testing/ceph.ts";

describeWithCeph("S3 store on Ceph", () => {
  const place = async () => {
    const settings = await freshPlace();
    const proofs = keptProofs();
    return {
      open: () => openS3Store({ settings, world: realWorld, secretOf: cephSecrets, proofs }),
      discard: async () => undefined, // the server keeps everything in memory, and ends with the test run
    };
  };
  storeConformance("s3", place, { sequences: isThorough ? 150 : 15 });
});
