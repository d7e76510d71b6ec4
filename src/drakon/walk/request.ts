import { canonicalId, type Json } from "../../base/canonical.ts";
import type { Text } from "../../base/text.ts";
import { isBounded, isList, isRecord, memberOf } from "../expression/value.ts";
import type { IconId } from "../icon-id.ts";

/** External effects of an icon. Everything else is computed. */
const effectKinds = [
  "tool",
  "llm",
  "judge",
  "human",
  "sleep",
  "receive",
  "spawn",
  "call",
  "commit",
  "propose",
  "notify",
  "now",
  "random",
] as const;
export type EffectKind = (typeof effectKinds)[number];

/** A requested effect, independent of the icon that requests it. */
export interface RequestedEffect {
  readonly kind: EffectKind;
  /** The tool, the signal, the diagram; for judges `question`, `select` or `items`; for models `do` or `value`. */
  readonly name: string;
  readonly payload: Payload;
}

export type Payload = { readonly [key: string]: Json };

/** One open request of a walk. */
export interface Request extends RequestedEffect {
  /** Identifies this request: the same in every replay, different in every round of a loop. */
  readonly id: string;
  /** Identifies the requested effect, independent of the icon: counterfactuals match answers by it. */
  readonly sem: string;
  readonly diagram: string;
  /** Identifies the call of the diagram; empty for the main one. */
  readonly proc: string;
  readonly icon: IconId;
  /** Earlier visits of the icon, and earlier requests in this visit. */
  readonly visit: number;
  readonly statement: number;
  /** Line of the pseudocode, if the caller gave `lineOf`. */
  readonly line?: number;
}

/** One recorded answer. The journal is in the order in which answers took effect. */
export interface JournalEntry {
  readonly id: string;
  readonly sem: string;
  readonly kind: EffectKind;
  readonly value: Json;
}

export const semOf = ({ kind, name, payload }: RequestedEffect): string => canonicalId([kind, name, payload]);

/** Uses the number of the icon, not its id: an editor may renumber icons without changing the meaning. */
export const idOf = (sem: string, where: Whereabouts): string =>
  canonicalId([where.proc, where.number, where.statement, where.visit, sem]);

interface Whereabouts {
  readonly proc: string;
  readonly number: number;
  readonly visit: number;
  readonly statement: number;
}

export const answerTo = (request: Request, value: Json): JournalEntry => ({
  id: request.id,
  sem: request.sem,
  kind: request.kind,
  value,
});

/** The forms of questions to people, each with the check of an answer. */
const HUMAN_FORMS: Readonly<Record<string, (value: Json, payload: Payload) => Text | undefined>> = {
  text: (value) => expect(typeof memberOf(value, "text") === "string", "{text}", "{text}"),
  number: (value) => expect(Number.isFinite(memberOf(value, "number")), "{number}", "{number}"),
  review: (value) =>
    expect(
      ["approve", "reject"].includes(memberOf(value, "decision") as string) &&
        ["string", "undefined"].includes(typeof memberOf(value, "comment")),
      "{decision: approve or reject, comment?}",
      "{decision: approve чи reject, comment?}",
    ),
  choice: (value, { options }) =>
    expect(
      isList(options ?? null) && (options as readonly Json[]).includes(memberOf(value, "choice") ?? null),
      "{choice: one of the options}",
      "{choice: один із варіантів}",
    ),
};

export const isHumanForm = (form: Json | undefined): boolean =>
  typeof form === "string" && Object.hasOwn(HUMAN_FORMS, form);

/** The expected form if an answer is invalid, else undefined. Checked before an answer is recorded and at every replay. */
export function answerFault(ask: RequestedEffect, value: Json): Text | undefined {
  if (!isBounded(value))
    return { en: "an answer that is not too large or deep", uk: "не завелика й не заглибока відповідь" };
  switch (ask.kind) {
    case "tool":
    case "llm":
    case "receive":
    case "call":
      return undefined;
    case "judge":
      return judgeFault(ask, value);
    case "human":
      return HUMAN_FORMS[ask.payload["form"] as string]?.(value, ask.payload);
    case "sleep":
      return expect(
        value === null || (isRecord(value) && Object.hasOwn(value, "wokeAt")),
        "null or {wokeAt}",
        "null чи {wokeAt}",
      );
    case "spawn":
      return expect(typeof memberOf(value, "agent") === "string", "{agent}", "{agent}");
    case "commit":
      return expect(isCommit(memberOf(value, "commit")), "{commit: 40 hex}", "{commit: 40 hex}");
    case "propose":
      return expect(typeof memberOf(value, "proposal") === "string", "{proposal, status?}", "{proposal, status?}");
    case "notify":
      return expect(value === null, "null", "null");
    case "now":
      return expect(Number.isFinite(value), "a number", "число");
    case "random":
      return expect(
        typeof value === "number" && value >= 0 && value < 1,
        "a number from 0 below 1",
        "число від 0 до 1",
      );
  }
}

const isCommit = (value: Json | undefined): boolean => typeof value === "string" && /^[0-9a-f]{40}$/.test(value);

function judgeFault({ name, payload }: RequestedEffect, value: Json): Text | undefined {
  if (name === "question") return expect(typeof value === "boolean", "true or false", "true чи false");
  if (name === "items") return expect(isList(value), "a list", "список");
  const options = payload["options"] as readonly string[];
  const none = value === null && payload["otherwise"] === true;
  return expect(none || options.includes(value as string), "one of the cases", "один із варіантів");
}

const expect = (fits: boolean, en: string, uk: string): Text | undefined => (fits ? undefined : { en, uk });
