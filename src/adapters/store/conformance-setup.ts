import { isFailure } from "../../base/failure.ts";
import { everyKey, type Store } from "../../ports/store.ts";

/** A place in which stores can be reopened: the next store finds what the last one wrote. */
export interface StorePlace {
  open(): Promise<Store>;
  /** Called after every test, when its stores are closed. */
  discard(): Promise<void>;
}

/** Places and stores for the tests of a suite, discarded after each test. */
export interface StoreSuite {
  readonly place: () => Promise<StorePlace>;
  readonly opened: (at?: StorePlace) => Promise<Store>;
}

export const bytes = (content: string): Uint8Array => new Uint8Array(Buffer.from(content));
export const text = async (store: Store, key: string): Promise<string | undefined> => {
  const found = await store.get(key);
  return found && Buffer.from(found.bytes).toString();
};
export const keys = async (store: Store, prefix: string): Promise<string[]> => {
  const found: string[] = [];
  for await (const { key } of everyKey(store, prefix)) found.push(key);
  return found;
};
export const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.from(a).equals(b);
export const failureCodeOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call;
    return "no failure";
  } catch (error) {
    return isFailure(error) ? error.code : String(error);
  }
};
