import { expect, test } from "vitest";
import { prove } from "../../../base/testing/prove.ts";
import { verifyBesideWork } from "./testing/busy-garden.ts";

test("SPEC §14 verify and its repair beside a garden at work report nothing and remove no proposal from a list", async () => {
  const { broken, ...done } = await verifyBesideWork({ proposals: 20, looks: 2 });
  prove({ races: done.looks, losses: broken.length });
  expect(broken).toEqual([]);
  expect(done.runs).toBeGreaterThan(0);
});
