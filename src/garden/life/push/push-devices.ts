import { createECDH, createHash } from "node:crypto";
import { Failure } from "../../../base/failure.ts";
import { machine } from "../../../domain/layout.ts";
import { isPushAuth, isPushKey, type PushDevice, type PushKey, pushDevice } from "../../../domain/push.ts";
import { currentSettings } from "../../core/access/current-settings.ts";
import type { Garden } from "../../core/garden.ts";

/** Devices and the key are private to the owner and in no backup: a copy of the garden must not reach the owner's devices. */
type PushDeps = Pick<Garden, "folder" | "world">;

const MAX_DEVICES = 20;
const MAX_FILE_BYTES = 8192;
const KEY_TEXT = /^[A-Za-z0-9_-]{43}\n?$/;

/** The key that signs requests to push services, created on first use. Deleting the file ends every subscription. */
export async function pushKey({ folder, world }: PushDeps): Promise<PushKey> {
  const there = await folder.read(machine.pushKey, 1024);
  if (there) return keyIn(there);
  await folder.makeFolder(machine.keys, "private");
  await folder.create(machine.pushKey, Buffer.from(`${newPrivateKey(world)}\n`), "private");
  // Another process may have created it first.
  return keyIn((await folder.read(machine.pushKey, 1024)) ?? new Uint8Array());
}

/** 32 random bytes are a key of the curve, but for one value of 2^32. */
function newPrivateKey(world: Garden["world"]): string {
  for (;;) {
    const text = Buffer.from(world.random(32)).toString("base64url");
    if (publicKeyOf(text) !== undefined) return text;
  }
}

function publicKeyOf(privateKey: string): string | undefined {
  try {
    const pair = createECDH("prime256v1");
    pair.setPrivateKey(Buffer.from(privateKey, "base64url"));
    return pair.getPublicKey("base64url");
  } catch {
    return undefined;
  }
}

function keyIn(bytes: Uint8Array): PushKey {
  const text = Buffer.from(bytes).toString();
  const publicKey = KEY_TEXT.test(text) ? publicKeyOf(text.trim()) : undefined;
  if (publicKey === undefined) throw damagedPushKey();
  return { publicKey, privateKey: text.trim() };
}

export interface NewPushDevice extends Pick<PushDevice, "name" | "endpoint" | "p256dh" | "auth"> {}

/** Adds a device, or replaces the one with the same endpoint. Its push service must be named in a `push` destination. */
export async function addPushDevice(garden: Garden, wish: NewPushDevice): Promise<PushDevice> {
  if (!isPushKey(wish.p256dh) || !isPushAuth(wish.auth)) throw badSubscription();
  const url = new URL(wish.endpoint);
  const { notify } = await currentSettings(garden);
  if (!notify.some(({ push }) => push?.includes(url.host) === true)) throw serviceNotNamed(url.host);
  const id = createHash("sha256").update(wish.endpoint).digest("hex").slice(0, 16);
  const others = (await pushDevices(garden)).filter((each) => each.id !== id);
  if (others.length >= MAX_DEVICES) throw tooManyDevices();
  const device: PushDevice = { id, ...wish, added_at: new Date(garden.world.now()).toISOString() };
  await garden.folder.makeFolder(machine.keys, "private");
  await garden.folder.makeFolder(machine.pushDevices, "private");
  await garden.folder.write(fileOf(id), [Buffer.from(`${JSON.stringify(device)}\n`)], "private");
  return device;
}

/** Every device, oldest first; a damaged file is left out. */
export async function pushDevices({ folder }: Pick<Garden, "folder">): Promise<readonly PushDevice[]> {
  const devices: PushDevice[] = [];
  for (const file of await folder.names(machine.pushDevices)) {
    const bytes = file.endsWith(".json")
      ? await folder.read(`${machine.pushDevices}/${file}`, MAX_FILE_BYTES)
      : undefined;
    const device = bytes && readDevice(bytes);
    if (device) devices.push(device);
  }
  return devices.toSorted((a, b) => a.added_at.localeCompare(b.added_at));
}

function readDevice(bytes: Uint8Array): PushDevice | undefined {
  try {
    return pushDevice.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return undefined;
  }
}

/** Removes a device by its id or its name. Throws NOT_FOUND if there is none. */
export async function removePushDevice(garden: Pick<Garden, "folder">, named: string): Promise<PushDevice> {
  const device = (await pushDevices(garden)).find(({ id, name }) => id === named || name === named);
  if (!device) throw noSuchDevice(named);
  await garden.folder.removeFile(fileOf(device.id));
  return device;
}

const fileOf = (id: string): string => `${machine.pushDevices}/${id}.json`;

const damagedPushKey = (): Failure =>
  new Failure("INTERNAL_ERROR", {
    en: "the key for push messages is damaged",
    uk: "ключ для сповіщень на пристрої пошкоджено",
    hint: {
      en: `Delete ${machine.pushKey}: a new one is created, and every device has to be added again.`,
      uk: `Видаліть ${machine.pushKey}: буде створено новий, а кожен пристрій треба буде додати знову.`,
    },
    details: { file: machine.pushKey },
  });

const badSubscription = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "this is not the subscription of a browser: `p256dh` and `auth` are keys in base64url",
    uk: "це не підписка браузера: `p256dh` і `auth` — ключі в base64url",
  });

const serviceNotNamed = (host: string): Failure =>
  new Failure("FORBIDDEN", {
    en: `no destination of \`notify\` names the push service ${host}`,
    uk: `жоден отримувач у \`notify\` не називає службу ${host}`,
    hint: {
      en: `Add it to garden.yaml: notify: [{ name: devices, push: [${host}] }]`,
      uk: `Додайте її до garden.yaml: notify: [{ name: devices, push: [${host}] }]`,
    },
    details: { host },
  });

const tooManyDevices = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `there are ${MAX_DEVICES} devices already`,
    uk: `уже додано ${MAX_DEVICES} пристроїв`,
    hint: {
      en: "Remove one that is not used: `bloom notify devices`.",
      uk: "Приберіть зайвий: `bloom notify devices`.",
    },
  });

const noSuchDevice = (named: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no device ${named}`,
    uk: `немає пристрою ${named}`,
    hint: { en: "`bloom notify devices` lists them.", uk: "`bloom notify devices` покаже їх." },
    details: { device: named },
  });
