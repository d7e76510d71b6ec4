import { isFailure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import { contractHash } from "../../../domain/contract/contract-file.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { RunRequest } from "../../../domain/run/run.ts";
import { journalId, LOAD_CONTEXT, type LoadedContext, loadedContext } from "../../../domain/run/run-manifest.ts";
import type { StepRecord } from "../../../domain/run/run-step.ts";
import { type Journal, type RunPlace, readJournal } from "../../core/flow/journal.ts";
import type { Chain } from "./chain.ts";
import { type ContractCommit, findContractCommit } from "./contract-commit.ts";
import { iconLink, logicLink } from "./logic-links.ts";
import type { WhyLinkDraft } from "./why-report.ts";

/** The call that made a commit of a session. */
export interface SessionCall {
  readonly place: RunPlace;
  readonly step: number;
  readonly commit: Oid;
}

/**
 * Adds a run with its contract and logic version. With `proposal`, also the step that created it and the icon of that step; with `call`,
 * the step that made the commit of the session instead.
 */
export async function runLinks(
  chain: Chain,
  place: RunPlace,
  depth: number,
  { proposal, call }: { readonly proposal?: Proposal; readonly call?: SessionCall } = {},
): Promise<void> {
  const direction = chain.directionAt(depth);
  const base = {
    kind: "run" as const,
    id: place.run,
    where: `store:${keys.runs(place.slug)}${place.run}/`,
    direction,
    depth,
  };
  const journal = await readable(chain, place);
  if (!journal || journal === "damaged") {
    const what = { en: `run ${place.run} of ${place.slug}`, uk: `запуск ${place.run} агента ${place.slug}` };
    chain.add({ ...base, what, problems: [journal ? damaged : noRun] });
    return;
  }
  const context = contextOf(journal);
  chain.add({ ...base, ...shownRun(place, journal), problems: runProblems(journal, context, proposal) });
  const step = journal.records.find(({ position, proposals, output }) =>
    call ? position === call.step && commitIn(output) === call.commit : proposal && proposals.includes(proposal.id),
  );
  const what = call ? call.commit.slice(0, 10) : proposal?.id;
  if (what !== undefined) chain.add(stepLink(place, step, { id: what }, depth + 1));
  chain.add(await contractLink(chain, place, journal, context, depth + 1));
  if (!context) return;
  const logic = await logicLink(chain, place.slug, context, depth + 1);
  chain.add(logic.link);
  if (step) chain.add(await iconLink(chain, place.slug, step, logic, depth + 2));
}

/** The commit that a call of a session's tool returned. */
const commitIn = (output: unknown): unknown =>
  typeof output === "object" && output !== null && "commit" in output ? output.commit : undefined;

/** Contradictions between journal, manifest and proposal. */
export function runProblems(journal: Journal, context: LoadedContext | undefined, proposal?: Proposal): Text[] {
  const { request, manifest, objects } = journal;
  const problems: Text[] = [];
  if (!request) problems.push(noRequest);
  if (manifest && manifest.journal !== journalId(objects)) problems.push(journalChanged);
  if (proposal?.agent && context) {
    const { version, logic } = proposal.agent;
    if (plain(version) !== plain(context.agent_version) || (logic ?? null) !== context.logic_version) {
      problems.push({
        en: `the proposal says v${plain(version)}, ${logic ?? "no logic version"}; the run says v${plain(context.agent_version)}, ${context.logic_version ?? "no logic version"}`,
        uk: `у пропозиції v${plain(version)}, ${logic ?? "без версії логіки"}; у запуску v${plain(context.agent_version)}, ${context.logic_version ?? "без версії логіки"}`,
      });
    }
  }
  return problems;
}

const plain = (version: string): string => version.replace(/^v/, "");

async function readable({ garden }: Chain, place: RunPlace): Promise<Journal | "damaged" | undefined> {
  if (!/^run_[0-9a-z_-]{1,60}$/.test(place.run)) return undefined;
  try {
    return await readJournal(garden.store, place);
  } catch (error) {
    if (isFailure(error, "INTERNAL_ERROR")) return "damaged";
    throw error;
  }
}

/** The context that the first step of the run recorded. */
export function contextOf({ records }: Journal): LoadedContext | undefined {
  const read = loadedContext.safeParse(records.find(({ name }) => name === LOAD_CONTEXT)?.output);
  return read.success ? read.data : undefined;
}

function shownRun(
  { slug, run }: RunPlace,
  { request, manifest, records }: Journal,
): Pick<WhyLinkDraft, "what" | "at" | "by" | "remarks"> {
  const state = manifest?.status ?? (records.length > 0 ? "running" : "requested");
  const at = manifest?.started_at ?? request?.requested_at;
  return {
    what: {
      en: `run ${run} of ${slug} (${state}, ${records.length} step(s))`,
      uk: `запуск ${run} агента ${slug} (${state}, кроків: ${records.length})`,
    },
    ...(at !== undefined && { at }),
    by: request?.by ?? slug,
    remarks: [
      ...(request?.moved_from ? [movedFrom(request.moved_from)] : []),
      ...(manifest ? [] : [{ en: "it has not ended", uk: "він ще не завершився" }]),
    ],
  };
}

const movedFrom = ({ run, step }: NonNullable<RunRequest["moved_from"]>): Text => ({
  en: `moved from ${run}; steps before ${step + 1}, except the first, were made there, under its contract`,
  uk: `перенесено із ${run}; кроки до ${step + 1}, крім першого, зроблено там, за його контрактом`,
});

export const stepLink = (
  place: RunPlace,
  step: StepRecord | undefined,
  { id }: Pick<Proposal, "id">,
  depth: number,
): WhyLinkDraft => ({
  kind: "step",
  id: step ? `${step.position}-${step.name}` : "?",
  where: step
    ? `store:${keys.runStep(place.slug, place.run, step.position, step.name)}`
    : `store:${keys.runSteps(place.slug, place.run)}`,
  direction: "because",
  depth,
  what: step
    ? {
        en: `step ${step.position} ${step.name} (${step.kind})`,
        uk: `крок ${step.position} ${step.name} (${step.kind})`,
      }
    : { en: `the step that made ${id}`, uk: `крок, що створив ${id}` },
  ...(step && { at: step.finished_at }),
  problems: step ? [] : [noStep],
});

async function contractLink(
  { garden }: Chain,
  { slug, run }: RunPlace,
  journal: Journal,
  context: LoadedContext | undefined,
  depth: number,
): Promise<WhyLinkDraft> {
  const base = { kind: "contract" as const, id: slug, direction: "because" as const, depth };
  if (!context) {
    const what = { en: `the contract of ${slug} at that time`, uk: `контракт ${slug} на той час` };
    return { ...base, where: `store:${keys.runSteps(slug, run)}`, what, problems: [noContext] };
  }
  const hash = contractHash(context.contract);
  const claimed = [context.contract_hash, ...(journal.manifest ? [journal.manifest.contract_hash] : [])];
  const now = await garden.store.get(contractKey(slug));
  const changed = now && contractHash(Buffer.from(now.bytes).toString()) !== hash;
  const origin = await findContractCommit(garden, slug, { hash, pinned: context.garden_commit });
  return {
    ...base,
    where: `store:${keys.runStep(slug, run, 1, LOAD_CONTEXT)}`,
    what: {
      en: `contract of ${slug} v${plain(context.agent_version)} (${hash.slice(0, 10)})`,
      uk: `контракт ${slug} v${plain(context.agent_version)} (${hash.slice(0, 10)})`,
    },
    ...(origin && { commit: origin.commit, by: origin.by, at: origin.at }),
    remarks: [origin ? broughtBy(origin) : inNoCommit, ...(now ? (changed ? [changedSince] : []) : [goneSince])],
    problems: claimed.every((claim) => claim === hash) ? [] : [otherContract],
  };
}

const damaged: Text = { en: "its records are damaged", uk: "його записи пошкоджено" };
const noRun: Text = { en: "there is no record of this run", uk: "записів цього запуску немає" };
const noRequest: Text = {
  en: "its request is missing: nothing says who asked for it",
  uk: "ніде не сказано, хто його просив",
};
const noStep: Text = { en: "no step of the run names it", uk: "жоден крок запуску цього не каже" };
const noContext: Text = {
  en: "the run has no record of its contract",
  uk: "запуск не має запису про контракт, з яким почався",
};
const journalChanged: Text = {
  en: "its steps were changed after the run ended: something was added, removed or edited",
  uk: "його кроки не ті, з якими він завершився: щось додано, прибрано або змінено",
};
const otherContract: Text = {
  en: "the recorded contract does not match its hash",
  uk: "записаний контракт не відповідає своєму хешу",
};
const broughtBy = ({ commit, by, later }: ContractCommit): Text => ({
  en: `last changed by ${by}, commit ${commit.slice(0, 10)}${later ? " (not yet committed when the run began)" : ""}`,
  uk: `востаннє змінив ${by}, коміт ${commit.slice(0, 10)}${later ? " (на початку запуску ще не закомічено)" : ""}`,
});
const inNoCommit: Text = { en: "no commit has this contract", uk: "жоден коміт не має цього контракту" };
const changedSince: Text = { en: "the contract was changed since", uk: "відтоді контракт змінено" };
const goneSince: Text = { en: "the agent was deleted since", uk: "відтоді агента видалено" };
