import type { QueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useState } from "react";
import { outdate } from "./queries.ts";

/** How the page hears of the garden: at once, by asking now and then, or not at all. */
export type Hearing = "live" | "asking" | "away";

const KINDS: Readonly<Record<string, readonly string[]>> = {
  proposed: ["/proposals", "/agents", "/inbox"],
  decided: ["/proposals", "/agents", "/logic", "/memory"],
  applied: [
    "/proposals",
    "/notes",
    "/folders",
    "/search",
    "/links",
    "/lines",
    "/agents",
    "/logic",
    "/memory",
    "/audit",
  ],
  "apply-failed": ["/proposals"],
  refused: ["/inbox"],
  "agent-created": ["/agents"],
  "agent-status": ["/agents"],
  "agent-deleted": ["/agents"],
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
  "run-finished": ["/runs", "/agents", "/logic", "/proposals"],
};

const ASK_EVERY_MS = 10_000;

/**
 * Keeps what was read up to date: by the gateway's events while they can be heard, else by asking again every few seconds, and not at
 * all while nobody looks. Returns a function that ends it.
 */
export function listen(
  client: QueryClient,
  tell: (hearing: Hearing) => void,
  onStep: (step: RunStep) => void,
): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  const everything = (): void => void client.invalidateQueries();

  const startAsking = (): void => {
    timer ??= setInterval(everything, ASK_EVERY_MS);
  };
  const stopAsking = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const open = (): void => {
    source = new EventSource("/events");
    source.addEventListener("open", () => {
      stopAsking();
      tell("live");
      everything(); // whatever happened while nobody heard
    });
    source.addEventListener("error", () => {
      tell(navigator.onLine ? "asking" : "away");
      startAsking();
      // A refused connection is not tried again by the browser: then we do.
      if (source?.readyState === EventSource.CLOSED) reopen();
    });
    for (const [kind, paths] of Object.entries(KINDS))
      source.addEventListener(kind, () => void outdate(client, ...paths, "/audit"));
    source.addEventListener("run-step", (event) => onStep(JSON.parse(event.data as string) as RunStep));
  };
  let again: ReturnType<typeof setTimeout> | undefined;
  const reopen = (): void => {
    source?.close();
    clearTimeout(again);
    again = setTimeout(open, 3000);
  };
  const close = (): void => {
    source?.close();
    source = undefined;
    clearTimeout(again);
    stopAsking();
  };
  const look = (): void => {
    if (document.hidden) close();
    else if (!source) open();
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    close();
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
