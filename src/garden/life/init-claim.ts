import { blobId } from "../../base/canonical.ts";
import { crashPoint } from "../../base/crash-point.ts";
import { Failure } from "../../base/failure.ts";
import { type StoreConfig, storeName } from "../../domain/config/store-config.ts";
import { keys } from "../../domain/layout.ts";
import type { Store } from "../../ports/store.ts";
import { createOrFind } from "../core/flow/create-record.ts";
import type { GardenPorts } from "../core/garden.ts";
import type { InitPlan } from "./init-survey.ts";
import { refuseInsideGarden } from "./outer-garden.ts";

/**
 * Opens the store, which tests the server of a bucket, and throws DUPLICATE_ENTRY if it holds objects: they are those of another garden,
 * or of this one on another machine. A place inside that of another garden is refused too.
 */
export async function expectFreeStore(
  ground: GardenPorts,
  dir: string,
  { agentsRoot }: InitPlan,
  store: StoreConfig,
): Promise<void> {
  const settings = { agents_root: agentsRoot, store };
  const opened = await ground.openStore(dir, settings);
  try {
    if ((await opened.list("", { limit: 1 })).entries.length > 0) throw storeInUse(store);
  } finally {
    await opened.close();
  }
  await refuseInsideGarden(ground, dir, settings);
}

/** Result of an undo step after which the other steps must not run: the next `init` needs the plan. */
export const KEEP_PLAN = "keep the plan";

/**
 * Takes the place for this garden: a new garden has no object, so that another `init` would find the place empty. Of two concurrent
 * calls the second throws DUPLICATE_ENTRY, and so does one whose place got other objects meanwhile. A resumed call finds its own claim,
 * and so does one that lost the answer. The undo step removes no other claim; if the store does not answer it, the plan with the id of
 * the claim stays.
 */
export async function claimStore(
  ground: GardenPorts,
  dir: string,
  { agentsRoot }: InitPlan,
  { store, id }: NonNullable<InitPlan["claim"]>,
  undo: (() => Promise<unknown>)[],
): Promise<void> {
  const claim = Buffer.from(`${JSON.stringify({ id })}\n`);
  const withOpened = async <T>(use: (opened: Store) => Promise<T>): Promise<T> => {
    const opened = await ground.openStore(dir, { agents_root: agentsRoot, store });
    try {
      return await use(opened);
    } finally {
      await opened.close();
    }
  };
  // Before the claim: a failure with a lost answer may have created it.
  undo.push(() => withOpened((opened) => opened.remove(keys.claim, blobId(claim))).catch(() => KEEP_PLAN));
  const isOurs = await withOpened(async (opened) => {
    if (!(await createOrFind(opened, keys.claim, claim)).first) return false;
    // Since the place was found empty, another machine may have moved a garden there.
    const { entries } = await opened.list("", { limit: 2 });
    if (entries.every(({ key }) => key === keys.claim)) return true;
    await opened.remove(keys.claim, blobId(claim));
    return false;
  });
  if (!isOurs) throw storeInUse(store);
  crashPoint("init:claimed");
}

const storeInUse = (store: StoreConfig): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `${storeName(store)} holds the objects of a garden already`,
    uk: `у ${storeName(store)} вже є об'єкти саду`,
    hint: {
      en: "Name another prefix (s3://BUCKET/PREFIX?…). To use that garden on this machine, clone its git repository instead.",
      uk: "Вкажіть інший префікс (s3://BUCKET/PREFIX?…). Щоб працювати з тим садом на цій машині, клонуйте його репозиторій git.",
    },
    details: { part: "store" },
  });
