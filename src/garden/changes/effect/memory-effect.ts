import { Failure } from "../../../base/failure.ts";
import { joined, type Text, verbatim } from "../../../base/text.ts";
import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import { keys, memoryFolder, memoryPath } from "../../../domain/layout.ts";
import type { FittedMemory } from "../../../domain/memory/memory-eviction.ts";
import {
  type MemoryFiles,
  memoryMetaText,
  metaOf,
  readValues,
  versionedFiles,
} from "../../../domain/memory/memory-meta.ts";
import {
  applyMemoryOperations,
  type MemoryConflict,
  type MemoryProblem,
  type OperationsResult,
  type SupersededPart,
} from "../../../domain/memory/memory-operations.ts";
import type { MemoryVersions } from "../../../domain/memory/memory-rebase.ts";
import {
  decisionLine,
  type MemoryEvent,
  memoryChangelog,
  memoryRun,
  memoryTimeline,
  observationLine,
} from "../../../domain/memory/memory-record.ts";
import { memorySentences } from "../../../domain/memory/memory-sentences.ts";
import { isLargeChange, replacedShare } from "../../../domain/memory/memory-share.ts";
import { unifiedPatch } from "../../../domain/note/line-hunks.ts";
import { actionTable } from "../../../domain/proposal/action.ts";
import type { OperationOf } from "../../../domain/proposal/operation.ts";
import { fitMemory } from "../../records/memory/fit-memory.ts";
import { lineCounts } from "../../records/memory/memory-diff.ts";
import { addMemoryLines } from "../../records/memory/memory-lines.ts";
import { type MemoryState, memoryAtVersion, memoryTextAt, readMemory } from "../../records/memory/memory-state.ts";
import { memoryChangesSince } from "../../records/memory/own-changes.ts";
import { storedReport } from "../../records/memory/run-reports.ts";
import type { EffectContext, EffectHandler, PreparedEffect, ReviewFile } from "./effect.ts";
import { effectId } from "./effect-id.ts";

/** M-4: the files that a `memory-update` writes under `memory/<agentId>/`, and the observations beside them in the store. */
export const memoryHandler: EffectHandler<"memory-update"> = {
  async prepare(context, { payload }) {
    const { garden, head, moment } = context;
    const { agent: slug, expectedVersion } = payload;
    const state = await readMemory(garden.repo, head, slug);
    if (expectedVersion > state.version) return versionConflict(slug, payload, state, []);
    const merged = expectedVersion < state.version;
    const ground: MemoryVersions = {
      agentId: slug,
      now: state.files,
      read: merged ? await memoryAtVersion(garden.repo, head, slug, expectedVersion) : state.files,
      day: moment.at.slice(0, 10),
    };
    const result = await applyAsProposed(context, ground, payload);
    if (result.kind === "refused") return refused(result.problems);
    if (result.kind === "version_conflict") return versionConflict(slug, payload, state, result.conflicts);
    const room = await fitMemory(garden, { slug, head, before: state.files, after: result.files, at: moment.at });
    if (room.kind === "refused") return tooLarge(room.problems);
    const changed = changedFiles(state.files, room.files);
    if (changed.length === 0 && result.observations.length === 0) return nothingLeft(result.superseded);
    const event = eventOf(context, slug, state, changed, { observations: result.observations, ...room });
    const edits = new Map<string, string | undefined>();
    for (const { name, after } of changed) edits.set(memoryPath.file(slug, name), after);
    for (const [path, text] of await storyFiles(context, event)) edits.set(path, text);
    edits.set(memoryPath.meta(slug), memoryMetaText(metaOf(event.version, room.files)));
    const replaced = replacedShare(state.files, room.files);
    const held = isLargeChange(replaced, memoryChangePercent(garden.config)) ? largeChange(replaced.share) : undefined;
    const run = moment.run ?? moment.proposal;
    const noticed = result.observations.map((text) => observationLine(event.observedAt, run, text));
    const decided = result.decisions.map((text) => decisionLine(event.at, run, text));
    return {
      kind: "ready",
      edits: [...edits].map(([path, text]) => ({ path, bytes: text === undefined ? undefined : Buffer.from(text) })),
      objects: [],
      ...(noticed.length + decided.length > 0 && {
        project: async ({ store }) => [
          ...(await addMemoryLines(store, keys.observations(slug), noticed)),
          ...(await addMemoryLines(store, keys.decisions(slug), decided)),
        ],
      }),
      subject: `memory-update: ${slug} / ${moment.run ?? moment.by} / ${moment.proposal}`,
      review: [
        ...changed.map(({ name, before, after }) => shownChange(memoryPath.file(slug, name), before, after)),
        ...(result.observations.length > 0
          ? [shownChange(memoryPath.timeline(slug, ground.day), undefined, `${result.observations.join("\n")}\n`)]
          : []),
      ],
      sentences: memorySentences(result.operations, readValues(state.files["values.json"]) ?? {}),
      effect: effectId([
        {
          path: memoryFolder(slug),
          // The same words of two runs are two observations.
          what: [result.essence, result.observations.length > 0 ? run : ""],
        },
      ]),
      merged,
      events: [actionTable["memory-update"].event],
      warnings: [...result.superseded.map(partLeftOut), ...roomWarnings(room), ...(held ? [held] : [])],
      ...(held && { held }),
    };
  },
};

