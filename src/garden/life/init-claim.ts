import { crashPoint } from "../../base/crash-point.ts";
import { Failure } from "../../base/failure.ts";
import { type StoreConfig, storeName } from "../../domain/config/store-config.ts";
import { keys } from "../../domain/layout.ts";
import type { GardenPorts } from "../core/garden.ts";
import type { InitPlan } from "./init-survey.ts";

/**
 * Opens the store, which tests the server of a bucket, and throws DUPLICATE_ENTRY if it holds objects: they are those of another garden,
 * or of this one on another machine.
 */
export async function expectFreeStore(
  ground: GardenPorts,
  dir: string,
  { agentsRoot }: InitPlan,
  store: StoreConfig,
): Promise<void> {
  const opened = await ground.openStore(dir, { agents_root: agentsRoot, store });
  try {
    if ((await opened.list("", { limit: 1 })).entries.length > 0) throw storeInUse(store);
  } finally {
    await opened.close();
  }
}

/**
 * Takes the place for this garden: a new garden has no object, so that another `init` would find the place empty. Of two concurrent
 * calls the second throws DUPLICATE_ENTRY. A resumed call finds its own claim.
 */
export async function claimStore(
  ground: GardenPorts,
  dir: string,
  { agentsRoot }: InitPlan,
  { store, id }: NonNullable<InitPlan["claim"]>,
  undo: (() => Promise<unknown>)[],
): Promise<void> {
  const open = () => ground.openStore(dir, { agents_root: agentsRoot, store });
  const opened = await open();
  try {
    const claim = Buffer.from(`${JSON.stringify({ id })}\n`);
    const { kind } = await opened.create(keys.claim, claim);
    if (kind === "taken" && Buffer.compare((await opened.get(keys.claim))?.bytes ?? claim, claim) !== 0)
      throw storeInUse(store);
    undo.push(async () => {
      const again = await open();
      try {
        await again.delete(keys.claim);
      } finally {
        await again.close();
      }
    });
  } finally {
    await opened.close();
  }
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
