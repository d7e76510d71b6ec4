import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { ApiError } from "./client.ts";

/**
 * The last answer of every read, kept in this browser for when the garden cannot be reached. A kept answer only fills a page that has
 * nothing to show, and counts as never read: what the page concludes from fresh answers (that a decision arrived, that the garden is
 * back) stays true. Changes are not kept: an attempt without the garden fails and says so.
 */
const NAME = "bloom-reads";
const MOST_KEPT = 400;
/** Characters of the largest answer that is kept. */
const MOST_CHARACTERS = 1_000_000;

export function keepReads(client: QueryClient, language: () => string): () => void {
  return client.getQueryCache().subscribe((event) => {
    if (event.type !== "updated") return;
    const { queryKey, state } = event.query;
    const { action } = event;
    if (action.type === "success" && action.manual !== true) void keep(addressOf(queryKey, language()), state.data);
    if (action.type !== "failed" && action.type !== "error") return;
    const error = action.error instanceof ApiError ? action.error : undefined;
    if (error?.isSignedOut) void forgetReads();
    if (error?.isOffline && state.data === undefined) void fill(client, queryKey, addressOf(queryKey, language()));
  });
}

/** Called when the person signs out, and when the session has ended. */
export async function forgetReads(): Promise<void> {
  if ("caches" in globalThis) await caches.delete(NAME);
}

const addressOf = (key: QueryKey, language: string): string =>
  `/app/kept/${language}/${encodeURIComponent(JSON.stringify(key))}`;

async function keep(address: string, data: unknown): Promise<void> {
  if (!("caches" in globalThis)) return;
  const text = JSON.stringify(data);
  if (text === undefined || text.length > MOST_CHARACTERS) return;
  const cache = await caches.open(NAME);
  // Deleted first: the order of the keys is the order of their writing.
  await cache.delete(address);
  await cache.put(address, new Response(text));
  const kept = await cache.keys();
  for (const old of kept.slice(0, Math.max(0, kept.length - MOST_KEPT))) await cache.delete(old);
}

async function fill(client: QueryClient, queryKey: QueryKey, address: string): Promise<void> {
  if (!("caches" in globalThis)) return;
  const kept = await (await caches.match(address, { cacheName: NAME }))?.text();
  if (kept !== undefined && client.getQueryData(queryKey) === undefined)
    client.setQueryData(queryKey, JSON.parse(kept), { updatedAt: 1 });
}
