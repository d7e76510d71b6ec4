import { z } from "zod";
import { group } from "../text/checked-yaml.ts";
import { isBareUrl } from "./bare-url.ts";

const variable = z.string("variable").regex(/^[A-Z][A-Z0-9_]{0,99}$/, "variable");
const bucketName = z.string("bucket").regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "bucket");
/** Plain parts, so that the name of an object is the prefix, a slash and its key. */
const prefixPath = z
  .string("prefix")
  .regex(/^(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*)?$/, "prefix");
const endpointUrl = z.url({ protocol: /^https?$/, error: "endpoint" }).refine(isBareUrl, "endpoint");

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

export type StoreConfig = z.infer<typeof storeConfig>;

/**
 * The store that a person names in a command: `dir`, or `s3://BUCKET/PREFIX?endpoint=URL` with `region`, `key_env` and `secret_env` if
 * they are not the usual ones. Undefined if it is neither.
 */
export function readStoreName(text: string): StoreConfig | undefined {
  const named = storeNameParts(text);
  return named && storeConfig.safeParse(named).data;
}

/** The parts of the name of a store, unchecked. Undefined if it has another form. */
export function storeNameParts(text: string): Readonly<Record<string, string>> | undefined {
  if (text === "dir" || text === "directory") return { kind: "directory" };
  const [, bucket, prefix = "", query = ""] = /^s3:\/\/([^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(text) ?? [];
  if (bucket === undefined) return undefined;
  return { kind: "s3", bucket, prefix: prefix.replace(/\/$/, ""), ...Object.fromEntries(new URLSearchParams(query)) };
}

/** The name of a store, as `readStoreName` takes it. */
export function storeName(store: StoreConfig): string {
  if (store.kind === "directory") return "dir";
  const { bucket, prefix, endpoint, region, key_env, secret_env } = store;
  const others = { region, key_env, secret_env };
  const usual: Record<string, string> = { region: "us-east-1", key_env: "S3_ACCESS_KEY", secret_env: "S3_SECRET_KEY" };
  const query = new URLSearchParams({
    endpoint,
    ...Object.fromEntries(Object.entries(others).filter(([name, value]) => value !== usual[name])),
  });
  return `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}?${query.toString().replaceAll("%3A", ":").replaceAll("%2F", "/")}`;
}

/** True if both are the same place, whatever the names of the variables with the keys. */
export function isSameStore(one: StoreConfig, other: StoreConfig): boolean {
  if (one.kind !== "s3" || other.kind !== "s3") return one.kind === other.kind;
  return one.endpoint === other.endpoint && one.bucket === other.bucket && one.prefix === other.prefix;
}
