import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  Activity,
  Brain,
  Fence,
  FilePlus2,
  FileText,
  GitBranch,
  GitCommitVertical,
  History,
  Keyboard,
  Languages,
  Library,
  LifeBuoy,
  LogOut,
  type LucideIcon,
  MessageCircleQuestionMark,
  Moon,
  Play,
  Plus,
  ScrollText,
  Search,
  Sun,
  SunMoon,
  Tags,
  Wallet,
  Waypoints,
  Workflow,
} from "lucide-react";
import { call } from "../api/client.ts";
import { useIdempotencyKey } from "../api/idempotency-key.ts";
import { forgetReads } from "../api/kept-reads.ts";
import { query } from "../api/queries.ts";
import { useGuideState } from "../components/guide-state.ts";
import { showKeyHelp } from "../components/key-help.tsx";
import { agentStateLabels } from "../components/labels.ts";
import { PLACES, SETTINGS_PLACE } from "../components/places.ts";
import { useToast } from "../components/toasts.tsx";
import { type Text, usePreferences, useT } from "../i18n/use-t.ts";
import { sectionLinks } from "../pages/settings/section-links.ts";
import type { Entry } from "./entry.ts";

/** Agents: Enter opens one, with ⌘ it runs. */
export function useAgentEntries(): readonly Entry[] {
  const t = useT();
  const navigate = useNavigate();
  const run = useRunAgent();
  const agents = useQuery(query("GET /agents", {})).data?.agents ?? [];
  return agents.map(({ slug, name, status }) => ({
    id: `agent ${slug}`,
    title: name,
    hint: t(agentStateLabels[status] ?? { en: status, uk: status }),
    more: slug,
    icon: { agent: slug },
    open: () => void navigate({ to: "/agents/$slug", params: { slug } }),
    act: status === "active" ? { name: t(names.runNow), run: () => run(slug) } : undefined,
  }));
}

function useRunAgent(): (slug: string) => void {
  const navigate = useNavigate();
  const toast = useToast();
  const { keyFor, reset } = useIdempotencyKey();
  const { mutate } = useMutation({
    mutationFn: (slug: string) =>
      call("POST /agents/:slug/run", { params: { slug }, body: {}, correlation: keyFor({ slug }) }),
    onSuccess: ({ run: { run_id } }) => {
      reset();
      return navigate({ to: "/runs/$run", params: { run: run_id } });
    },
    onError: (error) => toast(error.message),
  });
  return mutate;
}

/** All that can be done from anywhere. What was typed can be asked, explained or searched. No command decides on a proposal. */
export function useCommands(typed: string): readonly Entry[] {
  return [
    ...useTypedCommands(typed.trim()),
    ...useMakeCommands(),
    ...useAgentCommands(),
    ...useFurtherCommands(),
    ...usePlaceCommands(),
    ...useOwnCommands(),
  ];
}

function useTypedCommands(words: string): readonly Entry[] {
  const t = useT();
  const navigate = useNavigate();
  if (words === "") return [];
  const command = (id: string, name: Text, icon: LucideIcon, open: () => void): Entry => ({
    id,
    title: t(name, words),
    when: "last",
    icon,
    open,
  });
  return [
    command("ask", names.ask, MessageCircleQuestionMark, () => void navigate({ to: "/ask", search: { q: words } })),
    command("search", names.search, Search, () => void navigate({ to: "/notes", search: { q: words } })),
    command("why", names.why, GitCommitVertical, () => void navigate({ to: "/why", search: { subject: words } })),
  ];
}

function useMakeCommands(): readonly Entry[] {
  const t = useT();
  const navigate = useNavigate();
  return [
    {
      id: "new note",
      title: t(names.newNote),
      icon: FilePlus2,
      open: () => void navigate({ to: "/notes", search: { new: "1" } }),
    },
    {
      id: "new agent",
      title: t(names.newAgent),
      icon: Plus,
      open: () => void navigate({ to: "/new-agent" }),
    },
  ];
}

/** The verbs of each agent. They are found by the agent's name. */
function useAgentCommands(): readonly Entry[] {
  const t = useT();
  const navigate = useNavigate();
  const run = useRunAgent();
  const agents = useQuery(query("GET /agents", {})).data?.agents ?? [];
  return agents.flatMap(({ slug, name, status }) => {
    const tab = (id: string): void => void navigate({ to: "/agents/$slug", params: { slug }, search: { tab: id } });
    const verbs: readonly (readonly [string, Text, LucideIcon, () => void])[] = [
      ...(status === "active" ? [["run", names.run, Play, () => run(slug)] as const] : []),
      ["runs", names.runs, Activity, () => tab("runs")],
      ["diagram", names.diagram, Workflow, () => void navigate({ to: "/agents/$slug/diagram", params: { slug } })],
      ["logic", names.logic, GitCommitVertical, () => void navigate({ to: "/agents/$slug/logic", params: { slug } })],
      ["memory", names.memory, Brain, () => tab("memory")],
      ["contract", names.contract, FileText, () => tab("contract")],
    ];
    return verbs.map(([id, verb, icon, open]) => ({
      id: `${id} ${slug}`,
      title: t(verb, name),
      more: slug,
      when: "typed" as const,
      icon,
      open,
    }));
  });
}

