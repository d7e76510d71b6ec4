import { createHash } from "node:crypto";
import type { Language, Text } from "../../../base/text.ts";
import { readContract } from "../../../domain/contract/contract.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { grantRows, widenings } from "../../../domain/import/grants.ts";
import type { ImportDraft, ImportFormat, NoDraft } from "../../../domain/import/import-draft.ts";
import { countFates, type FateCounts, type GrantRow, type ImportEntry } from "../../../domain/import/import-report.ts";
import { contractKey } from "../../../domain/layout.ts";
import type { Garden } from "../../core/garden.ts";
import { packagedSlug } from "../lifecycle/agent-package.ts";
import { secondsOf } from "../lifecycle/change-status.ts";
import { fromPackage } from "../lifecycle/copied-files.ts";
import type { FirstFiles } from "../lifecycle/first-files.ts";
import { type DraftFiles, type DraftWish, draftFiles } from "./draft-files.ts";
import { readImportSource } from "./read-import-source.ts";
import { type OwnSkill, ownSkill } from "./restored-skill.ts";

export interface ImportRequest {
  readonly format: ImportFormat;
  /** The files of the source, by path below one folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The files that describe agents. */
  readonly mains: readonly string[];
  /** Links and files that are too large, which were not read. */
  readonly skipped?: readonly string[] | undefined;
  readonly language: Language;
  readonly model?: string | undefined;
  /** Slugs that the owner chose, by file. */
  readonly slugs?: Readonly<Record<string, string>> | undefined;
  /** Use the proposed free names where a name is in use. */
  readonly rename?: boolean | undefined;
}

/** The report on one file. */
export interface ImportReport {
  readonly file: string;
  readonly format: ImportFormat;
  /** `agent`: a draft agent can be created; `clash`: its name is in use. */
  readonly outcome: "agent" | "clash" | "component" | "refused";
  readonly slug?: string;
  /** A name that is free, if `slug` is in use. */
  readonly free_slug?: string;
  readonly name?: string;
  readonly counts: FateCounts;
  readonly entries: readonly ImportEntry[];
  readonly grants: readonly GrantRow[];
  /** Things to decide before the agent can be activated. */
  readonly missing: readonly Text[];
  /** Icons of the first diagram; 0: instructions in prose. */
  readonly icons: number;
  readonly contract?: string;
}

export interface PlannedAgent {
  readonly report: ImportReport;
  readonly files?: FirstFiles;
  /** The agent's own files came back, so nothing is added to them. */
  readonly isRestored?: boolean;
}

export interface ImportPlan {
  /** The digest of what was read: a confirmation names it. */
  readonly digest: string;
  readonly agents: readonly PlannedAgent[];
}

/** Reads the files and says what each would become. Changes nothing. */
export async function planImport(
  { store, world }: Pick<Garden, "store" | "world">,
  request: ImportRequest,
): Promise<ImportPlan> {
  const at = secondsOf(world.now());
  const used = new Set<string>();
  const isUsed = async (slug: string): Promise<boolean> =>
    used.has(slug) || (await store.get(contractKey(slug))) !== undefined;
  const agents: PlannedAgent[] = [];
  for (const file of request.mains) {
    const own = request.format === "skill" ? ownSkill(request.files, file) : undefined;
    const draft = own ? undefined : readDraft(request, file);
    if (draft && draft.kind !== "draft") {
      agents.push({ report: withoutAgent(draft) });
      continue;
    }
    const wished = request.slugs?.[file] ?? (own ? packagedSlug(own.packed) : draft!.slug);
    const taken = await isUsed(wished);
    const free = taken ? await freeSlug(wished, isUsed) : wished;
    const slug = taken && request.rename ? free : wished;
    const wish = { slug, at, language: request.language, model: request.model };
    const planned = own ? restoredAgent(own, file, wish) : plannedAgent(draft!, slug, draftFiles(draft!, wish));
    const clash = taken && !request.rename;
    const report =
      clash && planned.report.outcome === "agent"
        ? { ...planned.report, outcome: "clash" as const, free_slug: free }
        : planned.report;
    if (report.outcome === "agent") used.add(slug);
    agents.push({ ...planned, report });
  }
  return { digest: digestOf(request), agents };
}

const readDraft = ({ format, files, language, skipped = [] }: ImportRequest, file: string): ImportDraft | NoDraft =>
  readImportSource(
    format,
    { file, language },
    { read: (path) => files.get(path), paths: () => [...files.keys()], skipped },
  );

/** The agent, unless its contract is invalid or allows more than the source did: then it is refused with the reasons. */
function plannedAgent(draft: ImportDraft, slug: string, made: DraftFiles): PlannedAgent {
  const base = { file: draft.file, format: draft.format, slug, name: draft.name, missing: draft.missing };
  const wrong = made.kind === "invalid" ? made.why : widenings(draft.grants, made.contract);
  const refusals = wrong.map(
    (why): ImportEntry => ({ file: draft.file, line: 1, key: "_agent.md", fate: "refused", why }),
  );
  const entries = [...draft.entries, ...refusals];
  const counts = countFates(entries);
  if (made.kind === "invalid" || wrong.length > 0)
    return { report: { ...base, outcome: "refused", counts, entries, grants: [], icons: 0 } };
  const { files, contract, icons } = made;
  const grants = grantRows(draft.grants, contract, draft.taken);
  return { files, report: { ...base, outcome: "agent", counts, entries, grants, icons, contract: files.contract } };
}

/** An agent of a garden that comes back as a skill: its own files, as a draft. */
function restoredAgent({ packed, entries }: OwnSkill, file: string, wish: DraftWish): PlannedAgent {
  const { slug, language, model, at } = wish;
  const files = fromPackage(
    { slug, language, model, by: commandLineOwner, from: { kind: "file", text: packed } },
    packed,
    at,
  );
  const reading = readContract(Buffer.from(files.contract));
  const name = reading.kind === "contract" ? reading.contract.name : slug;
  const base = { file, format: "skill", outcome: "agent", slug, name, grants: [], missing: [], icons: 0 } as const;
  return {
    files,
    report: { ...base, counts: countFates(entries), entries, contract: files.contract },
    isRestored: true,
  };
}

const withoutAgent = ({ kind, file, format, entries }: NoDraft): ImportReport => ({
  file,
  format,
  outcome: kind,
  counts: countFates(entries),
  entries,
  grants: [],
  missing: [],
  icons: 0,
});

async function freeSlug(slug: string, isUsed: (slug: string) => Promise<boolean>): Promise<string> {
  for (let number = 2; ; number++) {
    const next = `${slug.slice(0, 59).replace(/-+$/, "")}-${number}`;
    if (!(await isUsed(next))) return next;
  }
}

function digestOf({ format, files, mains }: ImportRequest): string {
  const hash = createHash("sha256").update(JSON.stringify([format, mains]));
  for (const [path, bytes] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(JSON.stringify([path, bytes.length])).update(bytes);
  return hash.digest("hex");
}
