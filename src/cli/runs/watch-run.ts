import type { Text } from "../../base/text.ts";
import { isTerminal } from "../../domain/run/run.ts";
import type { StepRecord } from "../../domain/run/run-step.ts";
import type { RunPlace } from "../../garden/core/flow/journal.ts";
import { OVER, realPause } from "../../garden/core/flow/pause.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { stepsAfter } from "../../garden/records/runs/run-folders.ts";
import { answerOf } from "../../garden/runs/hold.ts";
import { type RunCard, type RunReport, readRun, runCard } from "../../garden/runs/read-runs.ts";
import type { Context } from "../command.ts";
import { inBoth, stepLine } from "./tell-run.ts";

/** How a watch ended: the run did, or it waits for a person, or whoever watched was asked to stop. */
export interface Watched {
  readonly kind: "ended" | "waiting" | "left";
  readonly report: RunReport;
}

/** For what other processes do, and for the seconds that are shown. */
const LOOK_MS = 250;

/**
 * Shows a run as it goes, from its records: whichever process works on it. On a terminal the last line changes in place and
 * says what is under way; each step that is done becomes a line of the timeline.
 */
export async function watchRun(
  context: Context,
  garden: Garden,
  place: RunPlace,
  { from = 0, stopped }: { readonly from?: number; readonly stopped?: Promise<unknown> } = {},
): Promise<Watched> {
  const news = newsOf(garden, place);
  let seen = from;
  let left = false;
  void stopped?.then(() => (left = true));
  let since = context.ground.world.now();
  try {
    for (;;) {
      // First whether it is over, then what was done: nothing of the end can be missed.
      const card = await runCard(garden, place);
      for (const step of await stepsAfter(garden.store, place, seen)) {
        tellStep(context, step);
        seen = step.position;
        since = context.ground.world.now();
      }
      const kind = isTerminal(card.state)
        ? "ended"
        : (await isHeld(garden, place, card.waiting_for))
          ? "waiting"
          : left && "left";
      if (kind) return { kind, report: await readRun(garden, place) };
      context.progress.at(underWay(card, seen + 1, Math.floor((context.ground.world.now() - since) / 1000)));
      await news.next();
    }
  } finally {
    news.end();
  }
}

/** Wakes whoever waits when something about the run happened in this process; else after a moment. */
function newsOf(
  { signals }: Garden,
  { run }: RunPlace,
): { readonly next: () => Promise<void>; readonly end: () => void } {
  let wake = new AbortController();
  const heard = (about: unknown): void => {
    if (about === run) wake.abort(OVER);
  };
  const deaf = [
    signals.onStep((step) => heard(step.run)),
    signals.subscribe(({ record: { subject, details } }) => [subject, details["run"]].forEach(heard)),
  ];
  return {
    async next() {
      await realPause(LOOK_MS, wake.signal);
      wake = new AbortController();
    },
    end: () => deaf.forEach((stop) => stop()),
  };
}

function tellStep(context: Context, step: StepRecord): void {
  context.progress.end();
  context.say(inBoth((language) => stepLine(step, context.style, language)));
}

/** A hold that was answered is one no longer, even while its view still says so. */
const isHeld = async ({ store }: Garden, place: RunPlace, request: string | undefined): Promise<boolean> =>
  request !== undefined && (await answerOf(store, place, request)) === undefined;

function underWay(card: RunCard, next: number, seconds: number): Text {
  const since = seconds < 1 ? "" : ` ${seconds} s`;
  if (card.state === "running")
    return { en: `${card.agent_slug}: step ${next} …${since}`, uk: `${card.agent_slug}: крок ${next} …${since}` };
  return {
    en: `${card.agent_slug}: ${card.state}, nobody works on it yet …${since}`,
    uk: `${card.agent_slug}: ${card.state}, над ним ще не працюють …${since}`,
  };
}
