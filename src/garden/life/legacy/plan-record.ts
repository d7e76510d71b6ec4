import { Failure } from "../../../base/failure.ts";
import type { Language, Text } from "../../../base/text.ts";
import { legacyGuest } from "../../../domain/identity.ts";
import type { KvProposal, KvRecord, KvZone } from "../../../domain/import/kv/kv-record.ts";
import type { InboxEntry } from "../../../domain/proposal/inbox-entry.ts";
import { holdsSecret } from "../../../domain/text/redact.ts";
import { secretInProposal } from "../../changes/inbox/failures.ts";
import { DEFAULT_TTL_HOURS, entryFromWish } from "../../changes/inbox/wish.ts";
import type { Garden } from "../../core/garden.ts";
import { LEGACY_DAYS, type LegacyRecord } from "./legacy-record.ts";
import { type EditPlan, type NoteFinder, planEdit } from "./plan-edit.ts";

type Pin = (moment: Pick<LegacyRecord, "dump" | "imported_at" | "until">) => LegacyRecord;

/** The plan for one valid record. */
export type RecordPlan =
  | { readonly kind: "edit"; readonly path: string; readonly pin: Pin }
  /** Filed as a refused inbox entry. */
  | { readonly kind: "refused"; readonly why: Text; readonly pin: Pin }
  | { readonly kind: "kept"; readonly why: Text; readonly pin: Pin }
  /** Not stored at all: storing it would store the secret. */
  | { readonly kind: "secret"; readonly why: Text };

export async function planRecord(
  garden: Garden,
  notes: NoteFinder,
  record: Extract<KvRecord, { hash: string }>,
): Promise<RecordPlan> {
  const { hash } = record;
  if (record.kind === "zone") {
    if (holdsSecret(record.zone, garden.secrets())) return { kind: "secret", why: secretInProposal().text };
    const pin: Pin = (moment) => ({ kind: "zone", id: record.zone.zoneId, hash, ...moment, old: record.zone });
    return { kind: "kept", why: zoneText(record.zone, garden.world.now()), pin };
  }
  const { proposal } = record;
  if (holdsSecret(proposal, garden.secrets())) return { kind: "secret", why: secretInProposal().text };
  const base = { kind: "proposal", id: proposal.proposalId, hash, old: proposal } as const;
  if (proposal.status !== "pending")
    return { kind: "kept", why: historyText(proposal), pin: (moment) => ({ ...base, ...moment }) };
  const plan = await planEdit(garden, notes, proposal);
  const entry = entryOf(garden, proposal, plan);
  if (plan.kind === "edit") return { kind: "edit", path: plan.path, pin: (moment) => ({ ...base, ...moment, entry }) };
  const { code, text } = plan.failure;
  const refusal = { code: code as "NOT_FOUND", text };
  return { kind: "refused", why: text, pin: (moment) => ({ ...base, ...moment, entry, refusal }) };
}

/** The inbox entry of a pending proposal, as the guest would have sent it today. */
function entryOf(garden: Garden, proposal: KvProposal, plan: EditPlan): InboxEntry {
  const { config, world } = garden;
  const identity = legacyGuest(guestOf(proposal), { record: proposal.proposalId, note: plan.path.slice(0, 2000) });
  const read = entryFromWish(
    {
      identity,
      action: "propose-edit",
      target: oneLine(plan.path, 500),
      payload:
        plan.kind === "edit"
          ? { path: plan.path, text: plan.text, base: plan.base }
          : { path: plan.path, text: proposal.proposedContent },
      reasoning: ORIGIN(proposal)[config.language ?? "en"],
      correlation_id: `kv-${proposal.proposalId}`,
      ttl_hours: Math.max(LEGACY_DAYS * 24, config.limits.proposal_hours ?? DEFAULT_TTL_HOURS),
    },
    config,
    world,
  );
  if (read.kind === "refused") throw new Failure("INTERNAL_ERROR", { ...read.failure.text, cause: read.failure });
  return read.entry;
}

const guestOf = ({ guestName }: KvProposal): string => oneLine(guestName, 80) || "?";

const oneLine = (text: string, most: number): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, most)
    .toWellFormed();

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const ORIGIN = (proposal: KvProposal): Readonly<Record<Language, string>> => {
  const [guest, zone, on] = [guestOf(proposal), oneLine(proposal.zoneName, 100), day(proposal.createdAt)];
  return {
    en: `Proposed by ${guest} in the zone ${zone || "?"} on ${on}; imported from the key-value store (${proposal.proposalId}).`,
    uk: `Запропонував(-ла) ${guest} у зоні ${zone || "?"} ${on}; імпортовано зі сховища «ключ — значення» (${proposal.proposalId}).`,
  };
};

function historyText({ status, createdAt, reviewedAt }: KvProposal): Text {
  const times = `${day(createdAt)} → ${reviewedAt === null ? "?" : day(reviewedAt)}`;
  return status === "accepted"
    ? {
        en: `accepted there (${times}): history, not applied again`,
        uk: `прийнято там (${times}): історія, вдруге не застосовується`,
      }
    : { en: `rejected there (${times}): history`, uk: `відхилено там (${times}): історія` };
}

/** The access code is not copied, so the zone lets nobody in: the owner makes a zone and a code anew. */
function zoneText({ expiresAt }: KvZone, now: number): Text {
  if (typeof expiresAt === "number" && expiresAt <= now)
    return {
      en: `expired on ${day(expiresAt)}: kept for reading`,
      uk: `строк минув ${day(expiresAt)}: лишається для читання`,
    };
  return {
    en: "kept for reading without its access code; to let guests in again, add it to zones in garden.yaml and make a code",
    uk: "лишається для читання без коду доступу; щоб знову впускати гостей, додайте її до zones у garden.yaml і створіть код",
  };
}
