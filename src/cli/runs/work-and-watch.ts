import { Failure } from "../../base/failure.ts";
import { joined, type Text } from "../../base/text.ts";
import type { RunPlace } from "../../garden/core/flow/journal.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { recordStatistics } from "../../garden/insight/learning/statistics.ts";
import { questionsBelow } from "../../garden/runs/sub-agents/show-sub-runs.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { inBothLanguages } from "../text-layout.ts";
import { answerLine, hintLines, outcomeText, requestLines, stateWord } from "./print-run.ts";
import { type WatchResult, watchRun } from "./watch-run.ts";

/** The run failed or was cancelled. */
const EXIT_FAILED = 1;
/** The run waits for a person. */
const EXIT_WAITS = 9;
/** Interrupted, as shells report it. */
const EXIT_LEFT = 130;

/**
 * Executes one run in this process and prints its steps. A running `bloom up` may execute it instead: the lease decides, and
 * the output is the same.
 */
export async function workAndWatch(
  context: CommandContext,
  garden: Garden,
  place: RunPlace,
  from = 0,
): Promise<CommandReport> {
  const { machine } = context;
  if (!machine.startRuns) throw cannotRun();
  const stopped = machine.stopRequested();
  const engine = await machine.startRuns(garden, place);
  let watched: WatchResult;
  try {
    watched = await watchRun(context, garden, place, { from, stopped });
  } finally {
    context.progress.end();
    await engine.close();
  }
  if (watched.report.manifest) await recordStatistics(garden); // `bloom up` does this in its upkeep
  return await watchReport(context, garden, place, watched);
}

export async function watchReport(
  context: CommandContext,
  garden: Garden,
  place: RunPlace,
  { kind, report }: WatchResult,
): Promise<CommandReport> {
  const { style } = context;
  const { card, manifest } = report;
  const open = await questionsBelow(garden, place);
  const json = { run: card, manifest: manifest ?? null, requests: open.map(({ request }) => request) };
  if (kind === "left") return { text: leftText(card.run_id), json, exit: EXIT_LEFT };
  if (kind === "waiting") {
    const text = inBothLanguages((language) =>
      [
        `${style.bold(card.run_id)} ${WAITS[language]}`,
        ...open.flatMap((each) => requestLines(each, style, language)),
        ...open.map(({ request }) => `→ ${answerLine(request)}`),
      ].join("\n"),
    );
    return { text, json, asked: true, exit: EXIT_WAITS };
  }
  const text = inBothLanguages((language) => {
    const outcome = card.outcome ? [outcomeText(card.outcome, language)] : [];
    const end = [`${style.bold(card.run_id)} ${stateWord(card.state, style)}`, ...outcome].join("  ");
    return [end, ...hintLines(manifest, language)].join("\n");
  });
  const next = card.outcome?.kind === "effects" ? [NEXT] : [];
  const well = card.state === "completed";
  return { text: joined([text, ...next], "\n"), json, asked: true, exit: well ? 0 : EXIT_FAILED };
}

const WAITS: Text = { en: "waits for a person:", uk: "чекає на людину:" };
const NEXT: Text = { en: "→ bloom proposals", uk: "→ bloom proposals" };

const leftText = (run: string): Text => ({
  en: `Stopped watching. ${run} is recorded up to its last step; \`bloom up\` or \`bloom runs resume ${run}\` continues it.`,
  uk: `Перегляд зупинено. ${run} записано до місця, де він є; далі — \`bloom up\` або \`bloom runs resume ${run}\`.`,
});

export const cannotRun = (): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: "this bloom cannot run agents: it has no engine",
    uk: "цей bloom не може запускати агентів: у нього немає рушія",
    details: { part: "engine" },
  });
