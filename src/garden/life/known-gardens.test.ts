import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { composePorts } from "../../compose.ts";
import { statePlace } from "../../config.ts";
import { recordGatewayUrl } from "../core/access/gateway-url.ts";
import { environment, scratch } from "../testing/scratch.ts";
import { initGarden } from "./init.ts";
import { forgetKnownGarden, holdServed, knownGardens, recordKnownGarden } from "./known-gardens.ts";

/** The ports of a machine whose user's state is in a scratch folder. */
function machineOf(home = scratch()) {
  const state = join(home, "state");
  const more = { ...environment, XDG_STATE_HOME: state };
  return { home, state, ports: composePorts({ environment: more, state: statePlace(more, "linux") }) };
}

async function planted({ home, ports }: ReturnType<typeof machineOf>, name: string): Promise<string> {
  const dir = join(home, name);
  await initGarden(ports, dir, { language: "en", name });
  await recordKnownGarden(ports, dir);
  return dir;
}

test("U-1 a machine lists its gardens by name, with the address of one that is served until its process ends", async () => {
  const machine = machineOf();
  const { ports } = machine;
  const [rose, lily] = [await planted(machine, "Rose"), await planted(machine, "Lily")];
  await recordKnownGarden(ports, rose);
  const folder = ports.folders.at(rose);
  await recordGatewayUrl({ folder }, "http://127.0.0.1:4441/", true);
  const seen = async () =>
    (await knownGardens(ports)).map(({ name, dir, state, address, network }) => [name, dir, state, address, network]);
  const lilyNow = ["Lily", lily, "stopped", undefined, undefined];
  expect(await seen()).toEqual([lilyNow, ["Rose", rose, "stopped", undefined, undefined]]);
  const served = await holdServed(ports, rose);
  expect(await seen()).toEqual([lilyNow, ["Rose", rose, "running", "http://127.0.0.1:4441/", true]]);
  expect((await knownGardens(ports)).every(({ first_commit = "" }) => /^[0-9a-f]{40}$/.test(first_commit))).toBe(true);
  served.release();
  // The address of a server that was killed is still in the folder.
  expect(await seen()).toEqual([lilyNow, ["Rose", rose, "stopped", undefined, undefined]]);
});

test("U-1 a garden whose folder vanished is listed as gone, and is forgotten by name, folder or id", async () => {
  const machine = machineOf();
  const { ports } = machine;
  const [rose, lily, fern] = [
    await planted(machine, "Rose"),
    await planted(machine, "Lily"),
    await planted(machine, "Fern"),
  ];
  rmSync(rose, { recursive: true });
  expect((await knownGardens(ports)).map(({ name, state }) => `${name} ${state}`)).toEqual([
    "Fern stopped",
    "Lily stopped",
    "Rose gone",
  ]);
  await forgetKnownGarden(ports, "Rose");
  await forgetKnownGarden(ports, lily);
  await forgetKnownGarden(ports, (await knownGardens(ports))[0]!.id);
  expect(await knownGardens(ports)).toEqual([]);
  expect([existsSync(lily), existsSync(fern)]).toEqual([true, true]);
  await expect(forgetKnownGarden(ports, "Rose")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("U-1 many processes record at once, and a damaged record hides no other", async () => {
  const machine = machineOf();
  const dirs = [await planted(machine, "Rose"), await planted(machine, "Lily"), await planted(machine, "Fern")];
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      recordKnownGarden(machineOf(machine.home).ports, dirs[index % dirs.length]!),
    ),
  );
  writeFileSync(join(machine.state, "garden-bloom/gardens/0000000000000000.json"), "{");
  expect((await knownGardens(machine.ports)).map(({ dir }) => dir).toSorted()).toEqual(dirs.toSorted());
});

test("U-1 a user without a home folder gets none, and a state folder that cannot be written fails no command", async () => {
  const home = scratch();
  const nobody = join(home, "nobody");
  const homeless = { ...environment, HOME: nobody };
  const ports = composePorts({ environment: homeless, state: statePlace(homeless, "linux") });
  const dir = await planted({ home, state: "", ports }, "Rose");
  expect([existsSync(nobody), await knownGardens(ports)]).toEqual([false, []]);
  const blocked = machineOf(scratch());
  mkdirSync(blocked.state);
  writeFileSync(join(blocked.state, "garden-bloom"), "a file in the way");
  await recordKnownGarden(blocked.ports, dir);
  (await holdServed(blocked.ports, dir)).release();
  expect(readdirSync(blocked.state)).toEqual(["garden-bloom"]);
});
