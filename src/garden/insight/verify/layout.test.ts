import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fixedWorld } from "../../../base/testing/fixed-world.ts";
import { closeGarden, openGarden } from "../../core/garden.ts";
import { testPorts } from "../../testing/scratch.ts";
import { tendedCopies } from "../../testing/tended-garden.ts";
import { recordStatistics } from "../learning/statistics.ts";

const made = tendedCopies();

const MONTH = "\\d{4}-\\d{2}";
const ID = "[a-z]+_[0-9]{4}-[0-9]{2}-[0-9]{2}_[0-9]{6}_[0-9a-z]{6}";
const RUN = `agents/[a-z0-9-]+/runs/${ID}`;

/** The layout as the specification writes it, place by place; those marked * must occur in a garden in which everything happened. */
const layout: Readonly<Record<string, RegExp>> = {
  contract: /^agents\/[a-z0-9-]+\/_agent\.md$/,
  pseudocode: /^agents\/[a-z0-9-]+\/pseudocode\.md$/,
  diagrams: /^agents\/[a-z0-9-]+\/drakon\/[^/]+\.drakon\.json$/,
  sources: /^agents\/[a-z0-9-]+\/sources\//,
  "memory of observations and decisions": /^agents\/[a-z0-9-]+\/memory\/(?:observations|decisions)\.jsonl$/,
  artifacts: /^agents\/[a-z0-9-]+\/artifacts\//,
  "* status of a run": new RegExp(`^${RUN}/status\\.json$`),
  "* manifest of a run": new RegExp(`^${RUN}/manifest\\.json$`),
  "* steps of a run": new RegExp(`^${RUN}/steps/\\d{2,}-[a-z0-9-]+\\.json$`),
  "* output of a run": new RegExp(`^${RUN}/output/[^/]+$`),
  "pending entries": new RegExp(`^inbox/pending/${ID}\\.json$`),
  "* processed entries": new RegExp(`^inbox/processed/${MONTH}/${ID}\\.json$`),
  "entries by correlation id, used signatures": /^inbox\/(?:correlated|signatures\/[^/]+)\/[0-9a-f]{40}\.json$/,
  "rejected entries": new RegExp(`^inbox/rejected/${MONTH}/${ID}\\.json$`),
  "* events of proposals": new RegExp(`^proposals/log/${ID}/\\d{4}\\.json$`),
  "* pending proposals": new RegExp(`^proposals/pending/${ID}\\.json$`),
  "* rejected proposals": new RegExp(`^proposals/rejected/${MONTH}/${ID}\\.json$`),
  "* applied proposals": new RegExp(`^proposals/applied/${MONTH}/${ID}\\.json$`),
  "* expired proposals": new RegExp(`^proposals/expired/${MONTH}/${ID}\\.json$`),
  "* failed proposals": new RegExp(`^proposals/failed/${MONTH}/${ID}\\.json$`),
  "approved proposals": new RegExp(`^proposals/approved/${MONTH}/${ID}\\.json$`),
  "* claims and reports of proposals": /^proposals\/(?:effects|reports)\/[0-9a-f]{40}\.json$/,
  "* comments": /^comments\/.+\.json$/,
  "* audit": /^audit\/\d{4}-\d{2}\/\d{2}\/[^/]+\.json$/,
  "* registry": /^registry\.json$/,
  "* views, which can be rebuilt": /^views\//,
};

test("G-2 in a garden in which everything happened, every object has its place in the layout, and every place is used", async () => {
  const dir = made.copy();
  const garden = await openGarden(testPorts(fixedWorld("2026-02-14T12:00:00Z", 1000)), dir);
  await recordStatistics(garden);
  await closeGarden(garden);
  const root = join(dir, ".bloom/store");
  const keys = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
  const places = Object.entries(layout);
  expect(keys.filter((key) => places.filter(([, pattern]) => pattern.test(key)).length !== 1)).toEqual([]);
  expect(places.filter(([name, pattern]) => name.startsWith("*") && !keys.some((key) => pattern.test(key)))).toEqual(
    [],
  );
});
