import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isFailure } from "../../../base/failure.ts";
import { auditRecord } from "../../../domain/audit-record.ts";
import { everyKey } from "../../../ports/store.ts";
import { gardensLike, gardenWith } from "../../testing/scratch.ts";
import type { Garden } from "../garden.ts";
import { currentSettings } from "./current-settings.ts";
import { noticeSettings } from "./notice-settings.ts";

const { open } = gardensLike(() => gardenWith());

const auditIn = async ({ store }: Garden): Promise<string[]> => {
  const found: string[] = [];
  for await (const { key } of everyKey(store, "audit/")) {
    const { kind, why, details } = auditRecord.parse(JSON.parse(Buffer.from((await store.get(key))!.bytes).toString()));
    found.push([kind, why?.split("\n")[0] ?? JSON.stringify(details["keys"])].join(" "));
  }
  return found;
};

/** The looks of a server: the messages of those that reported a trouble. */
async function looks(garden: Garden, count: number): Promise<string[]> {
  const told: string[] = [];
  for (let n = 0; n < count; n++)
    await noticeSettings(garden).catch((error: unknown) => {
      if (!isFailure(error)) throw error;
      told.push(error.message);
    });
  return told;
}

describe("G-7 a changed garden.yaml", () => {
  test("a valid change is in force at the next look, without a restart, and is audited once", async () => {
    const { garden, dir } = await open();
    await looks(garden, 1);
    appendFileSync(join(dir, "garden.yaml"), "\negress: [api.example.com]\nprices: { currency: UAH }\n");
    expect(await looks(garden, 3)).toEqual([]);
    expect([garden.config.egress, garden.config.prices.currency, await auditIn(garden)]).toEqual([
      ["api.example.com"],
      "UAH",
      ['settings-loaded ["prices","egress"]'],
    ]);
  });

  test("an invalid file is refused with its line, told once, and the settings from before stay in force", async () => {
    const { garden, dir } = await open();
    await looks(garden, 1);
    const file = join(dir, "garden.yaml");
    const good = `${readFileSync(file, "utf8")}\negress: [api.example.com]\n`;
    writeFileSync(file, good);
    await looks(garden, 1);
    writeFileSync(file, `${good}egres: [evil.example.com]\n`);
    const line = `${good}x`.split("\n").length;
    expect(await looks(garden, 4)).toEqual([expect.stringContaining(`garden.yaml:${line} egres`) as string]);
    expect([garden.config.egress, (await currentSettings(garden)).egress]).toEqual([
      ["api.example.com"],
      ["api.example.com"],
    ]);
    expect(garden.settings.trouble?.message).toContain(`garden.yaml:${line}`);
    writeFileSync(file, good);
    expect([await looks(garden, 2), garden.settings.trouble]).toEqual([[], undefined]);
    expect((await auditIn(garden)).map((told) => told.split(" ")[0])).toEqual(
      expect.arrayContaining(["settings-loaded", "settings-refused"]) as string[],
    );
  });

  test("a file that is half written or gone for one look is not told", async () => {
    const { garden, dir } = await open();
    await looks(garden, 1);
    const file = join(dir, "garden.yaml");
    const good = readFileSync(file, "utf8");
    writeFileSync(file, "version: 2\nna");
    const half = await looks(garden, 1);
    rmSync(file);
    const gone = await looks(garden, 1);
    writeFileSync(file, good);
    expect([half, gone, await looks(garden, 2), garden.config.name]).toEqual([[], [], [], "Rose"]);
  });

  test("an engine or a store that this version does not have is refused by name and line, also while the garden is open", async () => {
    const { garden, dir } = await open();
    await looks(garden, 1);
    const file = join(dir, "garden.yaml");
    const good = readFileSync(file, "utf8").trimEnd();
    const line = good.split("\n").length + 1;
    for (const [setting, field] of [
      ["engine: { kind: steam }", "engine.kind"],
      ["store: { kind: tape }", "store.kind"],
    ] as const) {
      writeFileSync(file, `${good}\n${setting}\n`);
      expect(await looks(garden, 2)).toEqual([expect.stringContaining(`garden.yaml:${line} ${field}`) as string]);
    }
    expect(garden.config.engine.kind).toBe("embedded");
  });
});
