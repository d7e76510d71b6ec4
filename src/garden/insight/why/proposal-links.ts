import type { Text } from "../../../base/text.ts";
import { keys } from "../../../domain/layout.ts";
import { type Proposal } from "../../../domain/proposal/proposal.ts";
import { digestOf, reviewDigest } from "../../../domain/proposal/proposal-digest.ts";
import type { Garden } from "../../core/garden.ts";
import { findAgent } from "../../records/agents/read-agent.ts";
import type { Chain } from "./chain.ts";
import { commitClaims, commitLink, findCommit, isOnMain } from "./commit-facts.ts";
import { runLinks, type SessionCall } from "./run-links.ts";
import type { WhyLink } from "./why-report.ts";

/** Adds a proposal, its decision, its origin and, with `results`, its commit or object. */
export async function proposalLinks(
  chain: Chain,
  proposal: Proposal,
  depth: number,
  { results, call }: { readonly results: boolean; readonly call?: SessionCall },
): Promise<void> {
  chain.add({
    ...proposalLink(proposal),
    depth,
    direction: chain.directionAt(depth),
    problems: proposalProblems(proposal),
  });
  addDecision(chain, proposal, depth + 1);
  await addOrigin(chain, proposal, depth + 1, call);
  if (results) await resultLinks(chain, proposal, depth + 1);
}

/** Adds the commit or object of an applied proposal, and checks that it names the proposal. */
export async function resultLinks(chain: Chain, proposal: Proposal, depth: number): Promise<void> {
  const { repo, store } = chain.garden;
  const result = proposal.apply_result;
  if (proposal.status !== "applied" || !result) return;
  if (result.git_commit !== undefined) {
    const oid = result.git_commit;
    const commit = await findCommit(repo, oid);
    const base = { kind: "commit" as const, id: oid, where: oid, direction: "led-to" as const, depth };
    if (!commit) chain.add({ ...base, what: commitText(oid), problems: [noCommit] });
    else {
      const reachable = await isOnMain(repo, oid);
      const named = commitClaims(commit).proposals;
      const problems = [
        ...(reachable ? [] : [unreachable]),
        ...(named.length === 1 && named[0] === proposal.id ? [] : [namesAnother(named)]),
      ];
      chain.add({ ...commitLink(commit), direction: "led-to", depth, problems });
    }
  }
  if (result.object_path !== undefined) {
    const there = await store.get(result.object_path);
    chain.add({
      kind: "object",
      id: result.object_path,
      where: `store:${result.object_path}`,
      direction: "led-to",
      depth,
      what: { en: `object ${result.object_path}`, uk: `об'єкт ${result.object_path}` },
      problems: there ? [] : [noObject],
    });
  }
}

export const proposalLink = (proposal: Proposal): Omit<WhyLink, "depth" | "direction" | "problems"> => ({
  kind: "proposal",
  id: proposal.id,
  where: `store:${keys.proposalLog(proposal.id)}`,
  what: {
    en: `proposal ${proposal.id} (${proposal.status}): ${proposal.action} ${proposal.target}, “${proposal.summary}”`,
    uk: `пропозиція ${proposal.id} (${proposal.status}): ${proposal.action} ${proposal.target}, «${proposal.summary}»`,
  },
  at: proposal.created_at,
  by: proposal.source.identity,
  remarks: [
    ...(proposal.edits === undefined ? [] : [editsText(proposal.edits)]),
    ...(proposal.reverts === undefined ? [] : [revertsText(proposal.reverts)]),
    ...(proposal.apply_result?.error ? [failedText(proposal.apply_result.error.message)] : []),
  ],
});

/** Recomputes the digest: any later change of the operation is a problem. */
export function proposalProblems(proposal: Proposal): Text[] {
  return digestOf(proposal) === proposal.digest ? [] : [otherDigest];
}

export function decisionProblems(proposal: Proposal): Text[] {
  const { approval } = proposal;
  if (!approval || approval.decision === "rejected" || approval.decision === "expired") return [];
  return approval.digest === reviewDigest(proposal, approval.effect) ? [] : [otherDecision];
}

