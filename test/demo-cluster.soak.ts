import { join } from "node:path";
import { expect, it } from "vitest";
import { describeWithCeph } from "../src/adapters/store/s3/testing/ceph.ts";
import { ranNode } from "../src/base/testing/ran-node.ts";

describeWithCeph("npm run demo:cluster", () => {
  it("O-10 the demo on a bucket, a git remote and Restate survives its kills, verifies and names every part", async () => {
    const { status, stdout, stderr } = await ranNode([join(import.meta.dirname, "cluster/demo.ts")]);
    const lines = [
      "No problems:",
      "Store        healthy (s3://",
      "Engine       healthy (restate ",
      "Served by    gateway ",
    ];
    expect({ status, stderr, missing: lines.filter((line) => !stdout.includes(line)) }, stdout).toEqual({
      status: 0,
      stderr: "",
      missing: [],
    });
  });
});
