import type { Text } from "../../base/text.ts";
import type { MemoryOperation } from "../proposal/operation.ts";
import {
  ambiguousLoop,
  ambiguousSection,
  EMPTY_OPERATION,
  loopAlreadyClosed,
  MALFORMED_VALUES,
  noSuchLoop,
  textChangedSinceRead,
  valueChangedSinceRead,
} from "./failures.ts";
import { loopLine, matchLoop, type OpenLoop, openLoops, withoutLoop } from "./memory-loops.ts";
import { type MemoryFiles, readValues, type VersionedFile, valuesText, versionedFiles } from "./memory-meta.ts";
import { type MemoryVersions, newestOf, ownWriters, replacedWhole } from "./memory-rebase.ts";
import { blockOf, sectionIn, withAppendedText, withReplacedSection } from "./memory-section.ts";
import { type SetValue, settleValue } from "./memory-values.ts";

/** A part of an update that a newer update of the same agent has set already: it is left out. */
export interface SupersededPart {
  /** `last_run`, `snapshot.md`, or the text of a loop. */
  readonly part: string;
  /** The proposal that set it. */
  readonly by: string;
}

export interface MemoryConflict {
  readonly operation: number;
  readonly file: VersionedFile;
  readonly why: Text;
  /** The current text, and the proposed one. */
  readonly ours: string;
  readonly theirs: string;
}

export interface MemoryProblem {
  readonly operation: number;
  readonly why: Text;
  readonly candidates?: readonly string[];
}

export interface AppliedOperations {
  readonly kind: "applied";
  readonly files: MemoryFiles;
  /** The operations as they take effect: without superseded parts, values as they are afterwards. */
  readonly operations: readonly MemoryOperation[];
  readonly superseded: readonly SupersededPart[];
  /** The meaning of each operation without positions and dates, for the id of the effect. */
  readonly essence: readonly unknown[];
  readonly observations: readonly string[];
  /** Closed loops, each with its resolution. */
  readonly decisions: readonly string[];
}

export type OperationsResult =
  | AppliedOperations
  /** M-4: the memory changed since it was read, and these operations no longer apply. */
  | { readonly kind: "version_conflict"; readonly conflicts: readonly MemoryConflict[] }
  | { readonly kind: "refused"; readonly problems: readonly MemoryProblem[] };

/**
 * Applies a list of operations in order, all or none. Appending always succeeds. Replacing requires that the replaced
 * text is what the proposer read. Closing requires that the loop is still open. An agent's own updates are the exception: they
 * may be applied in any order and leave what they would leave in the order in which they were proposed.
 */
export function applyMemoryOperations(
  ground: MemoryVersions,
  operations: readonly MemoryOperation[],
): OperationsResult {
  const work: Work = {
    files: { ...ground.now },
    operations: [],
    superseded: [],
    essence: [],
    observations: [],
    decisions: [],
    conflicts: [],
    problems: [],
  };
  for (const [index, operation] of operations.entries()) applyOne(ground, work, index, operation);
  if (work.problems.length > 0) return { kind: "refused", problems: work.problems };
  if (work.conflicts.length > 0) return { kind: "version_conflict", conflicts: work.conflicts };
  const { conflicts: _, problems: __, ...applied } = work;
  return { kind: "applied", ...applied };
}

interface Work {
  files: Partial<Record<VersionedFile, string>>;
  readonly operations: MemoryOperation[];
  readonly superseded: SupersededPart[];
  readonly essence: unknown[];
  readonly observations: string[];
  readonly decisions: string[];
  readonly conflicts: MemoryConflict[];
  readonly problems: MemoryProblem[];
}

function applyOne(ground: MemoryVersions, work: Work, index: number, operation: MemoryOperation): void {
  switch (operation.op) {
    case "append":
      return append(ground, work, index, operation);
    case "replace":
      return replace(ground, work, index, operation);
    case "close-loop":
      return closeLoop(ground, work, index, operation);
    case "observe":
      return observe(ground, work, index, operation);
    case "restore":
      return restore(ground, work, index, operation);
  }
}

type Of<Op extends MemoryOperation["op"]> = Extract<MemoryOperation, { op: Op }>;

