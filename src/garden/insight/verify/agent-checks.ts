import { joined, type Text } from "../../../base/text.ts";
import { isSlug } from "../../../domain/contract/slug.ts";
import { contractKey, keys, REGISTRY_KEY } from "../../../domain/layout.ts";
import { problemText } from "../../../domain/text/checked-yaml.ts";
import { driftIn, originFile } from "../../records/agents/agent-diagrams.ts";
import { readAgentFile } from "../../records/agents/read-agent.ts";
import { type RegistryEntry, registryEntries, storedRegistry } from "../../records/agents/registry.ts";
import { agentSlugs } from "../../records/status.ts";
import { allAbout, type Check, subjects } from "./check.ts";

const NO_SLUG: Text = {
  en: "the folder name is not a valid agent name, so this is not an agent",
  uk: "тека має назву, якої агент мати не може, тож це не агент",
};

export const contractsCheck: Check = {
  id: "contracts",
  rule: "C-2",
  title: { en: "every contract holds", uk: "кожен контракт чинний" },
  async *run({ store }) {
    if (store.kind === "failed") return;
    for (const slug of await agentSlugs(store.value)) {
      if (!isSlug(slug)) yield { where: `store:${contractKey(slug)}`, what: NO_SLUG };
      const seen = await readAgentFile(store.value, slug);
      if (seen.kind !== "broken") continue;
      const what = joined(
        seen.problems.map((problem) => problemText("_agent.md", problem)),
        "; ",
      );
      yield { where: `store:${contractKey(slug)}`, what, damages: [subjects.contract(slug)] };
    }
  },
};

/**
 * Our own readers repair a wrong registry; it is reported because other programs read the file too. Its counts of runs and pending
 * proposals may lag behind and are not checked.
 */
export const registryCheck: Check = {
  id: "registry",
  rule: "C-8",
  title: { en: "the registry says what the contracts say", uk: "реєстр каже те саме, що й контракти" },
  async *run({ store }) {
    if (store.kind === "failed" || !(await store.value.get(REGISTRY_KEY))) return;
    const there = (await storedRegistry(store.value))?.agents.map(identityOf);
    const files = (await registryEntries(store.value)).map(identityOf);
    const wrong = there && [
      ...there.filter((line) => !files.includes(line)),
      ...files.filter((line) => !there.includes(line)),
    ];
    if (wrong?.length === 0) return;
    const slugs = wrong && [...new Set(wrong.map((line) => line.split(" ")[0]!))];
    const about = slugs ? ` (${slugs.join(", ")})` : "";
    yield {
      where: `store:${REGISTRY_KEY}`,
      follows: slugs ? slugs.map(subjects.contract) : [subjects.object(REGISTRY_KEY)],
      what: {
        en: `does not match the contracts${about}; \`bloom agent list\` writes it again`,
        uk: `не те, що кажуть контракти${about}; \`bloom agent list\` запише його знову`,
      },
    };
  },
};

const identityOf = ({ slug, name, status, version }: RegistryEntry): string => [slug, status, version, name].join(" ");

export const driftCheck: Check = {
  id: "drift",
  rule: "D-6",
  title: { en: "diagrams, pseudocode and contracts agree", uk: "діаграми, псевдокод і контракти збігаються" },
  async *run({ store }) {
    if (store.kind === "failed") return;
    for (const slug of await agentSlugs(store.value)) {
      const seen = await readAgentFile(store.value, slug);
      if (seen.kind !== "agent") continue;
      const { text, contract } = seen.agent;
      const { generated_from: generatedFrom } = contract;
      const about = allAbout(subjects.drawing(slug));
      for (const drift of await driftIn(store.value, { slug, text, generatedFrom })) {
        // D-6 allows an edit by hand that is marked as such.
        if (drift.kind === "by-hand") continue;
        const diagram = keys.diagram(slug, originFile(generatedFrom ?? ""));
        if (!(await store.value.get(diagram))) {
          yield { where: `store:${diagram}`, what: diagramLost, ...about };
          break;
        }
        const key = drift.kind === "pseudocode" ? keys.pseudocode(slug) : contractKey(slug);
        yield { where: `store:${key}`, what: drift.message, ...about };
      }
    }
  },
};

const diagramLost: Text = {
  en: "the contract was generated from this diagram, which is missing; restore it, or export another diagram into the agent",
  uk: "контракт створено з цієї діаграми, а її немає; поверніть її або експортуйте в агента іншу",
};

/** Deletions that a crash interrupted. */
export const deletionCheck: Check = {
  id: "deletions",
  rule: "C-6",
  title: { en: "no deletion was left half done", uk: "жодного видалення не покинуто на півдорозі" },
  async *run({ store }) {
    if (store.kind === "failed") return;
    let after: string | undefined;
    for (;;) {
      const page = await store.value.list("agents/", { limit: 1, ...(after !== undefined && { after }) });
      const slug = page.entries[0]?.key.split("/")[1];
      if (slug === undefined) return;
      if (await store.value.get(keys.agentDeletion(slug)))
        yield {
          where: `store:${keys.agentDeletion(slug)}`,
          what: {
            en: `deleting ${slug} was interrupted; \`bloom agent delete ${slug} --confirm ${slug}\` completes it`,
            uk: `видалення ${slug} перервано; його завершить \`bloom agent delete ${slug} --confirm ${slug}\``,
          },
        };
      after = `agents/${slug}0`; // "0" is the character after "/"
    }
  },
};
