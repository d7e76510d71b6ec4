import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { storeKey } from "../../../domain/store-key.ts";
import type { Garden } from "../../core/garden.ts";
import { gardenWith, git, scratch, testPorts } from "../../testing/scratch.ts";
import { backUp } from "./backup.ts";
import { restoreBackup } from "./restore.ts";

const put = (garden: Garden, key: string, text: string) => garden.store.create(storeKey(key), Buffer.from(text));
const into = (dir: string) => testPorts().folders.at(dir);

describe("G-8 a backup of a garden that changes meanwhile", () => {
  test("copies again objects that changed during the copy, and keeps the later copy", async () => {
    const { garden, dir } = await gardenWith();
    await put(garden, "proposals/log/prop_1/0000.json", '{"a":1}');
    await garden.store.put(storeKey("registry.json"), Buffer.from("1"));
    let rounds = 0;
    const busy: Garden = {
      ...garden,
      repo: {
        ...garden.repo,
        bundle: async (file) => {
          const bundled = await garden.repo.bundle(file);
          if (rounds++ === 0) {
            await put(garden, "proposals/log/prop_2/0000.json", '{"a":2}');
            await garden.store.put(storeKey("registry.json"), Buffer.from("22"));
            git(dir, "commit", "-q", "--allow-empty", "-m", "meanwhile");
          }
          return bundled;
        },
      },
    };
    const { file, manifest } = await backUp(busy, "Rose", into(scratch()));
    const target = join(scratch(), "again");
    await restoreBackup(testPorts(), file, target);
    expect({
      rounds,
      objects: manifest.counts.objects,
      registry: readFileSync(join(target, ".bloom/store/registry.json"), "utf8"),
    }).toEqual({ rounds: 2, objects: 3, registry: "22" });
    expect({
      subject: git(target, "log", "-1", "--format=%s"),
      hasProposal: existsSync(join(target, ".bloom/store/proposals/log/prop_2/0000.json")),
    }).toEqual({ subject: "meanwhile", hasProposal: true });
  });

  test("does not restore objects that were removed during the copy, and its sums are still valid", async () => {
    const { garden, dir } = await gardenWith();
    for (const name of ["gone", "back", "stays"]) await put(garden, `agents/echo/runs/run_1/${name}.json`, name);
    const remove = async (name: string) => {
      const key = storeKey(`agents/echo/runs/run_1/${name}.json`);
      await garden.store.remove(key, (await garden.store.get(key))!.hash);
    };
    const between = [
      () => Promise.all([remove("gone"), remove("back")]),
      () => put(garden, "agents/echo/runs/run_1/back.json", "back"),
    ];
    const busy: Garden = {
      ...garden,
      repo: {
        ...garden.repo,
        bundle: async (file) => {
          const bundled = await garden.repo.bundle(file);
          const change = between.shift();
          if (change) git(dir, "commit", "-q", "--allow-empty", "-m", "meanwhile");
          await change?.();
          return bundled;
        },
      },
    };
    const { file, manifest } = await backUp(busy, "Rose", into(scratch()));
    const [unpacked, target] = [scratch(), join(scratch(), "again")];
    execFileSync("tar", ["-xzf", file, "-C", unpacked]);
    execFileSync("sha256sum", ["--quiet", "-c", "SHA256SUMS"], { cwd: unpacked });
    await restoreBackup(testPorts(), file, target);
    expect({
      removed: manifest.removed,
      counts: manifest.counts,
      restored: readdirSync(join(target, ".bloom/store/agents/echo/runs/run_1")),
    }).toEqual({
      removed: ["agents/echo/runs/run_1/gone.json"],
      counts: { objects: 2, files: 0, bytes: 9 },
      restored: ["back.json", "stays.json"],
    });
  });

  test("fails and writes nothing when the garden never stops changing", async () => {
    const { garden, dir } = await gardenWith();
    const place = scratch();
    const restless: Garden = {
      ...garden,
      repo: {
        ...garden.repo,
        bundle: async (file) => {
          git(dir, "commit", "-q", "--allow-empty", "-m", "again");
          return garden.repo.bundle(file);
        },
      },
    };
    await expect(backUp(restless, "Rose", into(place))).rejects.toMatchObject({ code: "CONCURRENT_MODIFICATION" });
    expect(readdirSync(place)).toEqual([]);
  });
});
