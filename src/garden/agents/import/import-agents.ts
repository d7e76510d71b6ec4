import { Failure } from "../../../base/failure.ts";
import type { Identity } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { onlyOwner } from "../../core/access/only-owner.ts";
import type { Garden } from "../../core/garden.ts";
import { createAgent } from "../lifecycle/create-agent.ts";
import { REPORT_FILE } from "./draft-files.ts";
import { type ImportReport, type ImportRequest, planImport } from "./plan-import.ts";

export interface Imported {
  readonly digest: string;
  readonly reports: readonly ImportReport[];
  /** Slugs of the draft agents that were created. */
  readonly created: readonly string[];
}

/**
 * Creates the draft agents of an import, each with its sources and its report beside it (I-1). `confirmed` is the digest of the report
 * that the owner saw; other files than those are refused.
 */
export async function importAgents(
  garden: Garden,
  request: ImportRequest,
  by: Identity,
  confirmed?: string,
): Promise<Imported> {
  if (by.type !== "owner") throw onlyOwner(by, { en: "import agents", uk: "імпортувати агентів" });
  const { digest, agents } = await planImport(garden, request);
  if (confirmed !== undefined && confirmed !== digest) throw otherFiles;
  const created: string[] = [];
  for (const { report, files, isRestored } of agents) {
    if (report.outcome !== "agent" || !files || report.slug === undefined) continue;
    const { slug } = report;
    const { contract: _, ...told } = report;
    const others = new Map(files.others);
    if (!isRestored)
      others.set(`${keys.agentFolder(slug)}${REPORT_FILE}`, Buffer.from(`${JSON.stringify(told, null, 2)}\n`));
    await createAgent(garden, {
      slug,
      by,
      language: request.language,
      from: { kind: "import", files: { contract: files.contract, others } },
    });
    created.push(slug);
  }
  return { digest, reports: agents.map(({ report }) => report), created };
}

const otherFiles = new Failure("CONCURRENT_MODIFICATION", {
  en: "the files are not those of the report that was confirmed",
  uk: "файли не ті, що були у підтвердженому звіті",
  hint: { en: "Read the report again, then confirm it.", uk: "Перечитайте звіт і підтвердьте його." },
});
