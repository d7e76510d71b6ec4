import { joined, type Text, verbatim } from "../../base/text.ts";
import { EdgeSet, type SessionTree, SUB_AGENT_OF, sessionTree } from "../../domain/session/edges.ts";
import { listArchived } from "../../garden/sessions/archive-session.ts";
import { listSessions, type SessionCommitView, showSession } from "../../garden/sessions/session-views.ts";
import { sessionTraces } from "../../garden/sessions/traces.ts";
import type { Subcommands } from "../subcommands.ts";
import { alignColumns, formatTime, labelledRows, oneLine } from "../text-layout.ts";
import { traceLines, traceSubcommands } from "./traces.ts";

const NONE: Text = {
  en: "no sessions: `bloom session spawn NAME --goal TEXT` starts one",
  uk: "сесій немає: почніть першу командою `bloom session spawn НАЗВА --goal ТЕКСТ`",
};
const MOVED: Text = {
  en: "the branch no longer contains its spawn commit: somebody moved it",
  uk: "гілка вже не містить свого першого коміту: її хтось пересунув",
};
const NO_TRACES: Text = { en: "no traces", uk: "слідів немає" };

const commitCells = ({ commit, kind, message, at }: SessionCommitView): string[] => [
  commit.slice(0, 10),
  formatTime(at),
  kind ?? "-",
  oneLine(message),
];

/** Subcommands that only read. */
export const sessionReading: Subcommands = {
  list: {
    usage: "",
    words: [0, 0],
    does: { en: "all sessions with their newest commit", uk: "усі сесії з найновішим комітом" },
    async run({ options }, { repo }) {
      const found =
        options["archived"] === true ? { sessions: await listArchived(repo), edges: [] } : await listSessions(repo);
      const lines = alignColumns(found.sessions.map(({ name, head }) => [name, ...commitCells(head)]));
      return { text: lines.length === 0 ? NONE : verbatim(lines.join("\n")), json: found, asked: true };
    },
  },
  show: {
    usage: "NAME",
    words: [1, 1],
    does: {
      en: "a session: its goal, its sub-agents, what it recorded since its last commit",
      uk: "сесія: мета, підагенти, записане після останнього коміту",
    },
    async run(_, garden, [name]) {
      const shown = await showSession(garden, name!);
      const rows = labelledRows([
        [{ en: "goal", uk: "мета" }, oneLine(shown.goal ?? "-")],
        [{ en: "parent", uk: "від кого" }, shown.parent ?? "-"],
        [{ en: "sub-agents", uk: "підагенти" }, shown.subAgents.join(", ") || "-"],
        [{ en: "commits", uk: "комітів" }, String(shown.commits.length)],
        [{ en: "head", uk: "останній" }, commitCells(shown.head).join("  ")],
        [{ en: "not yet in a commit", uk: "ще не в коміті" }, String(shown.pendingEntries)],
      ]);
      return { text: shown.isMoved ? joined([rows, MOVED], "\n") : rows, json: shown, asked: true };
    },
  },
  log: {
    usage: "NAME",
    words: [1, 1],
    does: { en: "the session's own commits, newest first", uk: "власні коміти сесії, найновіші перші" },
    async run(_, garden, [name]) {
      const { commits } = await showSession(garden, name!);
      return { text: verbatim(alignColumns(commits.map(commitCells)).join("\n")), json: { commits }, asked: true };
    },
  },
  trace: {
    usage: "NAME",
    words: [1, 1],
    does: { en: "what was recorded with each commit of a session", uk: "що записано з кожним комітом сесії" },
    async run(_, { repo }, [name]) {
      const traces = await sessionTraces(repo, name!);
      const lines = traces.flatMap(({ commit, traces: bound }) => [commit.slice(0, 10), ...bound.flatMap(traceLines)]);
      return { text: lines.length === 0 ? NO_TRACES : verbatim(lines.join("\n")), json: { traces }, asked: true };
    },
  },
  history: traceSubcommands.history,
  graph: {
    usage: "",
    words: [0, 0],
    does: {
      en: "sessions with their sub-agents, as a tree, and all edges",
      uk: "сесії з підагентами деревом і всі зв'язки",
    },
    async run(_, { repo }) {
      const { sessions, edges } = await listSessions(repo);
      const set = new EdgeSet(edges.map((edge) => ({ op: "assert" as const, ...edge })));
      const tops = sessions.filter(({ name }) => set.outOf(SUB_AGENT_OF, name).length === 0);
      const trees = tops.map(({ name }) => sessionTree(set, name));
      const others = edges
        .filter(({ kind }) => kind !== SUB_AGENT_OF)
        .map(({ kind, from, to }) => `${from} ${kind} ${to}`);
      const lines = [...trees.flatMap((tree) => treeLines(tree)), ...others];
      return { text: lines.length === 0 ? NONE : verbatim(lines.join("\n")), json: { trees, edges }, asked: true };
    },
  },
};

const treeLines = ({ name, below }: SessionTree, indent = ""): string[] => [
  `${indent}${name}`,
  ...below.flatMap((each) => treeLines(each, `${indent}  `)),
];
