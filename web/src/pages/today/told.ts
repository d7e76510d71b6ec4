import type { AnswerOf } from "../../api/client.ts";
import { agentStateWords, proposalStateWords, runStateWords, toneOf } from "../../parts/words.ts";
import type { Text } from "../../words/say.ts";

export type Told = AnswerOf<"GET /audit">["records"][number];
type Happening = Told["record"];
type Kind = Happening["kind"];

/** One thing that happened, as far as it has come: a proposal that was made, approved and applied is one line. */
export interface Line {
  readonly id: string;
  readonly at: string;
  readonly by: string;
  readonly state: Text;
  readonly tone: string;
  /** What it was, in words that are data: a summary, an agent, a path. */
  readonly what: string;
  readonly place: Place | undefined;
}

export type Place = { readonly to: "proposal" | "run" | "agent"; readonly id: string } | { readonly to: "settings" };

/**
 * Records as lines, newest first. What waits for the owner is not among them: it stands in a list of its own. Coming and going of
 * the owner and the bookkeeping of runs are left out.
 */
export function linesOf(records: readonly Told[]): readonly Line[] {
  const groups = new Map<string, Happening[]>();
  for (const { key, record } of records.toSorted(inOrder)) {
    const group = groupOf(record) ?? key;
    groups.set(group, [...(groups.get(group) ?? []), record]);
  }
  const lines = [...groups].flatMap(([id, group]) => {
    const last = group.at(-1)!;
    const said = sayings[last.kind]?.(last, group);
    return said ? [{ id, at: last.at, by: last.by, ...said }] : [];
  });
  return lines.toSorted((one, other) => other.at.localeCompare(one.at));
}

/** How many proposals came from whom and were not decided since: they wait. */
export function newlyProposed(records: readonly Told[]): ReadonlyMap<string, number> {
  const decided = new Set(records.flatMap(({ record: { kind, subject } }) => (kind === "decided" ? [subject] : [])));
  const counted = new Map<string, number>();
  for (const { record } of records)
    if (record.kind === "proposed" && !decided.has(record.subject))
      counted.set(record.by, (counted.get(record.by) ?? 0) + 1);
  return counted;
}

/** By time; records of one moment by the numbers in their names. */
const inOrder = (one: Told, other: Told): number =>
  one.record.at.localeCompare(other.record.at) || one.key.localeCompare(other.key);

function groupOf({ kind, subject, details }: Happening): string | undefined {
  if (/^(?:proposed|decided|applied|apply-failed)$/.test(kind)) return subject;
  if (/^agent-(?:created|status|outputs)$/.test(kind)) return `agent ${subject}`;
  if (kind === "answered") return word(details["run"]) || subject;
  return kind.startsWith("run-") ? subject : undefined;
}

type Said = Pick<Line, "state" | "tone" | "what" | "place">;
type Saying = (record: Happening, group: readonly Happening[]) => Said;

const word = (value: unknown): string => (typeof value === "string" ? value : "");

const ofProposal =
  (state: (record: Happening) => string): Saying =>
  (record, group) => ({
    state: proposalStateWords[state(record)] ?? words.decided,
    tone: toneOf(state(record)),
    what: group.find(({ kind }) => kind === "proposed")?.why ?? word(record.details["target"]),
    place: { to: "proposal", id: record.subject },
  });

const ofRun =
  (state: (record: Happening) => string): Saying =>
  (record) => ({
    state: runStateWords[state(record)] ?? words.ended,
    tone: toneOf(state(record)),
    what: word(record.details["agent"]) || record.by,
    place: { to: "run", id: word(record.details["run"]) || record.subject },
  });

const ofAgent =
  (state: Text): Saying =>
  ({ subject }) => ({ state, tone: "", what: subject, place: { to: "agent", id: subject } });

const plain =
  (state: Text, what: (record: Happening) => string, place?: Place): Saying =>
  (record) => ({ state, tone: "", what: what(record), place });

const nameOrId = ({ subject, details }: Happening): string => word(details["name"]) || subject;

/** Every kind there is; those without words are not told here. */
const sayings: { readonly [kind in Kind]: Saying | undefined } = {
  proposed: undefined,
  decided: ofProposal(({ details }) => word(details["decision"])),
  applied: ofProposal(() => "applied"),
  "apply-failed": ofProposal(() => "failed"),
  refused: (record) => ({
    state: words.refused,
    tone: "bad",
    what: word(record.details["target"]) || record.subject,
    place: undefined,
  }),
  "run-requested": undefined,
  "run-held": undefined,
  "run-recorded": undefined,
  answered: ofRun(() => "answered"),
  "run-cancel-asked": ofRun(() => "cancelled"),
  "run-forked": ofRun(() => "requested"),
  "run-finished": ofRun(({ details }) => word(details["status"])),
  "agent-created": ofAgent({ en: "new agent", uk: "новий агент" }),
  "agent-status": (record) => ({
    state: agentStateWords[word(record.details["status"])] ?? words.changed,
    tone: toneOf(word(record.details["status"])),
    what: record.subject,
    place: { to: "agent", id: record.subject },
  }),
  "agent-outputs": ofAgent({ en: "may do other things", uk: "змінено дозволи" }),
  "agent-deleted": plain({ en: "agent deleted", uk: "агента видалено" }, ({ subject }) => subject),
  "memory-edited": ofAgent({ en: "memory edited by hand", uk: "пам'ять змінено вручну" }),
  "body-replaced": ofAgent({ en: "contract made anew", uk: "контракт створено наново" }),
  "signed-in": undefined,
  "sign-in-refused": (record) => ({
    state: { en: "sign-in refused", uk: "вхід відхилено" },
    tone: "bad",
    what: record.by,
    place: { to: "settings" },
  }),
  "token-made": plain({ en: "token made", uk: "створено токен" }, nameOrId, { to: "settings" }),
  "token-revoked": plain({ en: "token ended", uk: "токен завершено" }, nameOrId, { to: "settings" }),
  "settings-changed": plain({ en: "settings changed", uk: "змінено налаштування" }, ({ subject }) => subject, {
    to: "settings",
  }),
  "slots-skipped": ofAgent({ en: "missed its schedule", uk: "пропустив розклад" }),
  "event-dropped": plain({ en: "event dropped", uk: "подію відкинуто" }, ({ subject }) => subject),
};

const words = {
  decided: { en: "decided", uk: "вирішено" },
  ended: { en: "answered", uk: "є відповідь" },
  refused: { en: "refused at the gate", uk: "відхилено на вході" },
  changed: { en: "changed", uk: "змінено" },
} as const satisfies Record<string, Text>;
