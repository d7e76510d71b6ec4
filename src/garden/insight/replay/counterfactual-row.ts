import type { Text } from "../../../base/text.ts";
import { servedBy } from "../../../domain/contract/tool.ts";
import type { CounterfactualRow, IconPlace, ProposalCounts } from "../../../domain/logic/counterfactual-report.ts";
import type { RunManifest } from "../../../domain/run/run-manifest.ts";
import type { UnknownReason } from "../../../drakon/walk/call-result.ts";
import { compareRun, type KnownEnd, type RunComparison, type RunFailure } from "../../../drakon/walk/compare-runs.ts";
import { differingIcons } from "../../../drakon/walk/differing-icons.ts";
import type { Landmark } from "../../../drakon/walk/landmarks.ts";
import type { Request } from "../../../drakon/walk/request.ts";
import type { ReplayedWalk } from "../../../drakon/walk/retrace.ts";
import type { AgentProcedure } from "../../runs/execute/procedure.ts";
import type { ReadRun, RecordedRun } from "./recorded-run.ts";
import { mayExceedLimits, replayRules } from "./replay-rules.ts";

/** One run of a report, with the icons of the proposed main diagram that it would pass after the divergence. */
export interface RowMade {
  readonly row: CounterfactualRow;
  readonly way: readonly string[];
}

type Said = Omit<CounterfactualRow, "run" | "version" | "status" | "certainty">;

/** Compares one run with a proposed procedure. `cannot-tell` if the proposed logic is prose. */
export function rowOf(read: ReadRun, proposed: AgentProcedure | undefined): RowMade {
  if (read.kind === "unreadable") return { way: [], row: { ...about(read.run), kind: "unreadable", why: read.why } };
  const { run } = read;
  const head = about(run.path.run, run.manifest, run);
  if (!proposed) return { way: [], row: { ...head, kind: "cannot-tell", why: NO_PROCEDURE } };
  const said = run.carried ? byFact(run, proposed) : { said: byClaim(run, proposed), way: [] };
  return { way: said.way, row: { ...head, ...said.said } };
}

const about = (run: string, manifest?: RunManifest, recorded?: RecordedRun) => ({
  run,
  version: manifest?.logic_version ?? null,
  status: manifest?.status ?? null,
  certainty: recorded?.path.certainty ?? ("unknown" as const),
});

/** The recorded path is a fact: the run is replayed with its answers. */
function byFact(run: RecordedRun, proposed: AgentProcedure): { readonly said: Said; readonly way: readonly string[] } {
  const { recorded, program, input } = run;
  const carried = run.carried!;
  const was = { program, input, answers: carried.answers, walk: carried };
  const { comparison, walk: would } = compareRun(was, proposed.program, replayRules(recorded, proposed));
  const isSame = comparison.kind === "same" && comparison.detours.length === 0;
  const certain: RunComparison =
    !isSame && mayExceedLimits(recorded, would.answers)
      ? {
          kind: "cannot-tell",
          at: "at" in comparison ? comparison.at : comparison.detours[0],
          asked: undefined,
          why: "limit",
        }
      : comparison;
  const at = "at" in certain ? certain.at : undefined;
  const main = proposed.main;
  const trace = would.machine.trace.filter(({ proc }) => proc === "");
  const from = at ? trace.findIndex(({ icon }) => icon === at.icon) : -1;
  const way =
    at && isMain(proposed, at) && from >= 0 ? trace.slice(from, from + MOST_ON_THE_WAY).map(({ icon }) => icon) : [];
  const proposals = isSame ? keptProposals(carried) : proposalsIn(carried, would, certain.kind === "cannot-tell");
  return {
    way: main.file === undefined ? [] : way,
    said: { ...comparisonInWords(certain, recorded.procedure, proposed), proposals },
  };
}

/** The effects of successful calls of tools that serve an output, with how often each was made. */
function proposalsOf({ answers }: ReplayedWalk): Map<string, number> {
  const made = new Map<string, number>();
  for (const { request, result } of answers)
    if (result.kind === "value" && proposes(request)) made.set(request.sem, (made.get(request.sem) ?? 0) + 1);
  return made;
}

const proposes = ({ name }: Request): boolean => servedBy(name).length > 0;
const sumOf = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, one) => sum + one, 0);

const keptProposals = (was: ReplayedWalk): ProposalCounts => ({
  recorded: sumOf(proposalsOf(was)),
  lost: 0,
  gained: 0,
  undecided: 0,
});

/** `isOpen`: the replay stops where the recording has no answer; a proposal that it would make there is one more. */
function proposalsIn(was: ReplayedWalk, would: ReplayedWalk, isOpen: boolean): ProposalCounts {
  const [before, after] = [proposalsOf(was), proposalsOf(would)];
  const { end } = would;
  const isUnknown = end.kind === "unknown";
  if (isUnknown && proposes(end.request)) after.set(end.request.sem, (after.get(end.request.sem) ?? 0) + 1);
  const missing = (from: ReadonlyMap<string, number>, to: ReadonlyMap<string, number>): number =>
    [...from].reduce((sum, [sem, times]) => sum + Math.max(0, times - (to.get(sem) ?? 0)), 0);
  const gone = missing(before, after);
  const unknown = isUnknown || isOpen;
  return {
    recorded: sumOf(before),
    lost: unknown ? 0 : gone,
    gained: missing(after, before),
    undecided: unknown ? gone : 0,
  };
}

