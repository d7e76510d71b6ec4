import { joined, type Text, verbatim } from "../../base/text.ts";
import type { AgentState } from "../../domain/contract/agent-state.ts";
import { contractKey } from "../../domain/layout.ts";
import { activationReport } from "../../garden/agents/lifecycle/activation.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { driftIn, readDiagrams } from "../../garden/records/agents/agent-diagrams.ts";
import { lookAtAgent, noAgent, readAgent } from "../../garden/records/agents/read-agent.ts";
import { readRegistry } from "../../garden/records/agents/registry.ts";
import type { Report } from "../command.ts";
import { printable } from "../printable.ts";
import { rows } from "../rows.ts";
import { gateTable, table } from "./agent-words.ts";

export async function listAgents(garden: Garden, state: AgentState | undefined): Promise<Report> {
  const { agents } = await readRegistry(garden);
  const shown = agents.filter(({ status }) => state === undefined || status === state);
  const details: { model: string; problems: number }[] = [];
  for (const { slug } of shown) {
    const seen = await lookAtAgent(garden.store, slug);
    details.push({
      model: seen.kind === "agent" ? seen.agent.contract.model : "?",
      problems: seen.kind === "broken" ? seen.problems.length : 0,
    });
  }
  const listed = shown.map((agent, index) => ({ ...agent, ...details[index]! }));
  if (shown.length === 0) {
    const none = {
      en: "There are no agents. `bloom agent new SLUG` makes one.",
      uk: "Агентів немає. Створити: `bloom agent new SLUG`.",
    };
    return { text: none, json: { agents: listed }, asked: true };
  }
  const text = table(
    [HEAD.slug, HEAD.status, HEAD.version, HEAD.model, HEAD.run, HEAD.pending],
    listed.map((agent) => [
      agent.slug,
      agent.problems > 0 ? `${agent.status} (!${agent.problems})` : agent.status,
      agent.version,
      agent.model,
      agent.last_run === null
        ? "–"
        : `${agent.last_run.slice(0, 16).replace("T", " ")} ${agent.last_run_status ?? "?"}`,
      String(agent.pending_proposals),
    ]),
  );
  return { text, json: { agents: listed }, asked: true };
}

export async function showAgent(garden: Garden, slug: string): Promise<Report> {
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
  const head = rows([
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
    [{ en: "runs", uk: "запускається" }, when.filter((one) => one !== "").join(", ") || "–"],
    [{ en: "diagrams", uk: "діаграми" }, diagrams.join(", ") || "–"],
    [
      { en: "last run", uk: "останній запуск" },
      entry?.last_run ? `${entry.last_run} ${entry.last_run_status ?? ""}` : "–",
    ],
    [{ en: "waiting proposals", uk: "чекають рішення" }, String(entry?.pending_proposals ?? 0)],
    ...drift.map(({ message }): [Text, Text] => [{ en: "drift", uk: "розбіжність" }, message]),
    [{ en: "contract", uk: "контракт" }, `${contractKey(slug)} ${agent.contractHash.slice(0, 12)}`],
  ]);
  return {
    text: joined([head, verbatim(printable(agent.body.trim()))], "\n\n"),
    json: { ...entry, contract, contract_hash: agent.contractHash, diagrams, drift, body: agent.body },
    asked: true,
  };
}

/** Everything that can be said about a contract at once; exit code 1 if it could not be activated. */
export async function checkAgent(garden: Garden, slug: string): Promise<Report> {
  const seen = await lookAtAgent(garden.store, slug);
  if (seen.kind === "absent") throw noAgent(slug);
  const report = await activationReport(garden, slug, seen);
  return { text: gateTable(report), json: report, asked: true, exit: report.ready ? 0 : 1 };
}

const HEAD = {
  slug: { en: "SLUG", uk: "SLUG" },
  status: { en: "STATUS", uk: "СТАН" },
  version: { en: "VERSION", uk: "ВЕРСІЯ" },
  model: { en: "MODEL", uk: "МОДЕЛЬ" },
  run: { en: "LAST RUN", uk: "ОСТАННІЙ ЗАПУСК" },
  pending: { en: "PENDING", uk: "ЧЕКАЮТЬ" },
} as const satisfies Record<string, Text>;
