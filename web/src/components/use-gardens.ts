import { useQuery } from "@tanstack/react-query";
import { addressFrom } from "../../../src/domain/garden-address.ts";
import type { AnswerOf } from "../api/client.ts";
import { query } from "../api/queries.ts";

type Known = AnswerOf<"GET /gardens">["gardens"][number];

export interface ShownGarden extends Known {
  /** The address that this browser can open. */
  readonly open: string | undefined;
}

const FRESH_MS = 30_000;

/** The gardens of this garden's machine. One whose folder is gone cannot be opened and is left to `bloom gardens`, which forgets it. */
export function useGardens(): readonly ShownGarden[] {
  const known = useQuery({ ...query("GET /gardens", {}), staleTime: FRESH_MS }).data?.gardens ?? [];
  return known
    .filter(({ state }) => state !== "gone")
    .map((each) => ({
      ...each,
      open: addressFrom(location.href, {
        ...(each.address !== undefined && { address: each.address }),
        ...(each.network === true && { network: true }),
      }),
    }));
}
