import type { QueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useState } from "react";
import { ApiError } from "./client.ts";
import { type EventStream, eventStream, type RunStep } from "./event-stream.ts";
import { invalidate, invalidateWhere } from "./queries.ts";

export type { RunStep };

/** The way the page learns of changes: from events, by polling, or not at all (no answer, or no session any more). */
export type Connection = "live" | "polling" | "offline" | "signedOut";

const POLL_MS = 10_000;

/**
 * Keeps queries up to date: by the gateway's events, or by polling while those are down. A hidden tab does neither. Whenever the event
 * stream opens, every query is refetched once, because events before that were missed. Returns a function that ends it.
 */
export function listenForEvents(
  client: QueryClient,
  onConnection: (connection: Connection) => void,
  onStep: (step: RunStep) => void,
): () => void {
  let connection: Connection = "polling";
  let polling: ReturnType<typeof setInterval> | undefined;
  const runsWithSteps = new Set<string>();
  const setConnection = (now: Connection): void => {
    if (now !== connection) onConnection(now);
    connection = now;
  };
  const refetchAll = (): void => void invalidateWhere(client, () => true);
  const startPolling = (): void => {
    if (polling !== undefined) return;
    polling = setInterval(refetchAll, POLL_MS);
    refetchAll();
  };
  const stopPolling = (): void => {
    clearInterval(polling);
    polling = undefined;
  };
  const stream = eventStream({
    open() {
      stopPolling();
      setConnection("live");
      runsWithSteps.clear();
      refetchAll();
    },
    error() {
      if (connection === "live") setConnection(navigator.onLine ? "polling" : "offline");
      if (connection !== "signedOut") startPolling();
    },
    change: (paths) => void invalidate(client, ...paths, "/audit"),
    step(step) {
      onStep(step);
      // No event says that a run has started: its first step does.
      if (!runsWithSteps.has(step.run_id)) void invalidate(client, "/runs");
      runsWithSteps.add(step.run_id);
    },
  });
  const stopWatching = watchResponses(client, (error) => {
    if (error?.isSignedOut) {
      setConnection("signedOut");
      stopPolling(); // the stream opens again once there is a session
      if (stream.isOpen()) stream.open();
    } else if (error?.isOffline) {
      if (!stream.isOpen()) setConnection("offline");
    } else if (navigator.onLine && (connection === "offline" || connection === "signedOut"))
      setConnection(stream.isOpen() ? "live" : "polling");
  });
  const stopFollowing = followVisibility(stream, stopPolling, () => setConnection("offline"));
  return () => {
    stopFollowing();
    stopWatching();
    stream.close();
    stopPolling();
  };
}

/** Reports the outcome of every request: its error, or `undefined` for an answer. */
function watchResponses(client: QueryClient, onResponse: (error: ApiError | undefined) => void): () => void {
  const failed = (error: unknown): void => onResponse(error instanceof ApiError ? error : undefined);
  const unsubscribeQueries = client.getQueryCache().subscribe((event) => {
    if (event.type !== "updated") return;
    if (event.action.type === "failed" || event.action.type === "error") failed(event.action.error);
    else if (event.action.type === "success" && event.action.manual !== true) onResponse(undefined);
  });
  const unsubscribeMutations = client.getMutationCache().subscribe((event) => {
    if (event.type === "updated" && event.action.type === "error") failed(event.action.error);
  });
  return () => {
    unsubscribeQueries();
    unsubscribeMutations();
  };
}

/** Opens the stream while the tab is visible, and closes it when it is hidden. */
function followVisibility(stream: EventStream, stopPolling: () => void, onOffline: () => void): () => void {
  const update = (): void => {
    if (!document.hidden) return stream.isClosed() ? stream.open() : undefined;
    stream.close();
    stopPolling();
  };
  const online = (): void => {
    if (!document.hidden) stream.open();
  };
  document.addEventListener("visibilitychange", update);
  addEventListener("online", online);
  addEventListener("offline", onOffline);
  update();
  return () => {
    document.removeEventListener("visibilitychange", update);
    removeEventListener("online", online);
    removeEventListener("offline", onOffline);
  };
}

export const ConnectionContext = createContext<Connection>("polling");
export const useConnection = (): Connection => useContext(ConnectionContext);

export const StepContext = createContext<{ listen(listener: (step: RunStep) => void): () => void }>({
  listen: () => () => undefined,
});

/** The latest step of a run that is in progress. */
export function useLastStep(run: string): RunStep | undefined {
  const steps = useContext(StepContext);
  const [last, setLast] = useState<RunStep>();
  useEffect(() => steps.listen((step) => step.run_id === run && setLast(step)), [steps, run]);
  return last;
}
