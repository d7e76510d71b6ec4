import * as fs from "node:fs";
import { z } from "zod";
import type { S3Settings } from "../../../domain/config/store-config.ts";
import type { ServerProofs } from "./open-s3-store.ts";

const keptProof = z.strictObject({
  endpoint: z.string(),
  bucket: z.string(),
  server: z.string(),
  quotes: z.boolean(),
  conditionalDelete: z.boolean(),
  provedAt: z.iso.datetime(),
});

/** The result of the self-test in a file of the garden's folder. A missing, damaged or foreign one costs a new test. */
export function proofInFile(path: string, { endpoint, bucket }: S3Settings): ServerProofs {
  return {
    read() {
      try {
        const kept = keptProof.parse(JSON.parse(fs.readFileSync(path, "utf8")));
        return kept.endpoint === endpoint && kept.bucket === bucket ? kept : undefined;
      } catch {
        return undefined;
      }
    },
    write(proof) {
      try {
        fs.writeFileSync(`${path}.${process.pid}`, JSON.stringify({ endpoint, bucket, ...proof }));
        fs.renameSync(`${path}.${process.pid}`, path);
      } catch {
        // a read-only folder: every start tests again
      }
    },
  };
}
