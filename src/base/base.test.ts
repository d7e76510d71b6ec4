import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asFailure, Failure, failureFromRecord, failureTable, failureToRecord } from "./failure.ts";
import { derivedId, newId, parseId } from "./ids.ts";
import { compareUtf8 } from "./order.ts";
import { fixedWorld } from "./world.ts";

describe("ids, in the format of the sources", () => {
  it("carry prefix, UTC time and six characters", () => {
    expect(newId(fixedWorld("2026-02-14T08:00:00Z"), "run")).toMatch(/^run_2026-02-14_080000_[0-9a-z]{6}$/);
  });

  it("that are derived follow from the seed, and from nothing else", () => {
    const at = Date.parse("2026-02-14T08:00:00Z");
    const ids = [
      derivedId("prop", at, "a"),
      derivedId("prop", at, "a"),
      derivedId("prop", at, "b"),
      derivedId("inbox", at, "a"),
    ];
    expect([ids[0] === ids[1], new Set(ids).size, ids[0]]).toEqual([true, 3, "prop_2026-02-14_080000_2pdg6d"]);
  });

  it("parse back to their parts", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), fc.string(), (second, seed) => {
        const id = derivedId("inbox", second * 1000, seed);
        expect(parseId(id)).toEqual({ prefix: "inbox", at: second * 1000, suffix: id.slice(-6) });
      }),
    );
  });

  it.each([
    "",
    "run",
    "run_2026-02-14_080000_abc12",
    "run_2026-02-30_080000_abc123",
    "run_2026-02-14_250000_abc123",
    "job_2026-02-14_080000_abc123",
    "run_2026-02-14_080000_ABC123",
    "run_2026-02-14_080000_abc123\n",
    " run_2026-02-14_080000_abc123",
  ])("anything else is no id: %j", (text) => expect(parseId(text)).toBeUndefined());

  it("of one second are told apart, and sort by time", () => {
    const world = fixedWorld("2026-02-14T08:00:00Z", 500);
    const ids = Array.from({ length: 40 }, () => newId(world, "run"));
    expect([new Set(ids).size, ids.map((id) => id.slice(0, -7)).toSorted()]).toEqual([
      40,
      ids.map((id) => id.slice(0, -7)),
    ]);
  });
});

describe("failures", () => {
  it("the table has every code of the sources, with its status", () => {
    const statuses = Object.fromEntries(Object.entries(failureTable).map(([code, { status }]) => [code, status]));
    expect(statuses).toEqual({
      VALIDATION_FAILED: 400,
      INVALID_JSON: 400,
      AUTH_REQUIRED: 401,
      TOKEN_EXPIRED: 401,
      FORBIDDEN: 403,
      NOT_FOUND: 404,
      INVALID_TRANSITION: 409,
      INVALID_AGENT_TRANSITION: 409,
      CONCURRENT_MODIFICATION: 409,
      DUPLICATE_ENTRY: 409,
      RATE_LIMITED: 429,
      INTERNAL_ERROR: 500,
      UPSTREAM_UNAVAILABLE: 503,
      NLM_UNAVAILABLE: 503,
      AGENT_TIMEOUT: 504,
    });
  });

  it("no exit code is 0, 1 (a finding) or above 125 (a signal)", () => {
    expect(Object.values(failureTable).filter(({ exit }) => exit < 2 || exit > 125)).toEqual([]);
  });

  it("cross a socket or a journal whole, but for their cause", () => {
    const text = { en: "no", uk: "ні" };
    const failure = new Failure("RATE_LIMITED", text, {
      hint: text,
      details: { after: 3 },
      outcome: "unknown",
      cause: new Error("x"),
    });
    const copy = failureFromRecord(JSON.parse(JSON.stringify(failureToRecord(failure))));
    expect({ ...copy, message: copy.message }).toEqual({ ...failure, message: "no" });
  });

  it("anything thrown becomes one", () => {
    const thrown = new TypeError("x is not a function");
    expect([asFailure(thrown).code, asFailure(thrown).cause, asFailure("text").code]).toEqual([
      "INTERNAL_ERROR",
      thrown,
      "INTERNAL_ERROR",
    ]);
  });
});

describe("order of names", () => {
  it("is the order of their UTF-8 bytes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { numRuns: 2000 },
    );
  });
});
