import { canonicalId } from "../../../base/canonical.ts";
import { didYouMean } from "../../../base/did-you-mean.ts";
import type { Failure } from "../../../base/failure.ts";
import { newId } from "../../../base/ids.ts";
import type { Text } from "../../../base/text.ts";
import type { World } from "../../../base/world.ts";
import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import { type EntrySource, type Identity, identityName, legacyGuest } from "../../../domain/identity.ts";
import { intentExpectations } from "../../../domain/intent/intent-words.ts";
import { actions, isAction } from "../../../domain/proposal/action.ts";
import { type InboxEntry, inboxEntry } from "../../../domain/proposal/inbox-entry.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { ProposalCitation } from "../../../domain/proposal/proposal-content.ts";
import { type FieldProblem, fieldsRefused } from "../../../domain/text/checked-fields.ts";

/** A request for a change, from HTTP, the command line or a tool. */
export interface Wish {
  /** Undefined if the sender is not authenticated. */
  readonly identity: Identity | undefined;
  readonly action: string;
  readonly target?: string | undefined;
  readonly payload: unknown;
  readonly summary?: string | undefined;
  readonly reasoning?: string | undefined;
  readonly citations?: readonly ProposalCitation[] | undefined;
  /** From the run's journal: fills in for a missing reasoning and missing citations. No part of the request itself. */
  readonly journal?: InboxEntry["intent"]["journal"];
  /** The sender's id for this request: a repetition with the same id gets the first answer. */
  readonly correlation_id?: string | undefined;
  readonly priority?: "normal" | "high" | undefined;
  readonly ttl_hours?: number | undefined;
  readonly edits?: string | undefined;
  readonly reverts?: string | undefined;
  /** Set by `promoteSandboxed` only: no request can say this of itself. */
  readonly promoted_by?: string | undefined;
}

export type Received =
  | {
      readonly kind: "accepted";
      readonly entry: InboxEntry;
      readonly proposal: Proposal;
      /** The answer to an earlier request with the same correlation id. */
      readonly repeated: boolean;
    }
  | {
      readonly kind: "refused";
      /** Undefined if the wish cannot be an entry. */
      readonly entry: InboxEntry | undefined;
      readonly failure: Failure;
      readonly repeated: boolean;
    };

export const DEFAULT_TTL_HOURS = 72;

export type ReadWish =
  | { readonly kind: "entry"; readonly entry: InboxEntry }
  | { readonly kind: "refused"; readonly failure: Failure };

/** The wish as an entry, or the refusal. Checks the frame only; the gate checks the payload. */
export function entryFromWish(wish: Wish, config: GardenConfig, world: World): ReadWish {
  const id = newId(world, "inbox");
  const problems: FieldProblem[] = [];
  if (!isAction(wish.action))
    problems.push({
      field: "action",
      found: { en: `found ${short(wish.action)}`, uk: `знайдено ${short(wish.action)}` },
      expected: intentExpectations.action,
      ...suggested(wish.action),
    });
  const draft = {
    id,
    source: sourceOf(wish.identity, new Date(world.now()).toISOString()),
    intent: {
      action: wish.action,
      target: wish.target ?? targetIn(wish.payload),
      // The payload of an unauthenticated sender is not stored.
      payload: wish.identity ? plainJson(wish.payload) : {},
      ...(wish.summary !== undefined && { summary: wish.summary }),
      ...(wish.reasoning !== undefined && { reasoning: wish.reasoning }),
      ...(wish.citations !== undefined && { citations: wish.citations }),
      ...(wish.journal !== undefined && { journal: wish.journal }),
    },
    metadata: {
      correlation_id: wish.correlation_id ?? id,
      priority: wish.priority ?? "normal",
      ttl_hours: wish.ttl_hours ?? config.limits.proposal_hours ?? DEFAULT_TTL_HOURS,
      ...(wish.edits !== undefined && { edits: wish.edits }),
      ...(wish.reverts !== undefined && { reverts: wish.reverts }),
      ...(wish.promoted_by !== undefined && { promoted_by: wish.promoted_by }),
    },
  };
  const checked = inboxEntry.safeParse(draft);
  if (checked.success && isStorable(checked.data)) return { kind: "entry", entry: checked.data };
  for (const issue of checked.error?.issues ?? []) {
    const field = String(issue.path[1] ?? issue.path[0] ?? "");
    if (field !== "action") problems.push(frameProblem(field));
  }
  if (checked.success) problems.push(frameProblem("text"));
  return { kind: "refused", failure: fieldsRefused(unique(problems)) };
}

