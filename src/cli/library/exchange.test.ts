import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { closeGarden } from "../../garden/core/garden.ts";
import { sortingAgent } from "../../garden/federation/library/testing/library-ground.ts";
import { gardenWith, git, scratch } from "../../garden/testing/scratch.ts";
import { inProcessBloom } from "../testing/command-line.ts";

test("S-9b bloom library publishes what was shown, carries it in a file, and replays it", async () => {
  const { garden, dir } = await gardenWith();
  await sortingAgent(garden, "sorter", { runs: [{ count: 5 }, { wanted: true }] });
  await closeGarden(garden);
  const mailbox = scratch();
  git(mailbox, "init", "-q", "--bare", ".");
  appendFileSync(join(dir, "garden.yaml"), `remotes: { public: { url: ${mailbox} } }\n`);
  const file = join(scratch(), "sort.behaviour.json");
  const bloom = (...args: string[]) => inProcessBloom(dir, args);
  await bloom("peer", "identity", "--make");

  const nameless = await bloom("library", "publish", "sorter");
  const named = await bloom("library", "name", "sorter", "Sort notes");
  const shown = await bloom("library", "publish", "sorter");
  const digest = /--seen ([0-9a-f]{40})/.exec(shown.out)![1]!;
  const published = await bloom("library", "publish", "sorter", "--to", "public", "--seen", digest);
  const list = await bloom("library");
  const exported = await bloom("library", "export", "Sort notes", file);
  const again = await bloom("library", "export", "Sort notes", file);
  const imported = JSON.parse((await bloom("library", "import", file, "--json")).out) as { id: string };
  const detail = await bloom("library", "show", imported.id);
  const replayed = await bloom("library", "replay", imported.id, "--agent", "sorter");
  const compared = await bloom("library", "compare", imported.id, "--agent", "sorter");
  const same = await bloom("library", "adopt", imported.id, "--agent", "sorter");
  const forgotten = await bloom("library", "withdraw", imported.id);
  expect([nameless.exit, named.exit, published.out, exported.exit, again.exit === 0, forgotten.exit]).toEqual([
    2,
    0,
    expect.stringMatching(/^Published as announcement 2 to public: [0-9a-f]{40}\.\n$/),
    0,
    false,
    0,
  ]);
  expect([shown.out, list.out, detail.out, replayed.out, compared.out, same.err]).toEqual([
    expect.stringContaining("Runs with their decisions: 2; with a verdict only: 0."),
    expect.stringMatching(/^[0-9a-f]{12} +Sort notes +v001 +own +sound/),
    expect.stringContaining("2 agree, 0 differ"),
    expect.stringContaining("On recorded runs of sorter: 2 same, 0 better, 0 worse, 0 unknown"),
    expect.stringContaining("both have one behaviour"),
    expect.stringContaining("sorter follows this behaviour already (v001)"),
  ]);
});
