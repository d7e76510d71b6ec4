import { z } from "zod";
import { group } from "../text/checked-yaml.ts";

const variable = z.string("variable").regex(/^[A-Z][A-Z0-9_]{0,99}$/, "variable");
const bucketName = z.string("bucket").regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "bucket");
/** Plain parts, so that the name of an object is the prefix, a slash and its key. */
const prefixPath = z
  .string("prefix")
  .regex(/^(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*)?$/, "prefix");
const endpointUrl = z.url({ protocol: /^https?$/, error: "endpoint" }).refine((text) => isBareUrl(text), "endpoint");

/** A bucket: objects are `<prefix>/<key>`. Keys come from the environment, never from the file. */
const s3Settings = group({
  kind: z.literal("s3"),
  endpoint: endpointUrl,
  bucket: bucketName,
  prefix: prefixPath.max(200, "prefix").default(""),
  region: z
    .string("region")
    .regex(/^[a-z0-9-]{1,50}$/, "region")
    .default("us-east-1"),
  key_env: variable.default("S3_ACCESS_KEY"),
  secret_env: variable.default("S3_SECRET_KEY"),
});
export type S3Settings = z.infer<typeof s3Settings>;

/** `store` of garden.yaml: where the objects are. */
export const storeConfig = z
  .discriminatedUnion("kind", [group({ kind: z.literal("directory") }), s3Settings], "store")
  .default({ kind: "directory" });

function isBareUrl(text: string): boolean {
  const { username, password, search, hash } = new URL(text);
  return username === "" && password === "" && search === "" && hash === "";
}
