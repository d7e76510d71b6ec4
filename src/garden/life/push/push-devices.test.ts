import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { machine } from "../../../domain/layout.ts";
import { files, gardenWith } from "../../testing/scratch.ts";
import { addPushDevice, pushDevices, pushKey, removePushDevice } from "./push-devices.ts";

const CONFIG = "version: 2\nname: Rose\nnotify: [{ name: devices, push: [push.example] }]\n";
const wish = {
  name: "Phone",
  endpoint: "https://push.example/1",
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
};

async function ground() {
  const made = await gardenWith({ "notes/a.md": "# A\n" });
  files(made.dir, { "garden.yaml": CONFIG });
  return made;
}

test("P-12a the key of push messages is made once, private to the owner", async () => {
  const { garden, dir } = await ground();
  const [first, second] = await Promise.all([pushKey(garden), pushKey(garden)]);
  expect([second, first.publicKey.length, statSync(join(dir, machine.pushKey)).mode & 0o77]).toEqual([first, 87, 0]);
  files(dir, { [machine.pushKey]: "damaged" });
  await expect(pushKey(garden)).rejects.toMatchObject({ details: { file: machine.pushKey } });
});

test("P-12a a device is added once, replaced by its new keys, and removed by name", async () => {
  const { garden, dir } = await ground();
  const { id } = await addPushDevice(garden, wish);
  await addPushDevice(garden, { ...wish, name: "My phone" });
  expect((await pushDevices(garden)).map(({ name }) => name)).toEqual(["My phone"]);
  expect(statSync(join(dir, machine.pushDevices, `${id}.json`)).mode & 0o77).toBe(0);
  files(dir, { [`${machine.pushDevices}/damaged.json`]: "{" });
  await removePushDevice(garden, "My phone");
  expect(await pushDevices(garden)).toEqual([]);
  await expect(removePushDevice(garden, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test.each([
  ["a push service that no destination names", { ...wish, endpoint: "https://evil.example/1" }, "FORBIDDEN"],
  ["the same service at another port", { ...wish, endpoint: "https://push.example:8443/1" }, "FORBIDDEN"],
  ["a key that is none", { ...wish, p256dh: "x" }, "VALIDATION_FAILED"],
  ["an authentication secret that is none", { ...wish, auth: "" }, "VALIDATION_FAILED"],
])("P-12a %s is refused", async (_, device, code) => {
  const { garden } = await ground();
  await expect(addPushDevice(garden, device)).rejects.toMatchObject({ code });
  expect(await pushDevices(garden)).toEqual([]);
});
