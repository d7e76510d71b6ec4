import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { armCrashPoints } from "../../base/crash-point.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { contractKey } from "../../domain/layout.ts";
import { addGrants } from "../core/access/grant.ts";
import { toolGround } from "../runs/tools/testing/tool-ground.ts";
import { gardenWith, git } from "../testing/scratch.ts";
import { changeSafeOutput } from "./safe-outputs.ts";

const notes = { "notes/a.md": "# A\n" };

test("Z-2 a change of safe_outputs is a line of the contract, and the gate applies it at once", async () => {
  const { garden, dir } = await gardenWith(notes);
  const { use } = await toolGround({ garden, dir, outputs: ["propose-tag"] });
  const remember = (key: string) => use("propose-memory-update", { content: key }, { key });
  const change = (allowed: boolean) =>
    changeSafeOutput(garden, { slug: "archivist", action: "memory-update", allowed, by: commandLineOwner });
  const before = Buffer.from((await garden.store.get(contractKey("archivist")))!.bytes).toString();
  const told = [await remember("one"), await change(true), await remember("two"), await change(true)];
  const after = Buffer.from((await garden.store.get(contractKey("archivist")))!.bytes).toString();
  expect([...told, await change(false), await remember("three")]).toMatchObject([
    { status: "refused", code: "FORBIDDEN" },
    { changed: true, safe_outputs: ["propose-tag", "memory-update"] },
    { status: "pending" },
    { changed: false },
    { changed: true, safe_outputs: ["propose-tag"] },
    { status: "refused", code: "FORBIDDEN" },
  ]);
  expect(after.replace(/updated_at: .*/, "")).toBe(
    before.replace("[propose-tag]", "[propose-tag, memory-update]").replace(/updated_at: .*/, ""),
  );
});

test("Z-2 only the owner changes safe_outputs, and the last output cannot be removed", async () => {
  const { garden, dir } = await gardenWith(notes);
  const { run } = await toolGround({ garden, dir, outputs: ["propose-tag"] });
  const wish = { slug: "archivist", action: "propose-tag" } as const;
  await expect(
    changeSafeOutput(garden, { ...wish, allowed: true, by: { type: "agent", slug: "archivist", run } }),
  ).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(changeSafeOutput(garden, { ...wish, allowed: false, by: commandLineOwner })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
  });
});

test("Z-2 a change killed after the swap holds, and repeating it is idempotent", async () => {
  const { garden, dir } = await gardenWith(notes);
  await toolGround({ garden, dir, outputs: ["propose-tag"] });
  const wish = { slug: "archivist", action: "logic-update", allowed: true, by: commandLineOwner } as const;
  const disarm = armCrashPoints((name) => {
    if (name === "agent.outputs.swapped") throw new Error("killed");
  });
  await expect(changeSafeOutput(garden, wish)).rejects.toThrow("killed");
  disarm();
  expect(await changeSafeOutput(garden, wish)).toMatchObject({
    changed: false,
    safe_outputs: ["propose-tag", "logic-update"],
  });
});

test("P-4a grants are written once each, beside those of the owner", async () => {
  const { garden, dir } = await gardenWith(notes);
  const grant = (action: "logic-update" | "logic-rollback", ...on: string[]) =>
    addGrants(garden, { agent: "optimizer", action, on, by: commandLineOwner });
  const commits = [
    await grant("logic-update", "a"),
    await grant("logic-update", "b", "a", "b"),
    await grant("logic-update", "a"),
  ];
  await grant("logic-rollback", "a");
  const written = readFileSync(`${dir}/garden.yaml`, "utf8");
  const optimizer = (action: string, ...on: string[]) =>
    `  - agent: optimizer\n    actions:\n      - ${action}\n    on:\n${on.map((one) => `      - ${one}\n`).join("")}`;
  expect(commits.map((commit) => commit !== undefined)).toEqual([true, true, false]);
  expect(written).toContain(`${optimizer("logic-update", "a", "b")}${optimizer("logic-rollback", "a")}`);
  expect(git(dir, "status", "--short", "garden.yaml")).toBe("");
});
