import type { Text } from "../../base/text.ts";
import { isTerminal } from "../../domain/run/run.ts";
import type { StepRecord } from "../../domain/run/run-step.ts";
import { isSubRunId } from "../../domain/run/sub-run.ts";
import type { RunPlace } from "../../garden/core/flow/journal.ts";
import { OVER, realPause } from "../../garden/core/flow/pause.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { stepsAfter } from "../../garden/records/runs/run-folders.ts";
import { answerOf } from "../../garden/runs/hold.ts";
import { type RunCard, type RunDetails, readRun, runCard } from "../../garden/runs/read-runs.ts";
import { questionsBelow } from "../../garden/runs/sub-agents/show-sub-runs.ts";
import type { CommandContext } from "../command.ts";
import { inBothLanguages } from "../text-layout.ts";
import { stepLine } from "./print-run.ts";

/** `ended`: the run has ended. `waiting`: it waits for a person. `left`: watching was interrupted. */
export interface WatchResult {
  readonly kind: "ended" | "waiting" | "left";
  readonly report: RunDetails;
}

/** Poll interval, for changes by other processes and for the seconds shown. */
const LOOK_MS = 250;

/**
 * Prints the steps of a run as they are recorded, whichever process executes it. On a terminal the last line shows the
 * current activity.
 */
export async function watchRun(
  context: CommandContext,
  garden: Garden,
  place: RunPlace,
  { from = 0, stopped }: { readonly from?: number; readonly stopped?: Promise<unknown> } = {},
): Promise<WatchResult> {
  const news = runChanges(garden, place);
  let seen = from;
  let left = false;
  void stopped?.then(() => (left = true));
  let since = context.ground.world.now();
  try {
    for (;;) {
      // The state is read before the steps, so that no step before the end is missed.
      const card = await runCard(garden, place);
      for (const step of await stepsAfter(garden.store, place, seen)) {
        printStep(context, step);
        seen = step.position;
        since = context.ground.world.now();
      }
      const kind = isTerminal(card.state)
        ? "ended"
        : (await isHeld(garden, place, card.waiting_for))
          ? "waiting"
          : left && "left";
      if (kind) return { kind, report: await readRun(garden, place) };
      context.progress.at(progressText(card, seen + 1, Math.floor((context.ground.world.now() - since) / 1000)));
      await news.next();
    }
  } finally {
    news.end();
  }
}

/** `next` resolves when this process signals a change of the run, or after the poll interval. */
function runChanges(
  { signals }: Garden,
  { run }: RunPlace,
): { readonly next: () => Promise<void>; readonly end: () => void } {
  let wake = new AbortController();
  const wakeIf = (about: unknown): void => {
    if (about === run) wake.abort(OVER);
  };
  const unsubscribe = [
    signals.subscribeSteps((step) => wakeIf(step.run)),
    signals.subscribe(({ record: { subject, details } }) => [subject, details["run"]].forEach(wakeIf)),
  ];
  return {
    async next() {
      await realPause(LOOK_MS, wake.signal);
      wake = new AbortController();
    },
    end: () => unsubscribe.forEach((stop) => stop()),
  };
}

function printStep(context: CommandContext, step: StepRecord): void {
  context.progress.end();
  context.say(inBothLanguages((language) => stepLine(step, context.style, language)));
}

/** An answered hold is over, even if the view is not updated yet. A run that waits for a sub-agent is held if that one is. */
async function isHeld({ store }: Garden, place: RunPlace, request: string | undefined): Promise<boolean> {
  if (request === undefined) return false;
  if (!isSubRunId(request)) return (await answerOf(store, place, request)) === undefined;
  return (await questionsBelow({ store }, place)).length > 0;
}

function progressText(card: RunCard, next: number, seconds: number): Text {
  const since = seconds < 1 ? "" : ` ${seconds} s`;
  if (card.waits_until !== undefined)
    return {
      en: `${card.agent_slug}: step ${next} waits for the rate limit …${since}`,
      uk: `${card.agent_slug}: крок ${next} чекає через обмеження частоти …${since}`,
    };
  if (card.state === "running")
    return { en: `${card.agent_slug}: step ${next} …${since}`, uk: `${card.agent_slug}: крок ${next} …${since}` };
  return {
    en: `${card.agent_slug}: ${card.state}, waiting for a worker …${since}`,
    uk: `${card.agent_slug}: ${card.state}, над ним ще не працюють …${since}`,
  };
}