/** Applies the operations. If they conflict, an agent's are tried again with its own updates since: those do not conflict. */
async function applyAsProposed(
  { garden, head, moment }: EffectContext,
  ground: MemoryVersions,
  { agent: slug, expectedVersion, operations }: OperationOf<"memory-update">["payload"],
): Promise<OperationsResult> {
  const result = applyMemoryOperations(ground, operations);
  if (result.kind !== "version_conflict" || moment.agent?.slug !== slug) return result;
  const { proposal, made } = moment;
  const since = await memoryChangesSince(garden, head, expectedVersion, { slug, proposal, made });
  return since ? applyMemoryOperations({ ...ground, since }, operations) : result;
}

const shownChange = (path: string, before: string | undefined, after: string | undefined): ReviewFile => ({
  path,
  change: before === undefined ? "added" : after === undefined ? "removed" : "changed",
  patch: unifiedPatch(path, before, after),
});

interface ChangedFile {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const changedFiles = (before: MemoryFiles, after: MemoryFiles): ChangedFile[] =>
  versionedFiles.flatMap((name): ChangedFile[] => {
    const text = after[name];
    return text === before[name] ? [] : [{ name, before: before[name], after: text }];
  });

function eventOf(
  { moment }: EffectContext,
  agentId: string,
  { version, byHand }: MemoryState,
  changed: readonly ChangedFile[],
  { observations, evicted, frozen }: Pick<MemoryEvent, "observations" | "evicted" | "frozen">,
): MemoryEvent {
  return {
    agentId,
    version: version + 1,
    at: secondsOf(moment.at),
    proposal: moment.proposal,
    by: moment.by,
    run: moment.run,
    changes: changed.map(({ name, before, after }) => {
      const { added, removed } = lineCounts(before ?? "", after ?? "");
      return `${name} +${added} −${removed}`;
    }),
    observations,
    observedAt: secondsOf(moment.made),
    evicted,
    frozen,
    byHand,
  };
}

const secondsOf = (time: string): string => time.replace(/\.\d+Z$/, "Z");

/** Layer 2: loaded only on request, and not counted as a change of memory. */
async function storyFiles({ garden, head }: EffectContext, event: MemoryEvent): Promise<[string, string][]> {
  const { agentId: slug, run } = event;
  const read = (path: string): Promise<string | undefined> => memoryTextAt(garden.repo, head, path);
  const changelog = memoryPath.file(slug, "changelog.md");
  const timeline = memoryPath.timeline(slug, event.at.slice(0, 10));
  const files: [string, string][] = [
    [changelog, memoryChangelog(await read(changelog), event)],
    [timeline, memoryTimeline(await read(timeline), event)],
  ];
  if (run === undefined) return files;
  const path = memoryPath.run(slug, run);
  const report = (await read(path)) ?? (await storedReport(garden.store, slug, run));
  return [...files, [path, memoryRun(report, event)]];
}

/** `limits.memory_change_percent`: the part of layer 1 that an update approved by a rule may replace. */
const memoryChangePercent = ({ limits }: Pick<GardenConfig, "limits">): number => limits.memory_change_percent ?? 50;

function roomWarnings({ evicted, frozen }: Extract<FittedMemory, { kind: "room" }>): Text[] {
  const texts: Text[] = [];
  if (evicted.length > 0)
    texts.push({
      en: `to make room, ${evicted.length} facts are evicted; they stay in history: ${shown(evicted)}`,
      uk: `щоб стало місця, фактів поступається: ${evicted.length}; вони лишаються в історії: ${shown(evicted)}`,
    });
  if (frozen.length > 0)
    texts.push({
      en: `to make room, ${frozen.length} of the open loops become frozen decisions: ${shown(frozen)}`,
      uk: `щоб стало місця, відкритих питань заморожується: ${frozen.length}; вони переходять у рішення: ${shown(frozen)}`,
    });
  return texts;
}

const MOST_SHOWN = 5;
const shown = (texts: readonly string[]): string =>
  `${texts
    .slice(0, MOST_SHOWN)
    .map((text) => (text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text))
    .join(" · ")}${texts.length > MOST_SHOWN ? " · …" : ""}`;

const largeChange = (share: number): Text => ({
  en: `${Math.round(share * 100)} % of what the agent knows (layer 1) would be replaced or removed: a person has to decide, whatever rules say`,
  uk: `буде замінено або вилучено ${Math.round(share * 100)} % того, що агент знає (шар 1): вирішує людина, хоч би що казали правила`,
});

const tooLarge = (problems: readonly Text[]): PreparedEffect => ({
  kind: "refused",
  failure: new Failure("VALIDATION_FAILED", { ...joined(problems, "; "), details: { reason: "memory_limit" } }),
});

function refused(problems: readonly MemoryProblem[]): PreparedEffect {
  const lines = problems.map(({ operation, why, candidates = [] }): Text => {
    const open = candidates.length > 0 ? verbatim(` (${candidates.join("; ")})`) : verbatim("");
    return joined([{ en: `operation ${operation + 1}: `, uk: `операція ${operation + 1}: ` }, why, open], "");
  });
  return {
    kind: "refused",
    failure: new Failure("VALIDATION_FAILED", { ...joined(lines, "; "), details: { problems } }),
  };
}

function versionConflict(
  slug: string,
  { expectedVersion }: OperationOf<"memory-update">["payload"],
  { version }: MemoryState,
  conflicts: readonly MemoryConflict[],
): PreparedEffect {
  const head: Text = {
    en: `version_conflict: the memory of ${slug} is at version ${version}, and this was made for ${expectedVersion}`,
    uk: `version_conflict: пам'ять ${slug} має версію ${version}, а це зроблено для ${expectedVersion}`,
  };
  return {
    kind: "refused",
    failure: new Failure("CONCURRENT_MODIFICATION", {
      ...joined([head, ...conflicts.map(({ why }) => why)], "; "),
      hint: {
        en: "Read the memory again and propose the change for what it says now.",
        uk: "Прочитайте пам'ять ще раз і запропонуйте зміну до того, що в ній тепер.",
      },
      details: { reason: "version_conflict", agent: slug, expected: expectedVersion, current: version, conflicts },
    }),
  };
}

function nothingLeft(superseded: readonly SupersededPart[]): PreparedEffect {
  const last = superseded.at(-1);
  if (!last) return { kind: "nothing", why: ALREADY_SO };
  const why: Text = {
    en: `the agent's update ${last.by} has set this already`,
    uk: `це вже встановила новіша зміна того самого агента: ${last.by}`,
  };
  return { kind: "nothing", why, superseded_by: last.by };
}

const partLeftOut = ({ part, by }: SupersededPart): Text => ({
  en: `“${part}” stays as the agent's update ${by} set it`,
  uk: `«${part}» лишається таким, як його встановила зміна того самого агента ${by}`,
});

const ALREADY_SO: Text = { en: "the memory says just this already", uk: "пам'ять уже каже саме це" };
