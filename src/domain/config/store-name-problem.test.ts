import { expect, test } from "vitest";
import { readStoreName } from "./store-config.ts";
import { storeNameProblem } from "./store-name-problem.ts";

test.each([
  ["dir", undefined],
  ["s3://garden/home?endpoint=https://s3.example.com", undefined],
  ["garden", "not a store: garden"],
  ["s3:/garden", "not a store: s3:/garden"],
  ["s3://garden", "endpoint is missing"],
  [
    "s3://garden?endpoint=ftp://a.b",
    'endpoint: found "ftp://a.b"; expected the address of an S3 server such as https://s3.example.com, without a name, password or query',
  ],
  [
    "s3://garden?endpoint=https://me:secret@a.b",
    'endpoint: found "https://***@a.b"; expected the address of an S3 server such as https://s3.example.com, without a name, password or query',
  ],
  [
    "s3://UPPER/x?endpoint=https://a.b",
    'bucket: found "UPPER"; expected the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens',
  ],
  [
    "s3://garden//x?endpoint=https://a.b",
    'prefix: found "/x"; expected a folder in the bucket such as gardens/home, without a slash at its ends',
  ],
  ["s3://garden?endpoint=https://a.b&zone=eu", "unknown part: zone"],
])("G-8 a command says which part of the name of a store is wrong: %s", (name, problem) => {
  expect([storeNameProblem(name)?.en, readStoreName(name) === undefined]).toEqual([problem, problem !== undefined]);
});
