import { type ActivityLine, type AuditEntry, type Happening, runAgentOf, textOrEmpty } from "./activity-line.ts";
import { sentences } from "./activity-words.ts";

/** Sentences about the records, newest first. The owner's sign-ins and bookkeeping are left out. */
export function activityLines(records: readonly AuditEntry[]): readonly ActivityLine[] {
  const happenings = lasting(records.toSorted(inOrder).map(({ record }) => record));
  const proposers = new Map(
    happenings.flatMap(({ kind, subject, by }) => (kind === "proposed" ? [[subject, by] as const] : [])),
  );
  const titles = new Map(
    happenings.flatMap(({ kind, subject, why }) => (kind === "proposed" ? [[subject, why ?? ""] as const] : [])),
  );
  const groups = Map.groupBy(happenings, (record) => groupOf(record, proposers));
  const lines = [...groups].flatMap(([id, group]): ActivityLine[] => {
    const last = group.at(-1)!;
    const sentence = id === undefined ? undefined : sentences[last.kind]?.(group, { proposers, titles });
    return sentence && id !== undefined ? [{ id, at: last.at, ...sentence }] : [];
  });
  return lines.toSorted((one, other) => other.at.localeCompare(one.at));
}

/** Without decisions that were withdrawn, or whose change was returned. */
function lasting(records: readonly Happening[]): Happening[] {
  const undone = new Set<Happening>();
  const decided = new Map<string, Happening>();
  for (const record of records) {
    if (record.kind === "decided") decided.set(record.subject, record);
    const before = decided.get(record.subject);
    if ((record.kind === "withdrawn" || record.kind === "apply-returned") && before) undone.add(before);
  }
  return records.filter((record) => !undone.has(record));
}

/** By time; records of the same time by key. */
const inOrder = (one: AuditEntry, other: AuditEntry): number =>
  one.record.at.localeCompare(other.record.at) || one.key.localeCompare(other.key);

/** Records with the same name become one sentence. */
function groupOf(record: Happening, proposers: ReadonlyMap<string, string>): string | undefined {
  const { kind, by, subject, details } = record;
  // One sentence for what an agent did: it ran and proposed.
  if (kind === "run-finished") return `agent ${runAgentOf(record)}`;
  if (kind === "proposed" && by !== "owner") return `agent ${by}`;
  if (kind === "decided") return `${kind} ${textOrEmpty(details["decision"])} ${by} ${proposers.get(subject) ?? ""}`;
  if (kind === "run-cancel-asked" || kind === "run-forked") return `${kind} ${runAgentOf(record)}`;
  if (kind === "refused") return `${kind} ${by} ${textOrEmpty(details["code"])}`;
  if (kind === "agent-status") return `${kind} ${subject} ${textOrEmpty(details["status"])}`;
  if (/^(?:agent|memory|body|slots)-/.test(kind)) return `${kind} ${subject}`;
  return `${kind} ${by}`;
}
