import { describe, expect, test } from "vitest";
import { codecChecks, fieldChecks, repositoryChecks } from "./testing/commit-checks.ts";
import { kindChecks, objectChecks } from "./testing/object-checks.ts";

/** The checks of schema and codec, S1 to S78. */
const all = [...objectChecks, ...kindChecks, ...fieldChecks, ...codecChecks, ...repositoryChecks].map(
  ([name, holds], index) => ({ name: `S${index + 1}. ${name}`, holds }),
);

describe("S-1 S-3 schema and codec of sessions", () => {
  test("the list has 78 checks", () => {
    expect(all).toHaveLength(78);
  });

  test.each(all)("$name", async ({ holds }) => {
    await holds();
  });
});
