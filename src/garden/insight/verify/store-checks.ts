import { asFailure } from "../../../base/failure.ts";
import { joined, type Text } from "../../../base/text.ts";
import { machine, REGISTRY_KEY, storeFolders } from "../../../domain/layout.ts";
import { isReadableKey, keyProblem } from "../../../domain/store-key.ts";
import { everyKey, MAX_OBJECT_BYTES, type Store } from "../../../ports/store.ts";
import { type Check, subjects } from "./check.ts";

const KNOWN_FOLDERS: readonly string[] = [...storeFolders, "views"];
/** Files that people add by hand: any name is allowed. */
const BY_HAND = /^agents\/[^/]+\/sources\//;

export const storeOpensCheck: Check = {
  id: "store",
  rule: "G-3",
  title: { en: "the store opens", uk: "сховище відкривається" },
  async *run({ store }) {
    if (store.kind === "failed") {
      const { text, hint } = store.failure;
      yield { where: machine.store, what: hint ? joined([text, hint], ". ") : text };
      return;
    }
    const health = await store.value.health();
    if (!health.ok) yield { where: machine.store, what: joined(health.remarks, ". ") };
  },
};

export const keysCheck: Check = {
  id: "store-keys",
  rule: "G-2",
  title: { en: "the store has no unknown objects", uk: "у сховищі немає нічого чужого" },
  async *run({ store, folder, config }) {
    if (store.kind === "failed") return;
    for await (const { key } of everyKey(store.value, "")) {
      const first = key.split("/")[0]!;
      const known = key === REGISTRY_KEY || (KNOWN_FOLDERS.includes(first) && key.includes("/"));
      const problem = BY_HAND.test(key) ? undefined : keyProblem(key);
      if (!known) yield { where: `store:${key}`, what: nobodys };
      else if (problem) yield { where: `store:${key}`, what: oddName };
    }
    if (config.kind === "value" && config.value.store.kind !== "directory") return;
    // Files that the store never lists: names that are not keys, links, devices.
    for await (const { path, sight } of folder.walk(machine.store)) {
      const key = path.slice(machine.store.length + 1);
      if (sight.kind !== "file" || !isReadableKey(key)) yield { where: path, what: noObject };
    }
  },
};

export const objectsCheck: Check = {
  id: "store-objects",
  rule: "G-2",
  title: { en: "the objects of the store are whole", uk: "об'єкти сховища цілі" },
  async *run({ store }) {
    if (store.kind === "failed") return;
    for await (const { key } of everyKey(store.value, "")) {
      if (BY_HAND.test(key)) continue;
      const what = await problemOf(store.value, key);
      if (what) yield { where: `store:${key}`, what, damages: damagedBy(key) };
    }
  },
};

/** Names of the records that cannot be checked without this object. */
function damagedBy(key: string): string[] {
  const proposal = /^proposals\/log\/([^/]+)\//.exec(key)?.[1];
  const run = /^agents\/[^/]+\/runs\/([^/]+)\//.exec(key)?.[1];
  const drawing = /^agents\/([^/]+)\/drakon\//.exec(key)?.[1];
  return [
    subjects.object(key),
    ...(proposal === undefined ? [] : [subjects.proposal(proposal)]),
    ...(run === undefined ? [] : [subjects.run(run)]),
    ...(drawing === undefined ? [] : [subjects.drawing(drawing)]),
  ];
}

async function problemOf(store: Store, key: string): Promise<Text | undefined> {
  try {
    const object = await store.get(key);
    if (!object) return undefined; // a view that was removed meanwhile
    if (object.bytes.length > MAX_OBJECT_BYTES) return tooLarge;
    if (key.endsWith(".json")) return isJson(object.bytes) ? undefined : brokenJson;
    if (key.endsWith(".jsonl")) return brokenLine(object.bytes);
    return undefined;
  } catch (error) {
    return asFailure(error).text;
  }
}

function brokenLine(bytes: Uint8Array): Text | undefined {
  const lines = Buffer.from(bytes).toString().split("\n");
  const broken = lines.findIndex((line) => line.trim() !== "" && !isJson(Buffer.from(line)));
  return broken < 0 ? undefined : { en: `line ${broken + 1} is not JSON`, uk: `рядок ${broken + 1} — не JSON` };
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

const nobodys: Text = {
  en: "unknown object: the garden uses no such name; check it and move it out of the store",
  uk: "нічого в саду не має такої назви; погляньте, що це, і винесіть зі сховища",
};
const oddName: Text = {
  en: "a name that some file systems or buckets do not allow; rename it",
  uk: "назва, якої не втримає деяка файлова система чи бакет; перейменуйте",
};
const noObject: Text = {
  en: "this cannot be an object of the store (a link, a device or an invalid name); move it away",
  uk: "це не може бути об'єктом сховища (посилання, пристрій або назва, що не є ключем); приберіть",
};
const brokenJson: Text = {
  en: "not JSON: truncated or changed by hand; restore it from a backup",
  uk: "не JSON: обрізано або змінено вручну; поверніть із резервної копії",
};
const tooLarge: Text = { en: "larger than an object may be", uk: "більше, ніж дозволено об'єктові" };
