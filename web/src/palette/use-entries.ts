import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Activity, Flower2, GitBranch, MessageSquareText, NotebookText, PencilLine } from "lucide-react";
import { useDeferredValue } from "react";
import { cardTitle } from "../../../src/domain/proposal/card-title.ts";
import { call } from "../api/client.ts";
import { query } from "../api/queries.ts";
import { actionLabels, runStateLabels, sessionStateLabels } from "../components/labels.ts";
import { useToast } from "../components/toasts.tsx";
import { useGardens } from "../components/use-gardens.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import type { Entry, EntryGroup, PaletteScope } from "./entry.ts";
import { useAgentEntries, useCommands } from "./use-commands.ts";

/** Everything that the palette finds: notes by name and by their words, agents, proposals that wait, recent runs, commands. */
export function useEntries(scope: PaletteScope, typed: string): readonly EntryGroup[] {
  const notes = useNoteEntries(typed);
  const agents = useAgentEntries();
  const waiting = useWaitingEntries();
  const runs = [...useRunEntries(), ...useSessionEntries()];
  const commands = useCommands(typed);
  const gardens = useGardenEntries();
  if (scope === "notes") return [{ id: "notes", entries: notes }];
  const isEmpty = typed.trim() === "";
  return [
    { id: "waiting", entries: waiting },
    { id: "do", entries: commands },
    { id: "agents", entries: agents },
    { id: "notes", entries: isEmpty ? [] : notes },
    { id: "runs", entries: isEmpty ? [] : runs },
    { id: "gardens", entries: gardens },
  ];
}

/** Names of at most this many notes are loaded; beyond that the full-text search finds them. */
const PAGE = "500";
const MOST_PAGES = 20;

function useNotePaths(): UseQueryResult<readonly string[]> {
  return useQuery({
    queryKey: ["GET /notes", "names"],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const paths: string[] = [];
      let after: string | undefined;
      for (let page = 0; page < MOST_PAGES; page++) {
        const { notes, next } = await call("GET /notes", {
          query: { limit: PAGE, ...(after !== undefined && { after }) },
          signal,
        });
        paths.push(...notes.map(({ path }) => path));
        if (next === undefined) break;
        after = next;
      }
      return paths;
    },
  });
}

function useNoteEntries(typed: string): readonly Entry[] {
  const t = useT();
  const navigate = useNavigate();
  const paths = useNotePaths().data ?? [];
  const words = useDeferredValue(typed.trim());
  const found = useQuery({
    ...query("GET /search", { query: { q: words, limit: "8" } }),
    enabled: words.length > 2,
    staleTime: 10_000,
  }).data?.hits;
  const byText = new Map(found?.map(({ path, quote }) => [path, quote]));
  const all = [...new Set([...paths, ...byText.keys()])];
  return all.map((path) => {
    const folders = path.split("/");
    const title = folders.at(-1)!.replace(/\.md$/i, "");
    const to = (search: object): void => void navigate({ to: "/notes/$", params: { _splat: path }, search });
    return {
      id: `note ${path}`,
      title,
      hint: folders.at(-2),
      // A note found by its words fits what was typed, in whatever form the words stand there.
      more: byText.has(path) ? `${path} ${byText.get(path)} ${words}` : path,
      icon: NotebookText,
      open: () => to({}),
      act: { name: t(names.edit), run: () => to({ view: "edit" }) },
    };
  });
}

function useWaitingEntries(): readonly Entry[] {
  const t = useT();
  const navigate = useNavigate();
  const pending = useQuery(query("GET /proposals/pending", { query: { limit: "100" } })).data?.proposals ?? [];
  return pending.map((card) => ({
    id: card.id,
    title: cardTitle(card),
    hint: card.source.identity === "owner" ? t(names.you) : card.source.identity,
    more: `${t(actionLabels[card.action] ?? { en: card.action, uk: card.action })} ${card.id}`,
    icon: card.action === "propose-comment" ? MessageSquareText : PencilLine,
    open: () => void navigate({ to: "/proposals/$id", params: { id: card.id } }),
  }));
}

function useRunEntries(): readonly Entry[] {
  const t = useT();
  const navigate = useNavigate();
  const runs = useQuery(query("GET /runs", { query: { limit: "50" } })).data?.runs ?? [];
  return runs.map(({ run_id, agent_slug, state }) => ({
    id: run_id,
    title: t(names.run, agent_slug, run_id.slice(4, 14)),
    hint: t(runStateLabels[state] ?? { en: state, uk: state }),
    more: run_id,
    icon: Activity,
    open: () => void navigate({ to: "/runs/$run", params: { run: run_id } }),
    act: { name: t(names.why), run: () => void navigate({ to: "/why", search: { subject: run_id } }) },
  }));
}

function useSessionEntries(): readonly Entry[] {
  const t = useT();
  const navigate = useNavigate();
  const sessions = useQuery(query("GET /sessions", {})).data?.sessions ?? [];
  return sessions.map(({ name, state, head }) => ({
    id: `session ${name}`,
    title: t(names.session, name),
    hint: t(sessionStateLabels[state] ?? { en: state, uk: state }),
    more: head.message,
    icon: GitBranch,
    open: () => void navigate({ to: "/sessions/$name", params: { name } }),
  }));
}

/** Other gardens of this machine: Enter opens one that runs, and copies the command that starts another. */
function useGardenEntries(): readonly Entry[] {
  const t = useT();
  const toast = useToast();
  const tellStart = (start: string): void => {
    void navigator.clipboard?.writeText(start).catch(() => undefined);
    toast(t(names.startWith, start));
  };
  return useGardens()
    .filter(({ here, state }) => !here && state !== "gone")
    .map(({ id, name, dir, open, start, first_commit }) => ({
      id: `garden ${id}`,
      title: t(names.garden, name),
      hint: open === undefined ? t(names.stopped) : new URL(open).host,
      more: dir,
      icon: first_commit === undefined ? Flower2 : { garden: first_commit },
      open: () => (open === undefined ? tellStart(start) : location.assign(open)),
    }));
}

const names = {
  garden: { en: "Switch to {}", uk: "Перейти до саду {}" },
  stopped: { en: "not running", uk: "не працює" },
  startWith: {
    en: "It is not running here. Start it in a terminal (copied): {}",
    uk: "Він тут не працює. Запустіть його в терміналі (скопійовано): {}",
  },
  edit: { en: "Edit", uk: "Редагувати" },
  you: { en: "you", uk: "ви" },
  run: { en: "Run of {}, {}", uk: "Запуск {}, {}" },
  why: { en: "Why", uk: "Чому" },
  session: { en: "Session {}", uk: "Сесія {}" },
} as const satisfies Record<string, Text>;
