import { Failure } from "../../base/failure.ts";
import { isViewKey } from "../../domain/layout.ts";
import { isReadableKey, keyRefused, type StoreKey } from "../../domain/store-key.ts";
import { MAX_LIST_LIMIT, MAX_OBJECT_BYTES } from "../../ports/store.ts";

/** Checks that every member of the family makes before it touches anything. */
export function mustBeReadable(key: StoreKey): void {
  if (!isReadableKey(key)) throw keyRefused(key, "cannot be read");
}

export function mustBeView(key: StoreKey): void {
  if (!isViewKey(key)) throw keyRefused(key, "only views may be overwritten or deleted");
}

export function mustBePrefix(prefix: string): void {
  if (prefix !== "" && !isReadableKey(prefix.replace(/\/$/, ""))) throw keyRefused(prefix, "cannot be a prefix");
}

/** The limit of a page: 1 to `MAX_LIST_LIMIT`. */
export const pageLimit = (wanted: number | undefined): number =>
  Math.min(Math.max(Math.trunc(wanted ?? MAX_LIST_LIMIT) || 1, 1), MAX_LIST_LIMIT);

export const objectTooLarge = (key: string, size: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${key} has ${size} bytes; an object may have at most ${MAX_OBJECT_BYTES}`,
    uk: `${key} має ${size} байтів; об'єкт може мати щонайбільше ${MAX_OBJECT_BYTES}`,
    details: { key, size, limit: MAX_OBJECT_BYTES },
  });
