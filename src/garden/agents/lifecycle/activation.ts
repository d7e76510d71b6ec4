import { Failure } from "../../../base/failure.ts";
import { joined, type Text, verbatim } from "../../../base/text.ts";
import { checkModel, isOfflineModel, modelAddress } from "../../../domain/config/model-registry.ts";
import { noModelAddress, SAY_UNLISTED } from "../../../domain/config/model-words.ts";
import type { Contract } from "../../../domain/contract/contract.ts";
import { contractFile, frontFields } from "../../../domain/contract/contract-file.ts";
import { missingAbility } from "../../../domain/contract/contract-rules.ts";
import { contractKey } from "../../../domain/layout.ts";
import type { YamlProblem } from "../../../domain/text/checked-yaml.ts";
import type { Finding } from "../../../drakon/finding.ts";
import type { Garden } from "../../core/garden.ts";
import { driftIn, readDiagrams } from "../../records/agents/agent-diagrams.ts";
import type { GateCheck } from "../../records/agents/gate-check.ts";
import { type AgentFileReading, problemsText, readAgentFile } from "../../records/agents/read-agent.ts";
import { checkStatically } from "../../records/agents/static-check.ts";
import { agentSlugs } from "../../records/status.ts";

/**
 * The activation checks (C-4): the table of source 001 §7, whose last row is a warning, then the checks of the diagram. Runs all checks,
 * also on an invalid contract.
 */
export interface ActivationReport {
  readonly slug: string;
  readonly ready: boolean;
  readonly checks: readonly GateCheck[];
  readonly problems: readonly YamlProblem[];
  readonly findings: readonly (Finding & { readonly file: string })[];
}

export async function activationReport(
  garden: Pick<Garden, "store"> & { readonly config: Pick<Garden["config"], "models"> },
  slug: string,
  sight?: AgentFileReading,
): Promise<ActivationReport> {
  const seen = sight ?? (await readAgentFile(garden.store, slug));
  if (seen.kind === "absent") {
    return { slug, ready: false, problems: [], findings: [], checks: [fails("exists", nothingThere(slug))] };
  }
  const contract = seen.kind === "agent" ? seen.agent.contract : undefined;
  const front = seen.kind === "agent" ? seen.agent.contract : rawFront(seen);
  const problems = seen.kind === "broken" ? seen.problems : [];
  const checks: GateCheck[] = [
    passes("exists", verbatim(contractKey(slug))),
    problems.length === 0 ? passes("front-matter", EVERY_FIELD) : fails("front-matter", problemsText(slug, problems)),
    await slugRow(garden, slug, front.slug),
    listRow("tools", front.tools),
    listRow("safe-outputs", front.safe_outputs),
    modelRow(front, garden.config.models),
    outputToolRow(front),
    bodyRow(bodyOf(seen)),
  ];
  const statics = contract && checkStatically(contract, await readDiagrams(garden.store, slug));
  if (statics) checks.push(...statics.rows);
  if (seen.kind === "agent" && contract?.generated_from !== undefined) {
    const drift = await driftIn(garden.store, { slug, text: seen.agent.text, generatedFrom: contract.generated_from });
    const words = joined(
      drift.map(({ message }) => message),
      "; ",
    );
    checks.push(drift.length === 0 ? passes("drift", SAME) : { ...passes("drift", words), result: "warning" });
  }
  const ready = !checks.some(({ result }) => result === "fail");
  return { slug, ready, checks, problems, findings: statics?.findings ?? [] };
}

/** Throws VALIDATION_FAILED with every failed check. */
export function expectReady({ slug, ready, checks, problems }: ActivationReport): void {
  if (ready) return;
  const failed = checks.filter(({ result }) => result === "fail");
  const lines = failed.map(({ title, words }) => ({ en: `${title.en}: ${words.en}`, uk: `${title.uk}: ${words.uk}` }));
  const head: Text = { en: `${slug} cannot be activated`, uk: `${slug} не можна активувати` };
  throw new Failure("VALIDATION_FAILED", {
    ...joined([head, ...lines], "\n"),
    hint: {
      en: `\`bloom agent check ${slug}\` shows the whole table.`,
      uk: `Усю таблицю покаже \`bloom agent check ${slug}\`.`,
    },
    details: { agent: slug, checks, problems },
  });
}

/** The fields of an invalid contract that have the right type. */
function rawFront(seen: Extract<AgentFileReading, { kind: "broken" }>): Pick<
  Contract,
  "slug" | "model" | "model_unlisted"
> & {
  readonly tools: readonly string[];
  readonly safe_outputs: readonly string[];
} {
  const file = contractFile(textOf(seen));
  const front: Readonly<Record<string, unknown>> = (file && frontFields(file)) ?? {};
  const text = (field: string): string => (typeof front[field] === "string" ? front[field] : "");
  const texts = (field: string): string[] => {
    const value = front[field];
    return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
  };
  return {
    slug: text("slug"),
    model: text("model"),
    model_unlisted: front["model_unlisted"] === true,
    tools: texts("tools"),
    safe_outputs: texts("safe_outputs"),
  };
}

