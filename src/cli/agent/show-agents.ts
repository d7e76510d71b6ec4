import { joined, type Text, verbatim } from "../../base/text.ts";
import type { AgentState } from "../../domain/contract/agent-state.ts";
import { agentFilePath, contractKey } from "../../domain/layout.ts";
import { activationReport } from "../../garden/agents/lifecycle/activation.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { driftIn, readDiagrams } from "../../garden/records/agents/agent-diagrams.ts";
import { noAgent, readAgent, readAgentFile } from "../../garden/records/agents/read-agent.ts";
import { readRegistry } from "../../garden/records/agents/registry.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { printable } from "../printable.ts";
import { alignColumns, formatTime, inBothLanguages, labelledRows } from "../text-layout.ts";
import { modelNote } from "./model-note.ts";
import { activationText } from "./print-activation.ts";

export async function printAgents(garden: Garden, state: AgentState | undefined): Promise<CommandReport> {
  const { agents } = await readRegistry(garden);
  const shown = agents.filter(({ status }) => state === undefined || status === state);
  const details: { model: string; problems: number }[] = [];
  for (const { slug } of shown) {
    const seen = await readAgentFile(garden.store, slug);
    details.push({
      model: seen.kind === "agent" ? seen.agent.contract.model : "?",
      problems: seen.kind === "broken" ? seen.problems.length : 0,
    });
  }
  const listed = shown.map((agent, index) => ({ ...agent, ...details[index]! }));
  if (shown.length === 0) {
    const none = {
      en: "No agents yet. Create one with `bloom agent new SLUG`.",
      uk: "Агентів немає. Створити: `bloom agent new SLUG`.",
    };
    return { text: none, json: { agents: listed }, asked: true };
  }
  const lines = listed.map((agent) => [
    agent.slug,
    agent.problems > 0 ? `${agent.status} (!${agent.problems})` : agent.status,
    agent.version,
    agent.model,
    agent.last_run === null ? "–" : `${formatTime(agent.last_run)} ${agent.last_run_status ?? "?"}`,
    String(agent.pending_proposals),
  ]);
  const text = inBothLanguages((language) =>
    alignColumns([HEAD.map((head) => head[language]), ...lines.map((line) => line.map(printable))]).join("\n"),
  );
  return { text, json: { agents: listed }, asked: true };
}

export async function showAgent(garden: Garden, slug: string): Promise<CommandReport> {
  const agent = await readAgent(garden.store, slug);
  const { contract } = agent;
  const entry = (await readRegistry(garden)).agents.find((one) => one.slug === slug);
  const diagrams = (await readDiagrams(garden.store, slug)).map(({ file }) => file);
  const drift = await driftIn(garden.store, { slug, text: agent.text, generatedFrom: contract.generated_from });
  const { triggers } = contract;
  const when = [
    triggers.manual ? "manual" : "",
    triggers.cron ? `cron "${triggers.cron}"` : "",
    ...(triggers.events ?? []),
  ];
  const head = labelledRows([
    [{ en: "name", uk: "назва" }, printable(contract.name)],
    [{ en: "about", uk: "опис" }, printable(contract.description)],
    [{ en: "status", uk: "стан" }, contract.status],
    [
      { en: "version", uk: "версія" },
      `${contract.version}${contract.logic_version ? ` (${contract.logic_version})` : ""}`,
    ],
    [{ en: "model", uk: "модель" }, `${contract.model}, ${contract.execution}`],
    [{ en: "tools", uk: "інструменти" }, contract.tools.join(", ") || "–"],
    [{ en: "proposes", uk: "пропонує" }, contract.safe_outputs.join(", ") || "–"],
    ...(contract.workspace === "session" ? [[{ en: "works on", uk: "працює" }, "agents/…"] as const] : []),
    [{ en: "runs", uk: "запускається" }, when.filter((one) => one !== "").join(", ") || "–"],
    [{ en: "diagrams", uk: "діаграми" }, diagrams.join(", ") || "–"],
    [
      { en: "last run", uk: "останній запуск" },
      entry?.last_run ? `${formatTime(entry.last_run)} ${entry.last_run_status ?? ""}` : "–",
    ],
    [{ en: "pending proposals", uk: "чекають рішення" }, String(entry?.pending_proposals ?? 0)],
    ...drift.map(({ message }): [Text, Text] => [{ en: "drift", uk: "розбіжність" }, message]),
    [
      { en: "contract", uk: "контракт" },
      `${agentFilePath(garden.config.agents_root, contractKey(slug))} ${agent.contractHash.slice(0, 12)}`,
    ],
  ]);
  return {
    text: joined([head, verbatim(printable(agent.body.trim()))], "\n\n"),
    json: { ...entry, contract, contract_hash: agent.contractHash, diagrams, drift, body: agent.body },
    asked: true,
  };
}

/** All activation checks; exit code 1 if the agent cannot be activated. */
export async function checkAgent(context: CommandContext, garden: Garden, slug: string): Promise<CommandReport> {
  const seen = await readAgentFile(garden.store, slug);
  if (seen.kind === "absent") throw noAgent(slug);
  const report = await activationReport(garden, slug, seen);
  const note = report.ready ? await modelNote(context, garden, slug) : undefined;
  const text = joined([activationText(report), ...(note ? [note] : [])], "\n");
  return { text, json: { ...report, ...(note && { note }) }, asked: true, exit: report.ready ? 0 : 1 };
}

const HEAD: readonly Text[] = [
  { en: "SLUG", uk: "SLUG" },
  { en: "STATUS", uk: "СТАН" },
  { en: "VERSION", uk: "ВЕРСІЯ" },
  { en: "MODEL", uk: "МОДЕЛЬ" },
  { en: "LAST RUN", uk: "ОСТАННІЙ ЗАПУСК" },
  { en: "PENDING", uk: "ЧЕКАЮТЬ" },
];
