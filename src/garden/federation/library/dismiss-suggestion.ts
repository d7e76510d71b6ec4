import { crashPoint } from "../../../base/crash-point.ts";
import { Failure } from "../../../base/failure.ts";
import { type Identity, identityName } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { recordAudit } from "../../core/audit.ts";
import type { Garden } from "../../core/garden.ts";
import { jsonBytes, readJson } from "../../core/json-record.ts";
import { type SuggestionDismissal, suggestionDismissal } from "./dismissals.ts";
import { suggestBehaviours } from "./suggestions.ts";

/**
 * Dismisses an open suggestion. Idempotent: a repeated call returns the first dismissal with its reason, and completes the audit record
 * after a crash. Throws NOT_FOUND if there is no such suggestion, VALIDATION_FAILED without a reason.
 */
export async function dismissSuggestion(
  garden: Garden,
  { id, reason }: { readonly id: string; readonly reason: string },
  by: Identity,
): Promise<SuggestionDismissal> {
  const key = keys.dismissedSuggestion(id);
  const there = await garden.store.get(key);
  const stands = there ? readJson(key, there.bytes, suggestionDismissal) : await dismissed(garden, { id, reason }, by);
  crashPoint("library.suggestion.dismissed");
  const { agent, behaviour, name, garden: from, their_version } = stands;
  await recordAudit(garden, `suggestion-${id}-dismissed`, {
    kind: "suggestion-dismissed",
    at: stands.at,
    by: stands.by,
    subject: agent,
    why: stands.reason,
    details: { suggestion: id, behaviour, name, garden: from, version: their_version },
  });
  return stands;
}

async function dismissed(
  garden: Garden,
  { id, reason }: { readonly id: string; readonly reason: string },
  by: Identity,
): Promise<SuggestionDismissal> {
  if (reason.trim() === "") throw noReason();
  const found = (await suggestBehaviours(garden)).open.find((one) => one.id === id);
  if (!found) throw noSuchSuggestion(id);
  const { agent, behaviour, name, garden: from, their_version } = found;
  const at = new Date(garden.world.now()).toISOString();
  const record = { id, agent, behaviour, name, garden: from, their_version, reason, by: identityName(by), at };
  const key = keys.dismissedSuggestion(id);
  const made = await garden.store.create(key, jsonBytes(suggestionDismissal.parse(record)));
  if (made.kind === "created") return record;
  return readJson(key, (await garden.store.get(key))!.bytes, suggestionDismissal);
}

const noSuchSuggestion = (id: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no open suggestion ${id}`,
    uk: `немає відкритої поради ${id}`,
    hint: { en: "`bloom library suggestions` lists them", uk: "їх показує `bloom library suggestions`" },
    details: { suggestion: id },
  });

const noReason = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "a dismissal needs a reason: it is kept beside the suggestion",
    uk: "щоб відхилити пораду, потрібна причина: її збережуть поруч",
    hint: { en: "Give it with --reason.", uk: "Назвіть її через --reason." },
  });
