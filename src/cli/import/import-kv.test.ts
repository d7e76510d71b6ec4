import { expect, test } from "vitest";
import { oldProposal, oldZone } from "../../domain/import/kv/testing/old-records.ts";
import { closed, files, gardenWith } from "../../garden/testing/scratch.ts";
import { inProcessBloom } from "../testing/command-line.ts";

const dump = {
  "proposal:prop_1_aaaaaaaa": JSON.stringify(oldProposal("prop_1_aaaaaaaa", { guestName: "Olena\u001b[31m" })),
  "proposal:prop_2_bbbbbbbb": JSON.stringify(oldProposal("prop_2_bbbbbbbb", { status: "rejected" })),
  "proposal:prop_3_cccccccc": "{",
  "zone:z1": JSON.stringify(oldZone("z1")),
  "proposals:pending": "[]",
};

test("I-2 the command line imports a dump after a dry run, repeats it, and shows the old records", async () => {
  const { dir } = await closed(await gardenWith());
  files(dir, { "../dump.json": JSON.stringify(dump), "../none.json": "[" });
  const bloom = (...args: string[]) => inProcessBloom(dir, [...args, "--lang", "en"]);
  const plan = await bloom("import", "kv", "../dump.json", "--dry-run");
  expect([plan.exit, plan.out]).toEqual([
    0,
    expect.stringContaining("Nothing was changed. Imported: 1, kept: 2, left out: 1"),
  ]);
  const done = await bloom("import", "kv", "../dump.json");
  expect(done.out).toMatch(
    /Imported: 1, kept: 2, left out: 1, imported earlier: 0, refused: 1\.\nBackup before the import/,
  );
  const again = await bloom("import", "kv", "../dump.json", "--json");
  expect(JSON.parse(again.out)).toMatchObject({ counts: { imported: 0, earlier: 3, left: 1, refused: 1 } });
  const list = await bloom("legacy");
  expect(list.out).toMatch(/prop_1_aaaaaaaa +A +Olena.* +pending +→ waits for your decision prop_/);
  expect(list.out).not.toContain("\u001b[31m");
  const shown = await bloom("legacy", "show", "prop_1_aaaaaaaa");
  expect(shown.out).toMatch(/olena@example\.org[\s\S]*as the guest wrote it[\s\S]*\| A line of a guest\./);
  expect((await bloom("legacy", "show", "z1", "--json")).out).not.toContain("ROSE-1234");
  expect((await bloom("legacy", "show", "../../x")).exit).toBe(3);
  expect((await bloom("import", "kv", "../none.json")).exit).toBe(2);
  expect((await bloom("import", "kv", "../gone.json")).exit).toBe(3);
});