const MOST_ON_THE_WAY = 200;

const isMain = (procedure: AgentProcedure, { diagram }: Landmark): boolean =>
  procedure.partOf(diagram) === procedure.main;

/** The path is only claimed by the model: `same` if it passes no changed icon, else `cannot-tell`. */
function byClaim(run: RecordedRun, proposed: AgentProcedure): Said {
  if (run.path.certainty === "unknown") return { kind: "cannot-tell", why: UNKNOWN_WAY };
  const { main } = run.recorded.procedure;
  const differing = differingIcons(main.tree, proposed.main.tree);
  const first = run.path.passed.find(({ icon }) => differing.has(icon));
  if (!first) return { kind: "same" };
  const there = differing.get(first.icon);
  const at = there === undefined ? undefined : iconPlaceIn(proposed, { diagram: proposed.main.name, icon: there });
  return { kind: "cannot-tell", ...(at && { at }), why: CLAIMED };
}

/** A comparison as people read it: its places with the texts of their icons. */
export function comparisonInWords(comparison: RunComparison, was: AgentProcedure, is: AgentProcedure): Said {
  const at = "at" in comparison && comparison.at ? { at: iconPlaceIn(is, comparison.at) } : {};
  const failure =
    "failure" in comparison && comparison.failure ? { failure: failureWords(comparison.failure, was) } : {};
  switch (comparison.kind) {
    case "same":
      return {
        kind: "same",
        ...(comparison.detours.length > 0 && {
          detours: [...new Map(comparison.detours.map((one) => [one.icon, iconPlaceIn(is, one)])).values()].slice(
            0,
            10,
          ),
        }),
      };
    case "parts":
      return { kind: "parts", ...at, ...failure, end: endWords(comparison.end, is) };
    case "avoids":
    case "cannot-tell": {
      const asked = comparison.asked ? { asked: iconPlaceIn(is, comparison.asked) } : {};
      const why = comparison.why === undefined ? {} : { why: unknownReasons[comparison.why] };
      const end = comparison.kind === "avoids" && comparison.end ? { end: endWords(comparison.end, is) } : {};
      return { kind: comparison.kind, ...at, ...asked, ...why, ...end, ...failure };
    }
  }
}

function endWords(end: KnownEnd, is: AgentProcedure): NonNullable<CounterfactualRow["end"]> {
  if (end.kind === "done" || end.kind === "returned") return { kind: end.kind };
  return { kind: end.kind, ...(end.icon && { at: iconPlaceIn(is, end.icon) }), why: end.why };
}

const failureWords = (
  { icon, call, code, why }: RunFailure,
  was: AgentProcedure,
): NonNullable<CounterfactualRow["failure"]> => ({
  ...(icon && { at: iconPlaceIn(was, icon) }),
  ...(call !== undefined && { call }),
  code,
  why: { en: why.en.slice(0, MOST_WORDS), uk: why.uk.slice(0, MOST_WORDS) },
});

const MOST_WORDS = 300;

export function iconPlaceIn(
  procedure: AgentProcedure,
  { diagram, icon }: Pick<Landmark, "diagram" | "icon">,
): IconPlace {
  const part = procedure.partOf(diagram);
  return { diagram: part.file ?? part.name, icon, text: part.textOf(icon).slice(0, MOST_WORDS) };
}

export const unknownReasons: Readonly<Record<UnknownReason, Text>> = {
  "not-asked": { en: "this was not asked in the run", uk: "у цьому запуску про це нікого не питали" },
  again: { en: "this was not asked as often in the run", uk: "у цьому запуску про це не питали стільки разів" },
  "other-state": {
    en: "the recorded answer depends on other earlier changes",
    uk: "відповідь дано тоді, коли перед тим було змінено інше",
  },
  moment: { en: "the answer depends on the time", uk: "відповідь належала іншій миті" },
  limit: { en: "the run may reach a limit first", uk: "раніше може настати межа запуску" },
  "cut-off": { en: "the run was stopped there", uk: "там зупинено сам запуск" },
};

const NO_PROCEDURE: Text = {
  en: "the proposed logic is prose without a procedure, so it cannot be replayed",
  uk: "запропонована логіка — слова без процедури: іти нема чим",
};
const UNKNOWN_WAY: Text = {
  en: "the model did not report its path, or reported an impossible one",
  uk: "модель не сказала, яким шляхом ішла, або сказане не було шляхом",
};
const CLAIMED: Text = {
  en: "the path is only claimed by the model, and it passes a changed icon",
  uk: "шлях відомий лише зі слів моделі й проходить через змінену ікону",
};
