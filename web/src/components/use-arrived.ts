import { type Query, useQueryClient } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { createContext, useEffect, useState } from "react";

/** The page is shown after this time even if a part of it is still loading. */
const MOST_MS = 5000;

/** False while the first page is hidden: the browser refuses to focus an element of it. */
export const ArrivedContext = createContext(true);

/**
 * False until everything that the first page reads has been answered: shown piece by piece, its parts would push each other down.
 * Later pages are shown at once, because most of what they show is known by then.
 */
export function useArrived(): boolean {
  const client = useQueryClient();
  const isRouted = useRouterState({ select: ({ status }) => status === "idle" });
  const [hasArrived, setHasArrived] = useState(false);
  useEffect(() => {
    if (hasArrived || !isRouted) return;
    const cache = client.getQueryCache();
    let frame = 0;
    const look = (): void => {
      cancelAnimationFrame(frame);
      if (cache.getAll().some(isAwaited)) return;
      // The second frame: an answer may make the page ask for more.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => !cache.getAll().some(isAwaited) && setHasArrived(true));
      });
    };
    const stop = cache.subscribe(look);
    const limit = setTimeout(() => setHasArrived(true), MOST_MS);
    look();
    return () => {
      stop();
      clearTimeout(limit);
      cancelAnimationFrame(frame);
    };
  }, [client, isRouted, hasArrived]);
  return hasArrived;
}

const isAwaited = ({ state }: Query): boolean => state.data === undefined && state.fetchStatus === "fetching";
