import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode, useEffect, useMemo, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { Refusal } from "./api/client.ts";
import { type Hearing, HearingContext, listen, type RunStep, StepContext } from "./api/live.ts";
import { Notices } from "./parts/notices.tsx";
import { router } from "./router.tsx";
import "./style/base.css";
import "./style/guide.css";
import "./style/shell.css";
import { applyReader, type Reader, ReaderContext, storedReader } from "./words/say.ts";

const client = new QueryClient({
  defaultOptions: {
    // Whether there is a network is found out by asking: what cannot be sent fails at once, and is told.
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      staleTime: 30_000,
      // What was refused is refused again; only what nobody could be asked is worth another try.
      retry: (failures, error) => failures < 2 && error instanceof Refusal && (error.isOffline || error.status >= 502),
    },
  },
});

function App() {
  const [chosen, setChosen] = useState(storedReader);
  const [hearing, setHearing] = useState<Hearing>("asking");
  const reader = useMemo<Reader>(
    () => ({ ...chosen, choose: (more) => setChosen((before) => ({ ...before, ...more })) }),
    [chosen],
  );
  applyReader(chosen);
  // Messages of the gateway come in the reader's language, so they are read again in the new one.
  const spoken = useRef(chosen.language);
  useEffect(() => {
    if (spoken.current !== chosen.language) void client.invalidateQueries();
    spoken.current = chosen.language;
  }, [chosen.language]);
  const steps = useMemo(stepBus, []);
  useEffect(() => listen(client, setHearing, steps.tell), [steps]);
  return (
    <ReaderContext value={reader}>
      <HearingContext value={hearing}>
        <StepContext value={steps}>
          <Notices>
            <RouterProvider router={router} />
          </Notices>
        </StepContext>
      </HearingContext>
    </ReaderContext>
  );
}

function stepBus() {
  const listeners = new Set<(step: RunStep) => void>();
  return {
    tell: (step: RunStep): void => {
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