function append(ground: MemoryVersions, work: Work, index: number, operation: Of<"append">): void {
  const { file, section, text } = operation;
  const before = work.files[file] ?? titleOf(file, ground.agentId);
  if (text.trim() === "") return void work.problems.push({ operation: index, why: EMPTY_OPERATION });
  if (isTwice(before, section))
    return void work.problems.push({ operation: index, why: ambiguousSection(file, section!) });
  work.essence.push(operation);
  work.operations.push(operation);
  work.files[file] = withAppendedText(before, section, asItems(file, before, text));
}

function replace(ground: MemoryVersions, work: Work, index: number, operation: Of<"replace">): void {
  const { file, section, text } = operation;
  const before = work.files[file] ?? titleOf(file, ground.agentId);
  if (isTwice(before, section))
    return void work.problems.push({ operation: index, why: ambiguousSection(file, section!) });
  const [then, now] = [ground.read && partOf(ground.read[file], section), partOf(ground.now[file], section)];
  const unchanged = ground.read !== undefined && then === now;
  const own = ownWriters(ground.since ?? [], (files) => partOf(files[file], section));
  if (!unchanged && now?.trim() !== text.trim() && !own)
    return void work.conflicts.push({
      operation: index,
      file,
      why: textChangedSinceRead(file, section),
      ours: now ?? "",
      theirs: text,
    });
  const isWhole = own !== undefined && replacedWhole(own, file, section);
  const newer = isWhole ? newestOf(own) : undefined;
  if (newer) return void work.superseded.push({ part: section ?? file, by: newer.proposal });
  // Text that an own update added meanwhile would be lost: the effect differs, and a person sees it.
  work.essence.push({ ...operation, replaced: (isWhole ? then : now) ?? null });
  work.operations.push(operation);
  work.files[file] = section === undefined ? blockOf(text, "\n") : withReplacedSection(before, section, text);
}

function closeLoop(
  ground: MemoryVersions,
  work: Work,
  index: number,
  { loop: wanted, resolution }: Of<"close-loop">,
): void {
  const loops = work.files["open_loops.md"] ?? "";
  const match = matchLoop(loops, wanted);
  if (match.kind === "several")
    return void work.problems.push({
      operation: index,
      why: ambiguousLoop(wanted),
      candidates: match.candidates.map(shown),
    });
  if (match.kind === "none") {
    const wasOpen = matchLoop(ground.read?.["open_loops.md"] ?? "", wanted);
    const isOpen = (files: MemoryFiles): string => matchLoop(files["open_loops.md"] ?? "", wanted).kind;
    const closed = wasOpen.kind === "loop" ? ownWriters(ground.since ?? [], isOpen)?.at(-1) : undefined;
    if (closed) return void work.superseded.push({ part: wanted, by: closed.proposal });
    if (ground.read !== ground.now && wasOpen.kind === "loop")
      return void work.conflicts.push({
        operation: index,
        file: "open_loops.md",
        why: loopAlreadyClosed(wanted),
        ours: "",
        theirs: wasOpen.loop.text,
      });
    return void work.problems.push({ operation: index, why: noSuchLoop(wanted), candidates: candidatesIn(loops) });
  }
  const { text } = match.loop;
  work.essence.push({ op: "close-loop", loop: text, resolution: resolution ?? null });
  work.operations.push({ op: "close-loop", loop: wanted, ...(resolution !== undefined && { resolution }) });
  work.files["open_loops.md"] = withoutLoop(loops, match.loop);
  const decision = resolution?.trim() ? `${text} — ${resolution.trim()}` : text;
  work.decisions.push(decision);
  const decided = `- [x] ${ground.day} ${hanging(decision)}`;
  const decisions = work.files["decisions.md"] ?? titleOf("decisions.md", ground.agentId);
  work.files["decisions.md"] = withAppendedText(decisions, undefined, decided);
}

