import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode, useEffect, useMemo, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "./api/client.ts";
import { keepReads } from "./api/kept-reads.ts";
import { type Connection, ConnectionContext, listenForEvents, type RunStep, StepContext } from "./api/live.ts";
import { Toasts } from "./components/toasts.tsx";
import { router } from "./router.tsx";
import { preloadCyrillic } from "./style/preload-fonts.ts";
import "./style/base.css";
import "./style/door.css";
import "./style/guide.css";
import "./style/shell.css";
import { applyPreferences, type Preferences, PreferencesContext, storedPreferences } from "./i18n/use-t.ts";

preloadCyrillic(storedPreferences().language);

const client = new QueryClient({
  defaultOptions: {
    // Requests are tried even if the browser thinks it is offline: they fail at once, with a message.
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      staleTime: 30_000,
      // An error answer would be repeated; only a missing answer is worth a retry.
      retry: (failures, error) => failures < 2 && error instanceof ApiError && (error.isOffline || error.status >= 502),
    },
  },
});

function App() {
  const [chosen, setChosen] = useState(storedPreferences);
  const [connection, setConnection] = useState<Connection>("polling");
  const preferences = useMemo<Preferences>(
    () => ({ ...chosen, choose: (changes) => setChosen((before) => ({ ...before, ...changes })) }),
    [chosen],
  );
  applyPreferences(chosen);
  // Answers hold messages in the chosen language: refetch them when it changes.
  const fetchedIn = useRef(chosen.language);
  useEffect(() => {
    if (fetchedIn.current !== chosen.language) void client.invalidateQueries();
    fetchedIn.current = chosen.language;
  }, [chosen.language]);
  const steps = useMemo(stepBus, []);
  useEffect(() => listenForEvents(client, setConnection, steps.publish), [steps]);
  useEffect(() => keepReads(client, () => fetchedIn.current), []);
  return (
    <PreferencesContext value={preferences}>
      <ConnectionContext value={connection}>
        <StepContext value={steps}>
          <Toasts>
            <RouterProvider router={router} />
          </Toasts>
        </StepContext>
      </ConnectionContext>
    </PreferencesContext>
  );
}

function stepBus() {
  const listeners = new Set<(step: RunStep) => void>();
  return {
    publish: (step: RunStep): void => {
      for (const listener of listeners) listener(step);
    },
    listen: (listener: (step: RunStep) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

createRoot(document.getElementById("app")!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);

// The app opens without the garden, from the files that its service worker keeps. Its address has the hash of this file, so that a
// new version of the app installs its own.
const version = /[\w-]+(?=\.js$)/.exec(import.meta.url)?.[0];
if (version !== undefined && "serviceWorker" in navigator)
  addEventListener("load", () => void navigator.serviceWorker.register(`/app/sw.js?${version}`).catch(() => undefined));
