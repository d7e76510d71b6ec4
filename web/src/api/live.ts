import type { QueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useState } from "react";
import type { AuditRecord } from "../../../src/domain/audit-record.ts";
import { Refusal } from "./client.ts";
import { outdate, outdateWhere } from "./queries.ts";

/** How the page hears of the garden: at once, by asking now and then, not at all, or as nobody that the garden knows any more. */
export type Hearing = "live" | "asking" | "away" | "ended";

/** What may look different after each thing that happens. */
const KINDS: Readonly<Record<AuditRecord["kind"], readonly string[]>> = {
  proposed: ["/proposals", "/agents", "/inbox"],
  decided: ["/proposals", "/agents", "/logic", "/memory"],
  applied: ["/proposals", "/notes", "/folders", "/search", "/links", "/lines", "/agents", "/logic", "/memory"],
  "apply-failed": ["/proposals"],
  refused: ["/inbox"],
  "agent-created": ["/agents"],
  "agent-status": ["/agents"],
  "agent-outputs": ["/agents"],
  "agent-deleted": ["/agents", "/runs"],
  "signed-in": ["/tokens"],
  "sign-in-refused": [],
  "token-made": ["/tokens"],
  "token-revoked": ["/tokens"],
  "settings-changed": ["/settings"],
  "memory-edited": ["/memory", "/agents"],
  "body-replaced": ["/agents"],
  answered: ["/requests", "/runs"],
  "run-requested": ["/runs", "/agents"],
  "run-held": ["/runs", "/requests"],
  "run-cancel-asked": ["/runs"],
  "run-forked": ["/runs"],
  "run-recorded": ["/runs", "/agents"],
  "run-finished": ["/runs", "/requests", "/agents", "/logic", "/proposals"],
  "slots-skipped": [],
  "event-dropped": [],
};

const ASK_EVERY_MS = 10_000;
const REOPEN_MS = 3000;
/** The gateway lets hear that it is there every 15 seconds. A connection that says nothing for so long is dead, whatever it says itself. */
const SILENCE_MS = 50_000;

/**
 * Keeps what was read up to date: by the gateway's events while they can be heard, else by asking again every few seconds, and not at
 * all while nobody looks. Whenever events begin to be heard, everything is asked for once, as something may have happened before.
 * Returns a function that ends it.
 */
export function listen(
  client: QueryClient,
  tell: (hearing: Hearing) => void,
  onStep: (step: RunStep) => void,
): () => void {
  let source: EventSource | undefined;
  let asking: ReturnType<typeof setInterval> | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let hearing: Hearing = "asking";
  const hear = (now: Hearing): void => {
    if (now !== hearing) tell(now);
    hearing = now;
  };
  const everything = (): void => void outdateWhere(client, () => true);
  const isOpen = (): boolean => source?.readyState === EventSource.OPEN;

  const startAsking = (): void => {
    if (asking !== undefined) return;
    asking = setInterval(everything, ASK_EVERY_MS);
    everything();
  };
  const stopAsking = (): void => {
    clearInterval(asking);
    asking = undefined;
  };
  const close = (): void => {
    source?.close();
    source = undefined;
    clearTimeout(reopening);
    clearTimeout(silence);
  };
  const open = (): void => {
    close();
    const opened = new EventSource("/events");
    source = opened;
    const alive = (): void => {
      clearTimeout(silence);
      silence = setTimeout(open, SILENCE_MS);
    };
    opened.addEventListener("open", () => {
      stopAsking();
      hear("live");
      alive();
      everything();
    });
    opened.addEventListener("error", () => {
      clearTimeout(silence);
      if (hearing === "live") hear(navigator.onLine ? "asking" : "away");
      if (hearing !== "ended") startAsking();
      // A refused connection is not tried again by the browser: then we do.
      if (opened.readyState === EventSource.CLOSED) reopening = setTimeout(open, REOPEN_MS);
    });
    opened.addEventListener("alive", alive);
    for (const [kind, paths] of Object.entries(KINDS))
      opened.addEventListener(kind, () => {
        alive();
        void outdate(client, ...paths, "/audit");
      });
    const begun = new Set<string>();
    opened.addEventListener("run-step", (event) => {
      alive();
      const step = JSON.parse(event.data as string) as RunStep;
      onStep(step);
      // That a run has begun is told by its first step alone.
      if (!begun.has(step.run_id)) void outdate(client, "/runs");
      begun.add(step.run_id);
    });
  };

  const look = (): void => {
    if (!document.hidden) return source ? undefined : open();
    close();
    stopAsking();
  };
  const online = (): void => {
    if (!document.hidden) open();
  };
  const offline = (): void => hear("away");
  /** What became of each request tells whether there is somebody to ask, and whether we are known there. */
  const answered = (error: unknown): void => {
    const refusal = error instanceof Refusal ? error : undefined;
    if (refusal?.isSignedOut) {
      hear("ended");
      stopAsking(); // the next opening of the events will tell when we are known again
      if (isOpen()) open();
    } else if (refusal?.isOffline) {
      if (!isOpen()) hear("away");
    } else if (navigator.onLine && (hearing === "away" || hearing === "ended")) hear(isOpen() ? "live" : "asking");
  };
  const ignoreQueries = client.getQueryCache().subscribe((event) => {
    if (event.type !== "updated") return;
    if (event.action.type === "failed" || event.action.type === "error") answered(event.action.error);
    else if (event.action.type === "success" && event.action.manual !== true) answered(undefined);
  });
  const ignoreChanges = client.getMutationCache().subscribe((event) => {
    if (event.type === "updated" && event.action.type === "error") answered(event.action.error);
  });
  document.addEventListener("visibilitychange", look);
  addEventListener("online", online);
  addEventListener("offline", offline);
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    removeEventListener("online", online);
    removeEventListener("offline", offline);
    ignoreQueries();
    ignoreChanges();
    close();
    stopAsking();
  };
}

/** A step as it is told live: without what it was given and gave. */
export interface RunStep {
  readonly run_id: string;
  readonly agent_slug: string;
  readonly position: number;
  readonly name: string;
  readonly kind: "step" | "model" | "tool";
  readonly diagram?: string;
  readonly icon?: string;
  readonly line?: number;
}

export const HearingContext = createContext<Hearing>("asking");
export const useHearing = (): Hearing => useContext(HearingContext);

export const StepContext = createContext<{ listen(listener: (step: RunStep) => void): () => void }>({
  listen: () => () => undefined,
});

/** The latest step of a run that is going on. */
export function useLastStep(run: string): RunStep | undefined {
  const steps = useContext(StepContext);
  const [last, setLast] = useState<RunStep>();
  useEffect(() => steps.listen((step) => step.run_id === run && setLast(step)), [steps, run]);
  return last;
}
