import type { Text } from "../../../base/text.ts";
import { statusOfText } from "../../../domain/contract/status-line.ts";
import { keys } from "../../../domain/layout.ts";
import { runManifest } from "../../../domain/run/run-manifest.ts";
import type { Garden } from "../../core/garden.ts";
import { tryReadJson } from "../../core/json-record.ts";
import { problemsText, readAgentFile } from "../../records/agents/read-agent.ts";
import { newestRuns } from "../../records/runs/run-folders.ts";
import { agentSlugs } from "../../records/status.ts";
import { activationReport } from "./activation.ts";
import { faultsIn } from "./stop-broken.ts";

/** C-7: an agent that does not run until its owner acts. */
export interface AgentTrouble {
  readonly slug: string;
  /** When it stopped; undefined if the file does not say. */
  readonly since?: string;
  /** One line for each problem. */
  readonly why: Text;
}

/** Every agent in `error`, and every agent whose file has no readable status, by slug. */
export async function agentTroubles(garden: Garden): Promise<readonly AgentTrouble[]> {
  const troubles: AgentTrouble[] = [];
  for (const slug of await agentSlugs(garden.store)) {
    const seen = await readAgentFile(garden.store, slug);
    if (seen.kind === "absent") continue;
    if (seen.kind === "agent") {
      const { status, updated_at: since } = seen.agent.contract;
      if (status === "error") troubles.push({ slug, since, why: await reasonOf(garden, slug) });
    } else {
      const status = statusOfText(new TextDecoder().decode(seen.bytes));
      if (status === undefined || status === "error") troubles.push({ slug, why: problemsText(slug, seen.problems) });
    }
  }
  return troubles;
}

/** The failed checks; if all pass now, the error of the last run. */
async function reasonOf(garden: Garden, slug: string): Promise<Text> {
  const report = await activationReport(garden, slug);
  if (!report.ready) return faultsIn(report);
  for await (const { run } of newestRuns(garden.store, slug)) {
    const manifest = tryReadJson((await garden.store.get(keys.runManifest(slug, run)))?.bytes, runManifest);
    if (!manifest) continue;
    if (manifest.error === null || manifest.error === undefined) break;
    return { en: `its last run failed: ${manifest.error}`, uk: `його останній запуск був невдалим: ${manifest.error}` };
  }
  return { en: "its checks pass now", uk: "тепер перевірки проходять" };
}