/** The source of an entry (P-2). */
export function sourceOf(identity: Identity | undefined, timestamp: string): EntrySource {
  if (!identity) return { type: "guest", identity: "unknown", authenticated: false, timestamp };
  return {
    type: identity.type,
    identity: identityName(identity),
    authenticated: true,
    timestamp,
    ...(identity.type === "agent" && identity.run !== undefined && { run_id: identity.run }),
    ...(identity.type === "agent" && identity.token !== undefined && { token: identity.token }),
    ...(identity.type === "agent" && identity.grant !== undefined && { grant: identity.grant }),
    ...(identity.type === "guest" && identity.legacy && { legacy: identity.legacy }),
  };
}

/**
 * The identity of an entry, for recovery after a crash: a webhook or zone has the permissions of the present
 * `garden.yaml`. Undefined if it no longer exists.
 */
export function identityOf(source: EntrySource, config: GardenConfig): Identity | undefined {
  if (!source.authenticated) return undefined;
  switch (source.type) {
    case "owner":
      return { type: "owner", via: "recovery" };
    case "gateway":
      return { type: "gateway" };
    case "agent":
      return source.token === undefined
        ? { type: "agent", slug: source.identity, run: source.run_id ?? "" }
        : { type: "agent", slug: source.identity, run: undefined, token: source.token };
    case "webhook": {
      const hook = config.webhooks.find(({ name }) => `webhook:${name}` === source.identity);
      return hook && { type: "webhook", name: hook.name, actions: hook.actions };
    }
    case "guest": {
      if (source.legacy) return legacyGuest(source.identity.slice("guest:kv:".length), source.legacy);
      const zone = config.zones.find(({ name }) => `guest:${name}` === source.identity);
      return zone && { type: "guest", zone: zone.name, folders: zone.folders, actions: zone.actions };
    }
  }
}

/** The hash of everything that the sender wrote: equal for equal requests. */
export function requestHash({ intent, metadata: { priority, ttl_hours, edits, reverts } }: InboxEntry): string {
  const { journal: _, ...asked } = intent;
  return canonicalId({ intent: asked, priority, ttl_hours, edits, reverts });
}

/** One key per identity and correlation id, so that no sender gets the answer to another. */
export const correlationHash = ({
  source,
  metadata,
}: {
  readonly source: EntrySource;
  readonly metadata: Pick<InboxEntry["metadata"], "correlation_id">;
}): string =>
  canonicalId({
    type: source.type,
    identity: source.identity,
    run: source.run_id,
    correlation_id: metadata.correlation_id,
  });

function targetIn(payload: unknown): string {
  if (typeof payload !== "object" || payload === null) return "";
  const fields = payload as Record<string, unknown>;
  for (const name of ["path", "note", "agent", "targetAgentId", "agentId", "title", "name", "branch"]) {
    const value = fields[name];
    if (typeof value === "string") return value.toWellFormed().slice(0, 1000);
  }
  return "";
}

/** True if the entry has canonical JSON, which ids are made of: half surrogate pairs and endless nesting have none. */
function isStorable(entry: InboxEntry): boolean {
  try {
    requestHash(entry);
    correlationHash(entry);
    return true;
  } catch {
    return false;
  }
}

/** The payload as plain JSON, without undefined members. */
function plainJson(payload: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(payload)) as unknown;
  } catch {
    return undefined;
  }
}

function frameProblem(field: string): FieldProblem {
  const expected = FRAME[field] ?? FRAME["payload"]!;
  return { field: field === "text" ? "payload" : field, found: { en: "cannot be used", uk: "не годиться" }, expected };
}

const FRAME: Readonly<Record<string, Text>> = {
  payload: { en: "a group of fields of plain JSON", uk: "група полів звичайного JSON" },
  text: {
    en: "plain JSON without half surrogate pairs and bottomless nesting",
    uk: "звичайний JSON без половин сурогатних пар і бездонної вкладеності",
  },
  target: { en: "one line of up to 1,000 characters", uk: "один рядок до 1000 символів" },
  summary: { en: "text of up to 500 characters", uk: "текст до 500 символів" },
  reasoning: { en: "text of up to 20,000 characters", uk: "текст до 20 000 символів" },
  citations: {
    en: "a list of up to 200 places: source, and line, quote, step",
    uk: "список до 200 місць: source, а також line, quote, step",
  },
  correlation_id: { en: "text of 1 to 200 characters", uk: "текст від 1 до 200 символів" },
  priority: { en: "normal or high", uk: "normal або high" },
  ttl_hours: { en: "a whole number of hours from 1 to 8,784", uk: "ціле число годин від 1 до 8784" },
};

const unique = (problems: readonly FieldProblem[]): FieldProblem[] => [
  ...new Map(problems.map((problem) => [problem.field, problem])).values(),
];

const short = (value: unknown): string => JSON.stringify(String(value).slice(0, 60));

function suggested(action: string): { suggestion?: string } {
  const suggestion = didYouMean(action, actions);
  return suggestion === undefined ? {} : { suggestion };
}
