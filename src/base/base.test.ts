import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asFailure, Failure, failureFromRecord, failureTable, failureToRecord } from "./failure.ts";
import { derivedId, newId, parseId } from "./ids.ts";
import { compareUtf8 } from "./order.ts";
import { fixedWorld } from "./testing/fixed-world.ts";

describe("ids in the format of the sources", () => {
  it("carry prefix, UTC time and six characters", () => {
    expect(newId(fixedWorld("2026-02-14T08:00:00Z"), "run")).toMatch(/^run_2026-02-14_080000_[0-9a-z]{6}$/);
  });

  it("depend on the seed alone if they are derived", () => {
    const at = Date.parse("2026-02-14T08:00:00Z");
    const ids = [
      derivedId("prop", at, "a"),
      derivedId("prop", at, "a"),
      derivedId("prop", at, "b"),
      derivedId("inbox", at, "a"),
    ];
    expect({ sameSeedIsSame: ids[0] === ids[1], different: new Set(ids).size, id: ids[0] }).toEqual({
      sameSeedIsSame: true,
      different: 3,
      id: "prop_2026-02-14_080000_2pdg6d",
    });
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
  ])("do not include %j", (text) => expect(parseId(text)).toBeUndefined());

  it("of one second differ, and sort by time", () => {
    const world = fixedWorld("2026-02-14T08:00:00Z", 500);
    const ids = Array.from({ length: 40 }, () => newId(world, "run"));
    expect({ different: new Set(ids).size, times: ids.map((id) => id.slice(0, -7)).toSorted() }).toEqual({
      different: 40,
      times: ids.map((id) => id.slice(0, -7)),
    });
  });
});

describe("failures", () => {
  it("have every code of the sources, with its status", () => {
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

  it("never have the exit code 0, 1 (a finding) or above 125 (a signal)", () => {
    expect(Object.values(failureTable).filter(({ exit }) => exit < 2 || exit > 125)).toEqual([]);
  });

  it("are serialized completely, except for their cause", () => {
    const text = { en: "no", uk: "ні" };
    const failure = new Failure("RATE_LIMITED", {
      ...text,
      hint: text,
      details: { after: 3 },
      outcome: "unknown",
      cause: new Error("x"),
    });
    const copy = failureFromRecord(JSON.parse(JSON.stringify(failureToRecord(failure))));
    expect({ ...copy, message: copy.message }).toEqual({ ...failure, message: "no" });
  });

  it("wrap any thrown value", () => {
    const thrown = new TypeError("x is not a function");
    expect({
      code: asFailure(thrown).code,
      cause: asFailure(thrown).cause,
      codeOfText: asFailure("text").code,
    }).toEqual({ code: "INTERNAL_ERROR", cause: thrown, codeOfText: "INTERNAL_ERROR" });
  });
});

describe("the order of names", () => {
  it("is the order of their UTF-8 bytes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { numRuns: 2000 },
    );
  });
});
