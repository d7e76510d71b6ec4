import { expect, test } from "vitest";
import { prove } from "../../../base/testing/prove.ts";
import { crashMatrix, type MatrixRow, matrixTable } from "./testing/crash-matrix.ts";
import { type Scenario, scenarios } from "./testing/scenarios.ts";

/** Every crash point of one change, and the most critical point of each other. `npm run soak` kills all changes at all points. */
const pointsFor = ({ name, ends, target }: Scenario): "few" | readonly string[] => {
  if (name === "propose-edit") return "few";
  if (name === "propose-merge") return ["apply.moved", "apply.projected"];
  return [
    ends === "failed"
      ? "apply.fenced"
      : target.startsWith("store:") && !name.endsWith("update")
        ? "apply.stored"
        : "apply.traced",
  ];
};

test("P-2 P-6 P-7 a change that is killed at any point from the request to the commit is made once, or fails with nothing changed", async () => {
  const rows: MatrixRow[] = [];
  for (const scenario of scenarios) rows.push(await crashMatrix(scenario, pointsFor(scenario)));
  prove({
    kills: rows.reduce((sum, { kills }) => sum + kills, 0),
    losses: rows.flatMap(({ broken }) => broken).length,
  });
  console.log(matrixTable(rows));
  expect(rows.flatMap(({ scenario, broken }) => broken.map((what) => `${scenario}: ${what}`))).toEqual([]);
});