/** Views without a place of their own, and the sections of the settings. */
function useFurtherCommands(): readonly Entry[] {
  const t = useT();
  const navigate = useNavigate();
  const views: readonly (readonly [string, Text, LucideIcon, () => void])[] = [
    ["history", names.history, History, () => void navigate({ to: "/proposals", search: { view: "history" } })],
    ["sessions", names.sessions, GitBranch, () => void navigate({ to: "/sessions" })],
    ["other gardens", names.otherGardens, Fence, () => void navigate({ to: "/other-gardens" })],
    ["library", names.library, Library, () => void navigate({ to: "/library" })],
    ["spending", names.spending, Wallet, () => void navigate({ to: "/runs/spending" })],
    ["audit", names.audit, ScrollText, () => void navigate({ to: "/audit" })],
    ["tags", names.tags, Tags, () => void navigate({ to: "/notes", search: { view: "tags" } })],
    ["graph", names.graph, Waypoints, () => void navigate({ to: "/notes", search: { view: "graph" } })],
  ];
  return [
    ...views.map(([id, name, icon, open]) => ({ id, title: t(name), icon, open })),
    ...sectionLinks.map(({ id, name }) => ({
      id: `settings ${id}`,
      title: t(names.setting, t(name)),
      when: "typed" as const,
      icon: SETTINGS_PLACE.icon,
      open: () => void navigate({ to: "/settings", hash: id }).then(() => scrollWhenShown(id)),
    })),
  ];
}

/** The settings load before their sections are shown. */
function scrollWhenShown(id: string): void {
  const scroll = (): boolean => {
    const section = document.getElementById(id);
    section?.scrollIntoView();
    return section !== null;
  };
  if (scroll()) return;
  const watch = new MutationObserver(() => scroll() && watch.disconnect());
  watch.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watch.disconnect(), SHOWN_MS);
}

const SHOWN_MS = 10_000;

function usePlaceCommands(): readonly Entry[] {
  const t = useT();
  const navigate = useNavigate();
  return [...PLACES, SETTINGS_PLACE].map(({ to, name, key, icon }) => ({
    id: `go ${to}`,
    title: t(names.go, t(name)),
    hint: `g ${key}`,
    icon,
    open: () => void navigate({ to }),
  }));
}

/** Theme, language, help, sign-out. */
function useOwnCommands(): readonly Entry[] {
  const t = useT();
  const { language, theme, choose } = usePreferences();
  const [guide, note] = useGuideState();
  const themes = [
    ["light", names.light, Sun],
    ["dark", names.dark, Moon],
    ["system", names.system, SunMoon],
  ] as const;
  return [
    ...themes
      .filter(([id]) => id !== theme)
      .map(([id, name, icon]) => ({ id, title: t(name), icon, open: () => choose({ theme: id }) })),
    {
      id: "language",
      title: language === "en" ? "Українська" : "English",
      more: "language мова",
      icon: Languages,
      open: () => choose({ language: language === "en" ? "uk" : "en" }),
    },
    { id: "keys", title: t(names.keys), hint: "?", icon: Keyboard, open: showKeyHelp },
    ...(guide.isOff
      ? [{ id: "guide", title: t(names.guide), icon: LifeBuoy, open: () => note({ isOff: false }) }]
      : []),
    { id: "sign out", title: t(names.signOut), icon: LogOut, open: () => void signOut() },
  ];
}

async function signOut(): Promise<void> {
  await forgetReads();
  const form = Object.assign(document.createElement("form"), { method: "post", action: "/sign-out" });
  document.body.append(form);
  form.submit();
}

const names = {
  runNow: { en: "Run now", uk: "Запустити" },
  ask: { en: "Ask the notes: “{}”", uk: "Запитати нотатки: «{}»" },
  search: { en: "Search notes for “{}”", uk: "Шукати «{}» в нотатках" },
  why: { en: "Why: “{}” (a note, a commit or a run)", uk: "Чому: «{}» (нотатка, коміт або запуск)" },
  newNote: { en: "New note", uk: "Нова нотатка" },
  newAgent: { en: "New agent", uk: "Новий агент" },
  run: { en: "Run {} now", uk: "Запустити: {}" },
  runs: { en: "Runs of {}", uk: "Запуски: {}" },
  diagram: { en: "Edit the diagram of {}", uk: "Редагувати діаграму: {}" },
  logic: { en: "Logic of {}: versions and trend", uk: "Логіка: {} — версії й показники" },
  memory: { en: "Memory of {}", uk: "Пам’ять: {}" },
  contract: { en: "Contract of {}", uk: "Контракт: {}" },
  history: { en: "Decided changes", uk: "Вирішені зміни" },
  sessions: { en: "Sessions: agents on branches", uk: "Сесії: агенти на гілках" },
  library: { en: "Behaviour library", uk: "Бібліотека поведінок" },
  otherGardens: { en: "Other gardens: follow, allow, publish", uk: "Інші сади: стежити, дозволяти, оприлюднювати" },
  spending: { en: "Spending", uk: "Витрати" },
  audit: { en: "Audit log", uk: "Журнал подій" },
  tags: { en: "Tags of the notes", uk: "Теги нотаток" },
  graph: { en: "Graph of the notes", uk: "Граф нотаток" },
  setting: { en: "Settings: {}", uk: "Налаштування: {}" },
  go: { en: "Go to {}", uk: "Перейти: {}" },
  light: { en: "Light theme", uk: "Світла тема" },
  dark: { en: "Dark theme", uk: "Темна тема" },
  system: { en: "Theme of the system", uk: "Тема, як у системі" },
  keys: { en: "Keyboard shortcuts", uk: "Клавіші" },
  guide: { en: "Show the first steps again", uk: "Показати перші кроки знову" },
  signOut: { en: "Sign out", uk: "Вийти" },
} as const satisfies Record<string, Text>;
