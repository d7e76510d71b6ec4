import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { NotFound } from "./components/not-found.tsx";
import { Failed, Loading } from "./components/query-result.tsx";
import { TodayPage } from "./pages/today.tsx";
import { Shell } from "./shell.tsx";

const root = createRootRoute({ component: Shell });
const at = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path }) as const;

/** The rest of the address is a note's path with its slashes; without one it is the list. */
const notes = createRoute({ ...at("/notes") });

/** The queue and the open proposal are one workspace: selecting another proposal changes the address, not the page. */
const review = createRoute({
  ...at("/proposals"),
  component: lazyRouteComponent(() => import("./pages/proposals.tsx"), "ReviewPage"),
});

/** All pages. All but the first are loaded on demand. */
const pages = [
  createRoute({ ...at("/"), component: TodayPage }),
  review.addChildren([
    createRoute({ getParentRoute: () => review, path: "/" }),
    createRoute({ getParentRoute: () => review, path: "$id" }),
  ]),
  createRoute({ ...at("/agents"), component: lazyRouteComponent(() => import("./pages/agents.tsx"), "AgentsPage") }),
  createRoute({
    ...at("/new-agent"),
    component: lazyRouteComponent(() => import("./pages/new-agent.tsx"), "NewAgentPage"),
  }),
  createRoute({ ...at("/import"), component: lazyRouteComponent(() => import("./pages/import.tsx"), "ImportPage") }),
  createRoute({ ...at("/library"), component: lazyRouteComponent(() => import("./pages/library.tsx"), "LibraryPage") }),
  createRoute({
    ...at("/agents/$slug"),
    component: lazyRouteComponent(() => import("./pages/agent.tsx"), "AgentPage"),
  }),
  createRoute({
    ...at("/agents/$slug/logic"),
    component: lazyRouteComponent(() => import("./pages/logic.tsx"), "LogicPage"),
  }),
  createRoute({
    ...at("/agents/$slug/diagram"),
    component: lazyRouteComponent(() => import("./pages/diagram.tsx"), "DiagramPage"),
  }),
  createRoute({ ...at("/runs"), component: lazyRouteComponent(() => import("./pages/runs.tsx"), "RunsPage") }),
  createRoute({
    ...at("/runs/spending"),
    component: lazyRouteComponent(() => import("./pages/runs/spending.tsx"), "SpendingPage"),
  }),
  createRoute({ ...at("/runs/$run"), component: lazyRouteComponent(() => import("./pages/run.tsx"), "RunPage") }),
  createRoute({
    ...at("/sessions"),
    component: lazyRouteComponent(() => import("./pages/sessions.tsx"), "SessionsPage"),
  }),
  createRoute({
    ...at("/sessions/$name"),
    component: lazyRouteComponent(() => import("./pages/session.tsx"), "SessionPage"),
  }),
  createRoute({
    ...at("/other-gardens"),
    component: lazyRouteComponent(() => import("./pages/other-gardens.tsx"), "OtherGardensPage"),
  }),
  createRoute({
    ...at("/other-gardens/$garden/$session"),
    component: lazyRouteComponent(() => import("./pages/peer-session.tsx"), "PeerSessionPage"),
  }),
  notes.addChildren([
    createRoute({
      getParentRoute: () => notes,
      path: "/",
      component: lazyRouteComponent(() => import("./pages/notes.tsx"), "NotesPage"),
    }),
    createRoute({
      getParentRoute: () => notes,
      path: "$",
      component: lazyRouteComponent(() => import("./pages/note.tsx"), "NotePage"),
    }),
  ]),
  createRoute({ ...at("/ask"), component: lazyRouteComponent(() => import("./pages/ask.tsx"), "AskPage") }),
  createRoute({ ...at("/why"), component: lazyRouteComponent(() => import("./pages/why.tsx"), "WhyPage") }),
  createRoute({ ...at("/audit"), component: lazyRouteComponent(() => import("./pages/audit.tsx"), "HistoryPage") }),
  createRoute({
    ...at("/settings"),
    component: lazyRouteComponent(() => import("./pages/settings.tsx"), "SettingsPage"),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(pages),
  basepath: "/app",
  defaultPreload: "intent",
  defaultPendingComponent: Loading,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ({ error }) => <Failed error={error as Error} again={() => location.reload()} />,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
