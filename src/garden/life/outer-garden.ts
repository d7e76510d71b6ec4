import { Failure, isFailure } from "../../base/failure.ts";
import { type StoreConfig, storeName } from "../../domain/config/store-config.ts";
import { keys } from "../../domain/layout.ts";
import type { Store } from "../../ports/store.ts";
import type { GardenPorts, StoreSettings } from "../core/garden.ts";

/**
 * Throws DUPLICATE_ENTRY if a prefix above the place, or the whole bucket, is the place of a garden: that garden would list, back up
 * and move the objects of this one as its own. Two requests for a prefix without objects, at most eight for any other one. A prefix
 * that these keys may not list is not looked at. Call it after the store was opened, which tests the server.
 */
export async function refuseInsideGarden(ground: GardenPorts, dir: string, settings: StoreSettings): Promise<void> {
  for (const outer of placesAround(settings.store)) {
    const found = await contentOf(ground, dir, { ...settings, store: outer });
    if (found === "garden") throw insideGarden(settings.store, outer);
    if (found === "nothing") return; // nor is there anything in the prefixes between
  }
}

/** The bucket, then each prefix above the place, from the outermost to the innermost one. */
function placesAround(store: StoreConfig): readonly StoreConfig[] {
  if (store.kind === "directory" || store.prefix === "") return [];
  const parts = store.prefix.split("/");
  return parts.map((_, depth) => ({ ...store, prefix: parts.slice(0, depth).join("/") }));
}

async function contentOf(
  ground: GardenPorts,
  dir: string,
  settings: StoreSettings,
): Promise<"garden" | "nothing" | "other"> {
  let store: Store | undefined;
  try {
    store = await ground.openStore(dir, settings);
    if ((await store.list("", { limit: 1 })).entries.length === 0) return "nothing";
    return (await isGarden(store)) ? "garden" : "other";
  } catch (error) {
    if (isFailure(error) && NOT_ALLOWED.has(error.details["reason"])) return "other";
    throw error;
  } finally {
    await store?.close();
  }
}

/** Keys that may be limited to one prefix of the bucket. */
const NOT_ALLOWED: ReadonlySet<unknown> = new Set(["AccessDenied", "HTTP 403"]);

/**
 * The form of the first key in the folders that gardens have: one that was not used has its claim, one that was moved may lack it. A
 * folder alone says nothing: `agents`, for example, may be the prefix of a garden, whose keys are then `agents/agents/…`.
 */
const FIRST_KEYS: readonly (readonly [folder: string, form: RegExp])[] = [
  ["agents/", /^agents\/[^/]+\/_(?:agent\.md|deleted\.json)$/],
  ["audit/", /^audit\/\d{4}-\d\d\/\d\d\/[^/]+$/],
  ["inbox/", /^inbox\/(?:correlated|pending|processed|rejected|signatures)\/.*\.json$/],
  [
    "proposals/",
    /^proposals\/(?:applied|approved|effects|expired|failed|kept|log|pending|rejected|remarks|reports)\/.*\.json$/,
  ],
  [keys.peers, /^views\/peers\/[^/]+\.json$/],
];

async function isGarden(store: Store): Promise<boolean> {
  const found = await Promise.all([
    store.get(keys.claim).then((claim) => claim !== undefined),
    ...FIRST_KEYS.map(async ([folder, form]) => {
      const [first] = (await store.list(folder, { limit: 1 })).entries;
      return first !== undefined && form.test(first.key);
    }),
  ]);
  return found.includes(true);
}

const insideGarden = (store: StoreConfig, outer: StoreConfig): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `${storeName(store)} is inside the place of a garden, ${storeName(outer)}`,
    uk: `${storeName(store)} лежить усередині місця саду, ${storeName(outer)}`,
    hint: {
      en: "Name a prefix that is not inside that one (s3://BUCKET/PREFIX?…): a garden takes all objects below its prefix for its own.",
      uk: "Вкажіть префікс поза тим місцем (s3://BUCKET/PREFIX?…): сад уважає своїми всі об'єкти під своїм префіксом.",
    },
    details: { part: "store", outer: storeName(outer) },
  });
