import { createHash } from "node:crypto";
import type { Json } from "../../base/canonical.ts";
import { isList } from "../expression/value.ts";
import type { Request } from "./request.ts";

/** `write-memory(оброблені: оновлений_список)`: a list as it is after this run. */
const UPDATED = /^(?:оновлен|updated[_-])/iu;

/**
 * The value of an unbound name like `оновлений_список`, derived without a language model: the list under the argument's name
 * plus the subjects of this run's proposals. Undefined for all other requests.
 */
export function derivedValue(request: Request, proposed: readonly string[]): Json | undefined {
  const { kind, name, payload } = request;
  const asked = payload["ask"];
  if (kind !== "llm" || name !== "value" || typeof asked !== "string" || !UPDATED.test(asked)) return undefined;
  const argument = argumentOf(payload["text"] as string, asked);
  if (argument === undefined) return undefined;
  const values = payload["values"] as { readonly [name: string]: Json };
  const list = Object.hasOwn(values, argument) ? values[argument]! : null;
  if (list !== null && !isList(list)) return undefined;
  return [...new Set([...(list ?? []), ...proposed])];
}

/** The name of the argument whose value is `given`. */
function argumentOf(text: string, given: string): string | undefined {
  const at = text.indexOf(given);
  return /([\p{L}_][\p{L}\p{N}_'’ʼ-]*)\s*:\s*$/u.exec(text.slice(0, at))?.[1];
}

/** The note or path that a proposal is about. */
export function proposalSubjects({ kind, payload }: Request): string[] {
  const about = kind === "propose" ? (payload["note"] ?? payload["path"]) : undefined;
  return typeof about === "string" ? [about] : [];
}

/** A number in [0, 1) derived from the words: the same in every replay, different for every request. */
export const seededRandom = (...words: readonly string[]): number =>
  createHash("sha256").update(words.join("\0")).digest().readUInt32BE(0) / 2 ** 32;

/** The follower's tool call id for a request: the same in every turn, unique within the run. */
export const callId = ({ id }: Pick<Request, "id">): string => `step_${id.slice(0, 24)}`;
