import { describe, expect, test } from "vitest";
import { commitChecks, spawnChecks } from "./testing/branch-checks.ts";
import { mergeChecks } from "./testing/merge-checks.ts";
import { plainGitChecks, topologyChecks } from "./testing/topology-checks.ts";

/** The checks of branches, B1 to B70. */
const all = [...spawnChecks, ...commitChecks, ...topologyChecks, ...mergeChecks, ...plainGitChecks].map(
  ([name, holds], index) => ({ name: `B${index + 1}. ${name}`, holds }),
);

describe("S-2 S-3 S-4 S-5 sessions as branches", () => {
  test("the list has 70 checks", () => {
    expect(all).toHaveLength(70);
  });

  test.each(all)("$name", async ({ holds }) => {
    await holds();
  });
});
