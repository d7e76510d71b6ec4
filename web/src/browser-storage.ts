/** Local storage is shared by all tabs and stays; session storage belongs to one tab. */
type Area = "localStorage" | "sessionStorage";

/** Returns undefined if nothing is stored or the browser's storage is disabled. */
export function storedText(key: string, area: Area = "localStorage"): string | undefined {
  try {
    return globalThis[area].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a text; `undefined` deletes it. Returns false if the browser's storage is full or disabled. */
export function storeText(key: string, text: string | undefined, area: Area = "localStorage"): boolean {
  try {
    if (text === undefined) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

export const storedJson = (key: string, area?: Area): unknown => parsedJson(storedText(key, area));

export const storeJson = (key: string, value: unknown, area?: Area): boolean =>
  storeText(key, value === undefined ? undefined : JSON.stringify(value), area);

/** Returns undefined for a text that is not JSON, and for `null`. */
export function parsedJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}