/** The folder name is the slug: two agents clash if the contract of one claims the slug of the other. */
async function slugRow({ store }: Pick<Garden, "store">, slug: string, written: string): Promise<GateCheck> {
  if (written !== slug)
    return fails("slug", { en: `the file says ${written || "–"}`, uk: `у файлі ${written || "–"}` });
  for (const other of await agentSlugs(store)) {
    if (other === slug) continue;
    const seen = await readAgentFile(store, other);
    if (seen.kind === "broken" && rawFront(seen).slug === slug)
      return fails("slug", { en: `agents/${other}/ claims it too`, uk: `agents/${other}/ теж його має` });
  }
  return passes("slug", verbatim(slug));
}

const listRow = (id: "tools" | "safe-outputs", names: readonly string[]): GateCheck =>
  names.length > 0 ? passes(id, verbatim(names.join(", "))) : fails(id, { en: "none", uk: "немає" });

/** R-2, C-2a: an id that the list does not know cannot be activated, unless the owner says that it is newer than the list. */
function modelRow(
  { model, model_unlisted }: Pick<Contract, "model" | "model_unlisted">,
  endpoints: Garden["config"]["models"],
): GateCheck {
  if (model === "") return fails("model", { en: "none", uk: "немає" });
  const checked = checkModel(model, endpoints);
  if (checked.kind === "unknown") return fails("model", checked.words);
  if (!isOfflineModel(model) && !modelAddress(checked.provider, endpoints))
    return fails("model", noModelAddress(checked.provider, checked.keyEnv));
  if (checked.kind === "known") return passes("model", checked.words);
  if (model_unlisted === true) return { ...passes("model", checked.words), result: "warning" };
  return fails("model", { en: checked.words.en + SAY_UNLISTED.en, uk: checked.words.uk + SAY_UNLISTED.uk });
}

function outputToolRow(front: {
  readonly tools: readonly string[];
  readonly safe_outputs: readonly string[];
}): GateCheck {
  const lack = missingAbility(front);
  if (!lack) return passes("safe-output-tool", CAN_PROPOSE);
  return fails("safe-output-tool", {
    en: `${lack.field}: ${lack.found.en}; expected ${lack.expected.en}`,
    uk: `${lack.field}: ${lack.found.uk}; потрібно: ${lack.expected.uk}`,
  });
}

const bodyRow = (body: string): GateCheck =>
  body.trim() === ""
    ? {
        ...passes("body", { en: "empty: the agent has no instructions", uk: "порожньо: агент не має інструкцій" }),
        result: "warning",
      }
    : passes("body", { en: `${body.trim().length} characters`, uk: `символів: ${body.trim().length}` });

const textOf = (seen: Extract<AgentFileReading, { kind: "broken" }>): string => new TextDecoder().decode(seen.bytes);

function bodyOf(seen: Exclude<AgentFileReading, { kind: "absent" }>): string {
  if (seen.kind === "agent") return seen.agent.body;
  const file = contractFile(textOf(seen));
  return file ? file.text.slice(file.bodyStart) : "";
}

type Row = Exclude<GateCheck["id"], "diagram" | "reachable" | "loops" | "tools-used" | "outputs-used" | "steps">;
const passes = (id: Row, words: Text): GateCheck => ({ id, title: titles[id], result: "pass", words });
const fails = (id: Row, words: Text): GateCheck => ({ id, title: titles[id], result: "fail", words });

const titles: Readonly<Record<Row, Text>> = {
  exists: { en: "_agent.md exists", uk: "_agent.md існує" },
  "front-matter": { en: "the front matter is valid", uk: "front matter валідний" },
  slug: { en: "the slug is unique", uk: "slug унікальний" },
  tools: { en: "tools[] is not empty", uk: "tools[] не порожній" },
  "safe-outputs": { en: "safe_outputs[] is not empty", uk: "safe_outputs[] не порожній" },
  model: { en: "the model is known", uk: "model валідний" },
  "safe-output-tool": { en: "a safe-output tool is there", uk: "safe-output tool присутній" },
  body: { en: "the Markdown body is not empty", uk: "Markdown body непорожній" },
  drift: { en: "diagram, pseudocode and body agree", uk: "діаграма, псевдокод і body збігаються" },
};

const nothingThere = (slug: string): Text => ({
  en: `${contractKey(slug)} is missing`,
  uk: `${contractKey(slug)} немає`,
});
const EVERY_FIELD: Text = { en: "every field", uk: "усі поля" };
const CAN_PROPOSE: Text = { en: "every allowed action has its tool", uk: "може пропонувати дозволене" };
const SAME: Text = { en: "they agree", uk: "так" };