function observe(ground: MemoryVersions, work: Work, index: number, { text, values = {} }: Of<"observe">): void {
  const names = Object.keys(values);
  if (text.trim() === "" && names.length === 0)
    return void work.problems.push({ operation: index, why: EMPTY_OPERATION });
  const known = names.length === 0 ? {} : readValues(work.files["values.json"]);
  if (!known) return void work.problems.push({ operation: index, why: MALFORMED_VALUES });
  const set: SetValue[] = [];
  for (const name of names) {
    const value = settleValue(ground, name, values[name]!);
    if (value.kind === "set") set.push(value);
    if (value.kind === "conflict")
      work.conflicts.push({ operation: index, file: "values.json", why: valueChangedSinceRead(name), ...value.texts });
    if (value.kind !== "conflict" && value.by !== undefined) work.superseded.push({ part: name, by: value.by });
  }
  if (text.trim() !== "") work.observations.push(text.trim());
  if (text.trim() === "" && set.length === 0) return;
  const wanted = Object.fromEntries(set.map(({ name, meant }) => [name, meant]));
  const after = Object.fromEntries(set.map(({ name, value }) => [name, value]));
  work.essence.push({ op: "observe", text, values: wanted });
  work.operations.push({ op: "observe", text, values: after });
  if (set.length > 0) work.files["values.json"] = valuesText({ ...known, ...after });
}

/** Restores bytes exactly. */
function restore(ground: MemoryVersions, work: Work, index: number, { files, from }: Of<"restore">): void {
  const wanted = versionedFiles.filter((name) => files[name] !== undefined);
  if (wanted.length === 0) return void work.problems.push({ operation: index, why: EMPTY_OPERATION });
  work.operations.push({ op: "restore", files, from });
  for (const name of wanted) {
    const [then, now, text] = [ground.read?.[name], ground.now[name], files[name] ?? undefined];
    if (name === "values.json" && readValues(text) === undefined)
      return void work.problems.push({ operation: index, why: MALFORMED_VALUES });
    if ((ground.read === undefined || then !== now) && now !== text)
      work.conflicts.push({
        operation: index,
        file: name,
        why: textChangedSinceRead(name, undefined),
        ours: now ?? "",
        theirs: text ?? "",
      });
    work.essence.push({ op: "restore", file: name, from, text: text ?? null, replaced: now ?? null });
    if (text === undefined) delete work.files[name];
    else work.files[name] = text;
  }
}

/** Plain text appended to a list becomes an item; text that is already a list, a heading or similar is kept as it is. */
function asItems(file: VersionedFile, before: string, text: string): string {
  const whole = text.trim();
  const isMarked = /^(?:[-*+]|\d+[.)]|#{1,6}|>|```|~~~|\|)(?:[ \t]|$|`|~)/.test(whole);
  if (file === "open_loops.md") {
    const loop = isMarked ? /^[-*+][ \t]+(?!\[)([^\n]+)$/.exec(whole)?.[1] : whole.includes("\n") ? undefined : whole;
    return loop === undefined ? text : loopLine(before, loop);
  }
  // A fact of several lines is one item: it is added and evicted as a whole.
  return file === "snapshot.md" || isMarked ? text : `- ${hanging(whole)}`;
}

function partOf(file: string | undefined, section: string | undefined): string | undefined {
  if (file === undefined || section === undefined) return file;
  const found = sectionIn(file, section);
  // Blank lines around a section are not part of it.
  return found.kind === "found" ? found.text.trim() : undefined;
}

const isTwice = (file: string, section: string | undefined): boolean =>
  section !== undefined && sectionIn(file, section).kind === "twice";

const TITLES: Readonly<Record<VersionedFile, string>> = {
  "snapshot.md": "Snapshot",
  "facts.md": "Facts",
  "open_loops.md": "Open loops",
  "decisions.md": "Decisions",
  "values.json": "",
};
const titleOf = (file: VersionedFile, agentId: string): string => `# ${TITLES[file]}: ${agentId}\n\n`;

const hanging = (text: string): string => text.trim().replace(/\r\n?/g, "\n").replace(/\n+/g, "\n  ");
const shown = ({ id, text }: OpenLoop): string => (id === undefined ? text : `${id}: ${text}`);
const MAX_CANDIDATES = 10;
const candidatesIn = (file: string): string[] => openLoops(file).slice(0, MAX_CANDIDATES).map(shown);
