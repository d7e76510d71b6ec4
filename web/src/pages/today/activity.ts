import type { AnswerOf } from "../../api/client.ts";
import { agentStateLabels, proposalStateLabels, runStateLabels, toneOf } from "../../components/labels.ts";
import type { Text } from "../../i18n/use-t.ts";

export type AuditEntry = AnswerOf<"GET /audit">["records"][number];
type Happening = AuditEntry["record"];
type Kind = Happening["kind"];

/** All records of one subject as one line: a proposal that was made, approved and applied is one line with its last state. */
export interface ActivityLine {
  readonly id: string;
  readonly at: string;
  readonly by: string;
  readonly state: Text;
  readonly tone: string;
  /** The subject as it is named in data: a summary, an agent, a path. */
  readonly what: string;
  readonly place: ActivityTarget | undefined;
}

export type ActivityTarget =
  | { readonly to: "proposal" | "run" | "agent"; readonly id: string }
  | { readonly to: "settings" };

/** Records as lines, newest first. Pending items (listed elsewhere), the owner's sign-ins and run bookkeeping are left out. */
export function activityLines(records: readonly AuditEntry[]): readonly ActivityLine[] {
  const groups = new Map<string, Happening[]>();
  for (const { key, record } of records.toSorted(inOrder)) {
    const group = groupOf(record) ?? key;
    groups.set(group, [...(groups.get(group) ?? []), record]);
  }
  const lines = [...groups].flatMap(([id, group]) => {
    const last = group.at(-1)!;
    const description = describers[last.kind]?.(last, group);
    return description ? [{ id, at: last.at, by: last.by, ...description }] : [];
  });
  return lines.toSorted((one, other) => other.at.localeCompare(one.at));
}

/** The number of undecided proposals by proposer. */
export function pendingByProposer(records: readonly AuditEntry[]): ReadonlyMap<string, number> {
  const decided = new Set<string>();
  for (const { record } of records.toSorted(inOrder)) {
    if (record.kind === "decided") decided.add(record.subject);
    if (record.kind === "withdrawn" || record.kind === "apply-returned") decided.delete(record.subject);
  }
  const counted = new Map<string, number>();
  for (const { record } of records)
    if (record.kind === "proposed" && !decided.has(record.subject))
      counted.set(record.by, (counted.get(record.by) ?? 0) + 1);
  return counted;
}

/** By time; records of the same time by key. */
const inOrder = (one: AuditEntry, other: AuditEntry): number =>
  one.record.at.localeCompare(other.record.at) || one.key.localeCompare(other.key);

function groupOf({ kind, subject, details }: Happening): string | undefined {
  if (/^(?:proposed|decided|withdrawn|applied|apply-failed|apply-returned)$/.test(kind)) return subject;
  if (/^agent-(?:created|status|outputs)$/.test(kind)) return `agent ${subject}`;
  if (kind === "answered") return textOrEmpty(details["run"]) || subject;
  return kind.startsWith("run-") ? subject : undefined;
}

type Description = Pick<ActivityLine, "state" | "tone" | "what" | "place">;
type Describe = (record: Happening, group: readonly Happening[]) => Description;

const textOrEmpty = (value: unknown): string => (typeof value === "string" ? value : "");

const ofProposal =
  (state: (record: Happening) => string): Describe =>
  (record, group) => ({
    state: proposalStateLabels[state(record)] ?? words.decided,
    tone: toneOf(state(record)),
    what: group.find(({ kind }) => kind === "proposed")?.why ?? textOrEmpty(record.details["target"]),
    place: { to: "proposal", id: record.subject },
  });

const ofRun =
  (state: (record: Happening) => string): Describe =>
  (record) => ({
    state: runStateLabels[state(record)] ?? words.ended,
    tone: toneOf(state(record)),
    what: textOrEmpty(record.details["agent"]) || record.by,
    place: { to: "run", id: textOrEmpty(record.details["run"]) || record.subject },
  });

const ofAgent =
  (state: Text): Describe =>
  ({ subject }) => ({ state, tone: "", what: subject, place: { to: "agent", id: subject } });

const plain =
  (state: Text, what: (record: Happening) => string, place?: ActivityTarget): Describe =>
  (record) => ({ state, tone: "", what: what(record), place });

const nameOrId = ({ subject, details }: Happening): string => textOrEmpty(details["name"]) || subject;

/** The description of each kind of record; kinds with `undefined` are not shown. */
const describers: { readonly [kind in Kind]: Describe | undefined } = {
  proposed: undefined,
  decided: ofProposal(({ details }) => textOrEmpty(details["decision"])),
  withdrawn: ofProposal(() => "pending"),
  applied: ofProposal(() => "applied"),
  "apply-failed": ofProposal(() => "failed"),
  "apply-returned": ofProposal(() => "pending"),
  refused: (record) => ({
    state: words.refused,
    tone: "bad",
    what: textOrEmpty(record.details["target"]) || record.subject,
    place: undefined,
  }),
  "run-requested": undefined,
  "run-held": undefined,
  "run-recorded": undefined,
  answered: ofRun(() => "answered"),
  "run-cancel-asked": ofRun(() => "cancelled"),
  "run-forked": ofRun(() => "requested"),
  "run-finished": ofRun(({ details }) => textOrEmpty(details["status"])),
  "agent-created": ofAgent({ en: "new agent", uk: "новий агент" }),
  "agent-status": (record) => ({
    state: agentStateLabels[textOrEmpty(record.details["status"])] ?? words.changed,
    tone: toneOf(textOrEmpty(record.details["status"])),
    what: record.subject,
    place: { to: "agent", id: record.subject },
  }),
  "agent-edited": ofAgent({ en: "contract edited", uk: "змінено контракт" }),
  "agent-outputs": ofAgent({ en: "permissions changed", uk: "змінено дозволи" }),
  "agent-deleted": plain({ en: "agent deleted", uk: "агента видалено" }, ({ subject }) => subject),
  "memory-edited": ofAgent({ en: "memory edited by hand", uk: "пам’ять змінено вручну" }),
  "body-replaced": ofAgent({ en: "contract replaced", uk: "контракт створено наново" }),
  "signed-in": undefined,
  "sign-in-refused": (record) => ({
    state: { en: "sign-in refused", uk: "вхід відхилено" },
    tone: "bad",
    what: record.by,
    place: { to: "settings" },
  }),
  "token-made": plain({ en: "token created", uk: "створено токен" }, nameOrId, { to: "settings" }),
  "token-revoked": plain({ en: "token revoked", uk: "токен завершено" }, nameOrId, { to: "settings" }),
  "settings-changed": plain({ en: "settings changed", uk: "змінено налаштування" }, ({ subject }) => subject, {
    to: "settings",
  }),
  "settings-loaded": undefined,
  "settings-refused": (record) => ({
    state: { en: "settings refused", uk: "налаштування відхилено" },
    tone: "bad",
    what: (record.why ?? record.subject).split("\n", 1)[0]!,
    place: { to: "settings" },
  }),
  notified: undefined,
  "backups-removed": undefined,
  "slots-skipped": ofAgent({ en: "missed its schedule", uk: "пропустив розклад" }),
  "event-dropped": plain({ en: "event dropped", uk: "подію відкинуто" }, ({ subject }) => subject),
};

const words = {
  decided: { en: "decided", uk: "вирішено" },
  ended: { en: "answered", uk: "є відповідь" },
  refused: { en: "not accepted", uk: "відхилено на вході" },
  changed: { en: "changed", uk: "змінено" },
} as const satisfies Record<string, Text>;
