import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Today } from "./pages/today.tsx";
import { Failed, Loading } from "./parts/state.tsx";
import { Shell } from "./shell.tsx";

const root = createRootRoute({ component: Shell });
const at = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path }) as const;

/** The rest of the address is a note's path, slashes and all; without one it is the list. */
const notes = createRoute({ ...at("/notes") });

/** Every page there is. All but the first are fetched when they are gone to. */
const pages = [
  createRoute({ ...at("/"), component: Today }),
  createRoute({
    ...at("/proposals"),
    component: lazyRouteComponent(() => import("./pages/proposals.tsx"), "Proposals"),
  }),
  createRoute({
    ...at("/proposals/$id"),
    component: lazyRouteComponent(() => import("./pages/proposal.tsx"), "Proposal"),
  }),
  createRoute({ ...at("/agents"), component: lazyRouteComponent(() => import("./pages/agents.tsx"), "Agents") }),
  createRoute({ ...at("/agents/$slug"), component: lazyRouteComponent(() => import("./pages/agent.tsx"), "Agent") }),
  createRoute({
    ...at("/agents/$slug/logic"),
    component: lazyRouteComponent(() => import("./pages/logic.tsx"), "Logic"),
  }),
  createRoute({
    ...at("/agents/$slug/diagram"),
    component: lazyRouteComponent(() => import("./pages/diagram.tsx"), "Diagram"),
  }),
  createRoute({ ...at("/runs"), component: lazyRouteComponent(() => import("./pages/runs.tsx"), "Runs") }),
  createRoute({ ...at("/runs/$run"), component: lazyRouteComponent(() => import("./pages/run.tsx"), "Run") }),
  notes.addChildren([
    createRoute({
      getParentRoute: () => notes,
      path: "/",
      component: lazyRouteComponent(() => import("./pages/notes.tsx"), "Notes"),
    }),
    createRoute({
      getParentRoute: () => notes,
      path: "$",
      component: lazyRouteComponent(() => import("./pages/note.tsx"), "Note"),
    }),
  ]),
  createRoute({ ...at("/ask"), component: lazyRouteComponent(() => import("./pages/ask.tsx"), "Ask") }),
  createRoute({ ...at("/why"), component: lazyRouteComponent(() => import("./pages/why.tsx"), "Why") }),
  createRoute({ ...at("/settings"), component: lazyRouteComponent(() => import("./pages/settings.tsx"), "Settings") }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(pages),
  basepath: "/app",
  defaultPreload: "intent",
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error }) => <Failed error={error as Error} again={() => location.reload()} />,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
