import type { z } from "zod";
import { Failure } from "../../base/failure.ts";

/** The bytes of a record: indented JSON and a final newline. */
export const jsonBytes = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

/** The record in these bytes. Throws INTERNAL_ERROR with the key if they are not UTF-8, not JSON or not of this shape. */
export function readJson<T>(key: string, bytes: Uint8Array, shape: z.ZodType<T>): T {
  try {
    return shape.parse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch (cause) {
    throw new Failure("INTERNAL_ERROR", {
      en: `the record ${key} is damaged; \`bloom verify\` says more`,
      uk: `запис ${key} пошкоджено; докладніше — \`bloom verify\``,
      cause,
      details: { key, damaged: true },
    });
  }
}

/** The same for a view or another record that can be made again: undefined if it is missing or damaged. */
export function tryReadJson<T>(bytes: Uint8Array | undefined, shape: z.ZodType<T>): T | undefined {
  try {
    return bytes && shape.safeParse(JSON.parse(Buffer.from(bytes).toString())).data;
  } catch {
    return undefined;
  }
}

/** True for a failure of `readJson`. */
export const isDamagedRecord = (thrown: unknown): boolean =>
  thrown instanceof Failure && thrown.code === "INTERNAL_ERROR" && "damaged" in thrown.details;
