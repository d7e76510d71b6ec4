import { Failure } from "../../base/failure.ts";
import { joined, type Text } from "../../base/text.ts";
import type { RunPlace } from "../../garden/core/flow/journal.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { recordStatistics } from "../../garden/insight/learning/statistics.ts";
import { requestsOf } from "../../garden/runs/hold.ts";
import type { Context, Report } from "../command.ts";
import { answerLine, hintLines, inBoth, outcomeText, requestLines, stateWord } from "./tell-run.ts";
import { type Watched, watchRun } from "./watch-run.ts";

/** The run ended, and not well. */
const EXIT_FAILED = 1;
/** The run waits for a person. */
const EXIT_WAITS = 9;
/** As shells have it for a command that was interrupted. */
const EXIT_LEFT = 130;

/**
 * Works on one run in this process and shows it. `bloom up` may be at it already, or take it: the lease of the run decides
 * who works, and both are seen alike.
 */
export async function workAndWatch(context: Context, garden: Garden, place: RunPlace, from = 0): Promise<Report> {
  const { machine } = context;
  if (!machine.startRuns) throw cannotRun();
  const stopped = machine.stopRequested();
  const engine = await machine.startRuns(garden, place);
  let watched: Watched;
  try {
    watched = await watchRun(context, garden, place, { from, stopped });
  } finally {
    context.progress.end();
    await engine.close();
  }
  if (watched.report.manifest) await recordStatistics(garden); // a served garden does it by itself
  return await watchedReport(context, garden, place, watched);
}

export async function watchedReport(
  context: Context,
  garden: Garden,
  place: RunPlace,
  { kind, report }: Watched,
): Promise<Report> {
  const { style } = context;
  const { card, manifest } = report;
  const asked = await requestsOf(garden.store, place);
  const open = asked.filter(({ answer }) => !answer);
  const json = { run: card, manifest: manifest ?? null, requests: open.map(({ request }) => request) };
  if (kind === "left") return { text: leftText(card.run_id), json, exit: EXIT_LEFT };
  if (kind === "waiting") {
    const text = inBoth((language) =>
      [
        `${style.bold(card.run_id)} ${WAITS[language]}`,
        ...open.flatMap((each) => requestLines(each, style, language)),
        ...open.map(({ request }) => `→ ${answerLine(request)}`),
      ].join("\n"),
    );
    return { text, json, asked: true, exit: EXIT_WAITS };
  }
  const text = inBoth((language) => {
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
  en: `No longer watching. ${run} is on record as far as it came; \`bloom up\` or \`bloom runs resume ${run}\` goes on.`,
  uk: `Перегляд зупинено. ${run} записано до місця, де він є; далі — \`bloom up\` або \`bloom runs resume ${run}\`.`,
});

const cannotRun = (): Failure =>
  new Failure(
    "UPSTREAM_UNAVAILABLE",
    {
      en: "this bloom cannot run agents: it has no engine",
      uk: "цей bloom не може запускати агентів: у нього немає рушія",
    },
    { details: { part: "engine" } },
  );
