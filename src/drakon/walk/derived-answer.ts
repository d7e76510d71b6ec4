import { createHash } from "node:crypto";
import type { Json } from "../../base/canonical.ts";
import { isList } from "../expression/value.ts";
import type { Request } from "./request.ts";

/** `write-memory(оброблені: оновлений_список)`: what a list is after this run. */
const UPDATED = /^(?:оновлен|updated[_-])/iu;

/**
 * A value that follows from the walk itself, although nothing sets its name: an updated list is the list that stands under the
 * name of its argument, together with what was proposed for. Undefined for everything else: that takes a language model.
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

/** The name of the argument that a name is given for. */
function argumentOf(text: string, given: string): string | undefined {
  const at = text.indexOf(given);
  return /([\p{L}_][\p{L}\p{N}_'’ʼ-]*)\s*:\s*$/u.exec(text.slice(0, at))?.[1];
}

/** What a proposal is about, as the procedure names it. */
export function proposalSubjects({ kind, payload }: Request): string[] {
  const about = kind === "propose" ? (payload["note"] ?? payload["path"]) : undefined;
  return typeof about === "string" ? [about] : [];
}

/** A number from 0 below 1 that follows from these words: the same in every replay, another one for every request. */
export const seededRandom = (...words: readonly string[]): number =>
  createHash("sha256").update(words.join("\0")).digest().readUInt32BE(0) / 2 ** 32;

/** What the follower calls a request when it calls a tool: the same in every turn, and another for every request of the run. */
export const callId = ({ id }: Pick<Request, "id">): string => `step_${id.slice(0, 24)}`;
