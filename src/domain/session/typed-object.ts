import { blobId, canonicalJson, type Json } from "../../base/canonical.ts";
import { briefingWithoutGoal, untypedObject } from "./failures.ts";
import { builtInKinds, type KindRegistry } from "./kinds.ts";

/** S-1: a value with a `type`, in canonical form. `id` is the blob id of `bytes`: `git hash-object --stdin` gives the same. */
export interface TypedObject<T extends TypedValue = TypedValue> {
  readonly id: string;
  readonly bytes: Uint8Array;
  readonly value: T;
}

export interface TypedValue {
  readonly type: string;
  readonly [field: string]: Json | undefined;
}

/** Throws VALIDATION_FAILED for a value without a registered type, or with anything that canonical JSON cannot hold. */
export function typedObject<T extends TypedValue>(value: T, kinds: KindRegistry = builtInKinds): TypedObject<T> {
  const type: unknown = (value as Partial<TypedValue>).type;
  if (typeof type !== "string" || !kinds.has(type)) throw untypedObject(type);
  const text = canonicalJson(value);
  const bytes = Buffer.from(text);
  return { id: blobId(bytes), bytes, value: JSON.parse(text) as T };
}

/** The object in these bytes. Throws INVALID_JSON's failure of the parser's caller: only for bytes that `typedObject` made. */
export const readTypedObject = (bytes: Uint8Array, kinds?: KindRegistry): TypedObject =>
  typedObject(JSON.parse(Buffer.from(bytes).toString()) as TypedValue, kinds);

/** The seed of a session: its goal in words, and any further fields. Immutable. */
export interface SessionBriefing extends TypedValue {
  readonly type: "briefing";
  readonly goal: string;
}

export function briefingObject(fields: { readonly [field: string]: Json | undefined }): TypedObject<SessionBriefing> {
  const { goal } = fields;
  if (typeof goal !== "string" || goal.trim() === "") throw briefingWithoutGoal();
  return typedObject<SessionBriefing>({ ...fields, type: "briefing", goal });
}
