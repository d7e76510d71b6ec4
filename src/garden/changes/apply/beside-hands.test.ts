import { expect, test } from "vitest";
import { prove } from "../../../base/testing/prove.ts";
import { applyBesideHands } from "./testing/beside-hands.ts";

/** `npm run soak` applies 2,000 and kills 200 times. */
test("G-5 P-7 changes applied by killed processes beside a person who commits all the time stay on main, and no hand edit is lost", async () => {
  const report = await applyBesideHands(1, { applies: 24, kills: 4, bigBytes: 4_000_000, editorMs: 200 });
  const { broken, ...counts } = report;
  prove({ kills: report.kills, losses: broken.length });
  console.log(JSON.stringify(counts));
  expect(broken).toEqual([]);
  expect(report).toMatchObject({ applied: 24, kills: 4 });
});
