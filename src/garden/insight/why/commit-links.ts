import type { Text } from "../../../base/text.ts";
import { CHANGED_BY, GATEWAY } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { trailerOf } from "../../../domain/git/trailers.ts";
import { keys } from "../../../domain/layout.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { KeptWords } from "../../../domain/why/kept-words.ts";
import type { Commit } from "../../../ports/repo.ts";
import { claimedProposal } from "./approved-words.ts";
import type { Chain } from "./chain.ts";
import { commitClaims, commitLink, commitsMadeBy, falseTrailers, isOnMain } from "./commit-facts.ts";
import { findKeptWords } from "./kept-words.ts";
import { fromPeer, peerWorkOf } from "./peer-work.ts";
import { proposalLinks } from "./proposal-links.ts";
import { runLinks, type SessionCall } from "./run-links.ts";
import { inSession, traceLink } from "./session-links.ts";
import { type SessionOrigin, sessionOrigin } from "./session-origin.ts";
import type { WhyLinkDraft } from "./why-report.ts";

/** Adds a commit and its cause: a proposal, a person, or bookkeeping. */
export async function commitLinks(
  chain: Chain,
  oid: Oid,
  depth: number,
  known: { readonly onMain?: boolean; readonly beside?: readonly Text[]; readonly call?: SessionCall } = {},
): Promise<void> {
  const { repo, store } = chain.garden;
  const commit = await repo.commit(oid);
  const onMain = known.onMain ?? (await isOnMain(repo, oid));
  const remarks = [...(onMain ? [] : [notOnMain]), ...(known.beside ?? [])];
  const claims = commitClaims(commit);
  const byGateway = commit.committer.email === GATEWAY.email;
  const base = { ...commitLink(commit), depth, direction: chain.directionAt(depth), remarks };

  const work = await peerWorkOf(chain.garden, commit);
  if (work) {
    chain.add({ ...base, remarks: [...remarks, fromPeer(work.origin)] });
    return commitLinks(chain, work.merge, depth + 1, { onMain: true });
  }
  if (claims.proposals.length === 0) {
    const origin = byGateway && !claims.bookkeeping ? await sessionOrigin(repo, commit) : undefined;
    if (origin) return sessionLinks(chain, commit, origin, { ...base, remarks: [...remarks, ...inSession(origin)] });
    if (byGateway && claims.contracts.length === 1) {
      chain.add(base);
      chain.add(contractChange(commit, claims.contracts[0]!, depth + 1));
      return;
    }
    if (byGateway && !claims.bookkeeping) {
      chain.add({ ...base, problems: [namesNothing] });
      return;
    }
    chain.add(base);
    chain.add(claims.bookkeeping && byGateway ? bookkeeping(commit, depth + 1) : byHand(commit, depth + 1));
    return;
  }
  const [id, second] = claims.proposals;
  const proposal = await claimedProposal(chain.garden, commit);
  if (!proposal) {
    chain.add(base);
    chain.add({
      kind: "proposal",
      id: id!,
      where: `store:${keys.proposalLogs}${id!}/`,
      direction: "because",
      depth: depth + 1,
      what: { en: `proposal ${id}, named by the commit`, uk: `пропозиція ${id}, яку він називає` },
      problems: [second === undefined ? noSuchProposal : severalProposals],
    });
    return;
  }
  const made = commitsMadeBy(proposal);
  const isItsOwn = made.includes(oid);
  const problems = isItsOwn
    ? [...(byGateway ? [] : [notByGateway(commit)]), ...falseTrailers(commit, proposal)]
    : [copied(proposal, made)];
  const kept = problems.length === 0 ? undefined : await findKeptWords(store, proposal.id, oid);
  chain.add(kept ? { ...base, remarks: [...remarks, ...problems, keptBecause(kept)] } : { ...base, problems });
  if (!isItsOwn) return;
  await proposalLinks(chain, proposal, depth + 1, { results: false, ...(known.call && { call: known.call }) });
}

/**
 * A commit of a session is a part of main because the session was merged: its trace, the merge with its proposal and decision, and the run
 * with the step that made this commit. A sub-agent's run is another one than that of the proposal.
 */
async function sessionLinks(
  chain: Chain,
  commit: Commit,
  { call, merge }: SessionOrigin,
  link: WhyLinkDraft,
): Promise<void> {
  chain.add(link);
  const depth = link.depth + 1;
  await traceLink(chain, commit, depth);
  const made = call && { ...call, commit: commit.oid };
  if (merge !== undefined) await commitLinks(chain, merge, depth, { onMain: true, ...(made && { call: made }) });
  const { run } = call?.place ?? {};
  if (made && !chain.links.some(({ kind, id }) => kind === "run" && id === run))
    await runLinks(chain, made.place, depth, { call: made });
}

/** G-1a: a change of an agent's files names who made it, and the proposal or run behind it. */
function contractChange(commit: Commit, slug: string, depth: number) {
  const by = trailerOf(commit.message, CHANGED_BY) ?? commit.author.name;
  const cause = trailerOf(commit.message, "Cause") ?? trailerOf(commit.message, "Run");
  return {
    kind: "person" as const,
    id: by,
    where: commit.oid,
    direction: "because" as const,
    depth,
    what: {
      en: `the files of ${slug} were changed by ${by}${cause === undefined ? "" : `, for ${cause}`}`,
      uk: `файли агента ${slug} змінив ${by}${cause === undefined ? "" : `, через ${cause}`}`,
    },
  };
}

const byHand = (commit: Commit, depth: number) => ({
  kind: "person" as const,
  id: commit.author.name,
  where: commit.oid,
  direction: "because" as const,
  depth,
  what: {
    en: `a human edit by ${commit.author.name} <${commit.author.email}>: no proposal`,
    uk: `правка людини: ${commit.author.name} <${commit.author.email}>, без пропозиції`,
  },
});

const bookkeeping = (commit: Commit, depth: number) => ({
  kind: "bookkeeping" as const,
  id: commit.oid,
  where: commit.oid,
  direction: "because" as const,
  depth,
  what: {
    en: "bookkeeping of the gateway: files derived from the records",
    uk: "облік шлюзу: файли, що випливають із записів",
  },
});

const notOnMain: Text = { en: "it is not on main", uk: "його немає на main" };
const namesNothing: Text = {
  en: "a commit of the gateway that names no proposal",
  uk: "коміт шлюзу, що не називає жодної пропозиції",
};
const noSuchProposal: Text = { en: "there is no such proposal", uk: "такої пропозиції немає" };
const severalProposals: Text = { en: "it names more than one proposal", uk: "він називає кілька пропозицій" };
const copied = ({ id }: Proposal, made: readonly Oid[]): Text => ({
  en: `it names ${id}, but the record of that proposal names ${made[0]?.slice(0, 10) ?? "no commit"}: the trailer was copied or forged`,
  uk: `він каже, що походить із ${id}, але запис тієї пропозиції називає ${made[0]?.slice(0, 10) ?? "жодного коміту"}: рядок скопійовано або підроблено`,
});
const keptBecause = ({ by, at, reason }: KeptWords): Text => ({
  en: `kept by ${by} on ${at.slice(0, 10)}: ${reason}`,
  uk: `лишено (${by}, ${at.slice(0, 10)}): ${reason}`,
});
const notByGateway = ({ committer }: Commit): Text => ({
  en: `committed by ${committer.name} <${committer.email}>, not by the gateway`,
  uk: `його закомітив не шлюз, а ${committer.name} <${committer.email}>`,
});
