import { asFailure } from "../base/failure.ts";
import type { Text } from "../base/text.ts";
import type { Garden } from "../garden/garden.ts";

/** how each part is. A part that does not answer in time is not well. */
export interface Health {
  readonly status: "ok" | "degraded";
  readonly parts: Readonly<Record<"store" | "git", PartHealth>>;
}

export interface PartHealth {
  readonly status: "ok" | "degraded";
  /** Something to know it by: the role of the store's process, the version of git. */
  readonly about: string;
  readonly remarks: readonly Text[];
}

const PATIENCE_MS = 3000;

export async function gardenHealth({ store, repo }: Pick<Garden, "store" | "repo">): Promise<Health> {
  const [storeHealth, git] = await Promise.all([
    part(async () => {
      const { ok, role, remarks } = await store.health();
      return { ok, about: role, remarks };
    }),
    part(async () => {
      const { ok, version, remarks } = await repo.health();
      return { ok, about: version, remarks };
    }),
  ]);
  const well = storeHealth.status === "ok" && git.status === "ok";
  return { status: well ? "ok" : "degraded", parts: { store: storeHealth, git } };
}

async function part(ask: () => Promise<{ ok: boolean; about: string; remarks: readonly Text[] }>): Promise<PartHealth> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("no answer in time")), PATIENCE_MS);
    });
    const { ok, about, remarks } = await Promise.race([ask(), late]);
    return { status: ok ? "ok" : "degraded", about, remarks };
  } catch (error) {
    return { status: "degraded", about: "", remarks: [asFailure(error).text] };
  } finally {
    clearTimeout(timer);
  }
}
