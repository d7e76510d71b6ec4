import type { GardenPlace } from "./known-garden.ts";

/**
 * The address that a browser on `page` can open: on the same machine the garden's own, on another one the name by which that browser
 * reaches this machine. Undefined if the garden is served for its own machine only.
 */
export function addressFrom(
  page: string,
  { address, network }: Pick<GardenPlace, "address" | "network">,
): string | undefined {
  if (address === undefined) return undefined;
  const here = new URL(page).hostname;
  if (isLoopback(here)) return address;
  if (!isLoopback(new URL(address).hostname)) return address;
  if (network !== true) return undefined;
  const there = new URL(address);
  there.hostname = here;
  return there.href;
}

/** True for names and addresses that mean the machine itself. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || host.startsWith("127.");