function addDecision(chain: Chain, proposal: Proposal, depth: number): void {
  const { approval } = proposal;
  const base = {
    kind: "decision" as const,
    id: proposal.id,
    where: `store:${keys.proposalLog(proposal.id)}`,
    direction: "because" as const,
    depth,
  };
  if (!approval) {
    chain.add({ ...base, what: undecided });
    return;
  }
  const { decision, decided_by: by, decided_at: at, decision_note: note } = approval;
  const said = note === undefined ? "" : `: ${note}`;
  chain.add({
    ...base,
    what: { en: `${decisionWords[decision].en} by ${by}${said}`, uk: `${decisionWords[decision].uk}: ${by}${said}` },
    at,
    by,
    problems: decisionProblems(proposal),
  });
}

const decisionWords: Readonly<Record<NonNullable<Proposal["approval"]>["decision"], Text>> = {
  approved: { en: "approved", uk: "схвалено" },
  auto_approved: { en: "approved by a rule", uk: "схвалено правилом" },
  rejected: { en: "rejected", uk: "відхилено" },
  expired: { en: "expired, closed", uk: "термін минув, закрито" },
};

async function addOrigin(chain: Chain, proposal: Proposal, depth: number, call?: SessionCall): Promise<void> {
  const { source } = proposal;
  if (source.type === "agent" && source.token === undefined) {
    const isSameRun = call?.place.run === source.run_id;
    const about = { proposal, ...(call && isSameRun && { call }) };
    await runLinks(chain, { slug: source.identity, run: source.run_id ?? "" }, depth, about);
    return;
  }
  chain.add({
    kind: "person",
    id: source.identity,
    where: `store:${keys.proposalLog(proposal.id)}`,
    direction: "because",
    depth,
    what:
      source.token === undefined
        ? { en: `asked for by ${source.identity}`, uk: `просив ${source.identity}` }
        : {
            en: `asked for by ${source.identity} from outside, with its token ${source.token}`,
            uk: `просив ${source.identity} ззовні, зі своїм токеном ${source.token}`,
          },
    at: source.timestamp,
    by: source.identity,
    ...(source.grant !== undefined && {
      remarks: [await grantText(chain.garden, source.identity, source.grant)],
    }),
  });
}

/** The grant of an outside agent: its contract, if that is still the one by which it asked. */
async function grantText({ store }: Pick<Garden, "store">, slug: string, hash: string): Promise<Text> {
  const agent = await findAgent(store, slug).catch(() => undefined);
  if (agent?.contractHash !== hash)
    return {
      en: `its grant was contract ${hash.slice(0, 10)}, which was changed since`,
      uk: `її дозвіл — контракт ${hash.slice(0, 10)}, відтоді змінений`,
    };
  const { safe_outputs, context, budget, proposes } = agent.contract;
  const folder = proposes === "folder" ? context.folder : undefined;
  const rate = budget.changes_per_minute;
  const named = safe_outputs.join(", ");
  return {
    en: `its grant: ${named}${folder === undefined ? "" : ` in ${folder}`}${rate === undefined ? "" : `, at most ${rate} a minute`}`,
    uk: `її дозвіл: ${named}${folder === undefined ? "" : ` у ${folder}`}${rate === undefined ? "" : `, не більше ${rate} за хвилину`}`,
  };
}

const commitText = (oid: string): Text => ({ en: `commit ${oid.slice(0, 10)}`, uk: `коміт ${oid.slice(0, 10)}` });
const editsText = (id: string): Text => ({ en: `an edited copy of ${id}`, uk: `відредагована копія ${id}` });
const revertsText = (id: string): Text => ({ en: `reverts ${id}`, uk: `скасовує ${id}` });
const failedText = ({ en, uk }: Text): Text => ({ en: `not applied: ${en}`, uk: `не застосовано: ${uk}` });
const undecided: Text = { en: "not decided yet", uk: "рішення ще немає" };
const otherDigest: Text = {
  en: "its record was changed after it was created: the digest does not match",
  uk: "його запис змінено після створення: дайджест інший",
};
const otherDecision: Text = {
  en: "the decision names another digest than this proposal has",
  uk: "рішення стосується іншого дайджесту, ніж має ця пропозиція",
};
const noCommit: Text = { en: "the repository has no such commit", uk: "у сховищі git немає такого коміту" };
const unreachable: Text = { en: "it is no longer on main", uk: "його вже немає на main" };
const namesAnother = (named: readonly string[]): Text => ({
  en: `it does not name this proposal, but ${named.join(", ") || "none"}`,
  uk: `він називає не цю пропозицію: ${named.join(", ") || "жодної"}`,
});
const noObject: Text = { en: "the store has no such object", uk: "у сховищі немає такого об'єкта" };
