import { isFailure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import { readGardenConfig } from "../../../domain/config/garden-config.ts";
import { bookkeepingOf, contractCommitOf, GATEWAY } from "../../../domain/git/gateway-commit.ts";
import { isOid } from "../../../domain/git/git-names.ts";
import { agentFileKey, keys, logicPath, TRACE_REF, TRACE_TEXTS, tree } from "../../../domain/layout.ts";
import { onlyAnalysis } from "../../../domain/logic/logic-analysis.ts";
import { LOGIC_ATTRIBUTES } from "../../../domain/logic/logic-attributes.ts";
import { withoutResults } from "../../../domain/logic/logic-changelog.ts";
import { decodeTypedCommit } from "../../../domain/session/typed-commit.ts";
import { isReadableKey } from "../../../domain/store-key.ts";
import type { Commit, Repo } from "../../../ports/repo.ts";
import type { Store } from "../../../ports/store.ts";
import { isFollowUp } from "../../changes/logic/notice-revert.ts";
import { logicTextAt } from "../../records/logic/logic-state.ts";
import { ANALYSES } from "../../records/logic/record-analysis.ts";
import { metaToKeep, onlyFigures, STATISTICS } from "../learning/statistics.ts";
import { RESULTS } from "../learning/watch-versions.ts";
import { commitClaims, commitsMadeBy, falseTrailers, subjectLine } from "../why/commit-facts.ts";
import { findKeptWords } from "../why/kept-words.ts";
import { type Check, subjects } from "./check.ts";
import type { ScannedProposal } from "./scan.ts";

export const commitsCheck: Check = {
  id: "commits",
  rule: "P-8",
  title: { en: "every commit of the gateway has its proposal", uk: "кожен коміт шлюзу має свою пропозицію" },
  async *run({ store, repo }, scan) {
    if (store.kind === "failed" || repo.kind === "failed") return;
    const proposals = await scan.proposals();
    const commits = await scan.commits();
    const onMain = new Set(commits.map(({ oid }) => oid));
    const ofSessions = mergedSessions(commits, proposals);
    const claiming = commits.filter(
      (commit) =>
        commitClaims(commit).proposals.length > 0 ||
        (byGateway(commit) && !(ofSessions.has(commit.oid) && decodeTypedCommit(commit.message))),
    );
    // A clone has no store: one finding, not one per commit.
    const decided = claiming.filter((commit) => contractCommitOf(commit) === undefined);
    if (proposals.size === 0 && decided.length > 1) {
      yield { where: decided[0]!.oid, what: noProposals(decided.length) };
      return;
    }
    for (const commit of claiming)
      for (const what of problemsOf(commit, proposals, onMain)) {
        const named = commitClaims(commit).proposals;
        if (named.length === 1 && (await isKept(store.value, named[0]!, commit.oid))) break;
        yield { where: commit.oid, what, follows: named.map(subjects.proposal) };
      }
  },
};

/** S-11: commits that main got as the second parent of a merge that a proposal names. They need no proposal of their own. */
function mergedSessions(
  commits: readonly Commit[],
  proposals: ReadonlyMap<string, ScannedProposal>,
): ReadonlySet<string> {
  const known = new Map(commits.map((commit) => [commit.oid, commit]));
  const ownLine = new Set<string>();
  for (let at = commits[0]; at; at = known.get(at.parents[0] ?? "")) ownLine.add(at.oid);
  const found = new Set<string>();
  for (const facts of proposals.values()) {
    if (facts.kind === "damaged" || facts.proposal.action !== "propose-merge") continue;
    const open = commitsMadeBy(facts.proposal).flatMap((oid) => known.get(oid)?.parents.slice(1) ?? []);
    for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
      if (found.has(oid) || ownLine.has(oid)) continue;
      found.add(oid);
      open.push(...(known.get(oid)?.parents ?? []));
    }
  }
  return found;
}

/** True if the owner recorded why the commit stays as it is. */
const isKept = async (store: Store, proposal: string, commit: string): Promise<boolean> =>
  isReadableKey(keys.keptWords(proposal, commit)) && (await findKeptWords(store, proposal, commit)) !== undefined;

function problemsOf(
  commit: Commit,
  proposals: ReadonlyMap<string, ScannedProposal>,
  onMain: ReadonlySet<string>,
): Text[] {
  const { proposals: named, bookkeeping, contracts } = commitClaims(commit);
  const [id, second] = named;
  if (id === undefined) return bookkeeping || contracts.length === 1 ? [] : [namesNothing];
  if (second !== undefined) return [namesSeveral];
  const facts = proposals.get(id);
  if (!facts) return [noSuchProposal(id)];
  if (facts.kind === "damaged") return [];
  const made = commitsMadeBy(facts.proposal);
  if (!made.includes(commit.oid)) {
    // Amended or rebased by hand: this commit replaces the gateway's own one.
    const former = facts.proposal.status === "applied" ? made.find((oid) => !onMain.has(oid)) : undefined;
    return [former === undefined ? notItsCommit(id) : rewritten(id, former)];
  }
  if (!byGateway(commit)) return [notByGateway(commit)];
  const problems = falseTrailers(commit, facts.proposal);
  return SUBJECT.test(subjectLine(commit)) ? problems : [oddSubject, ...problems];
}

/** P-8: `[<who>] …`, or the subjects of source 000 and of the memory design. */
const SUBJECT = /^(?:\[[^\]]+\] \S|(?:logic-update|logic-rollback|memory-update): \S)/;

const byGateway = ({ committer }: Commit): boolean => committer.email === GATEWAY.email;

export const bookkeepingCheck: Check = {
  id: "bookkeeping",
  rule: "P-8a",
  title: { en: "bookkeeping changes derived files alone", uk: "облік змінює лише похідні файли" },
  async *run({ repo }, scan) {
    if (repo.kind === "failed") return;
    for (const commit of await scan.commits()) {
      const claims = commitClaims(commit);
      if (!claims.bookkeeping || claims.proposals.length > 0) continue;
      if (!byGateway(commit)) yield { where: commit.oid, what: notByGateway(commit) };
      else {
        const other = await otherPath(repo.value, commit);
        // A follow-up to a change by hand (L-7) is recomputed and compared.
        if (other !== undefined && !(await isFollowUp(repo.value, commit)))
          yield { where: commit.oid, what: notDerived(other) };
      }
    }
  },
};

export const contractCommitsCheck: Check = {
  id: "contract-commits",
  rule: "G-1a",
  title: {
    en: "a commit of an agent's files changes nothing else",
    uk: "коміт файлів агента не змінює нічого іншого",
  },
  async *run({ repo, config }, scan) {
    if (repo.kind === "failed") return;
    const root = config.kind === "value" ? config.value.agents_root : tree.agents;
    for (const commit of await scan.commits()) {
      const slug = contractCommitOf(commit);
      if (slug === undefined || commitClaims(commit).proposals.length > 0) continue;
      const others = (await repo.value.changes(commit.parents[0], commit.oid)).filter(
        ({ path }) => agentFileKey(root, path)?.split("/")[1] !== slug,
      );
      if (others[0] && root === (await agentsRootAt(repo.value, commit)))
        yield { where: commit.oid, what: notOfAgent(slug, others[0].path) };
    }
  },
};

/** The folder of the agents when the commit was made: the owner may have moved it since. */
async function agentsRootAt(repo: Repo, commit: Commit): Promise<string | undefined> {
  const file = await repo.read(commit.oid, tree.config);
  const config = file && readGardenConfig(file.bytes);
  return config?.kind === "value" ? config.value.agents_root : undefined;
}

/** The first path of a bookkeeping commit that it may not change, or not in this way. */
async function otherPath(repo: Repo, commit: Commit): Promise<string | undefined> {
  for (const { path } of await repo.changes(commit.parents[0], commit.oid))
    if (!(await mayChange(repo, commit, path))) return path;
  return undefined;
}

async function mayChange(repo: Repo, commit: Commit, path: string): Promise<boolean> {
  const [before, after] = [commit.parents[0], commit.oid];
  const textBefore = async () => (before === undefined ? undefined : await logicTextAt(repo, before, path));
  switch (bookkeepingOf(commit)) {
    // L-4: figures only. statisticsCheck verifies the newest ones.
    case STATISTICS: {
      if (path === logicPath.attributes) return (await logicTextAt(repo, after, path)) === LOGIC_ATTRIBUTES;
      if (!META.test(path)) return false;
      const slug = path.split("/")[1]!;
      // A damaged meta is rebuilt from history.
      const then = before === undefined ? undefined : await metaToKeep(repo, before, slug);
      return onlyFigures(then?.meta, (await metaToKeep(repo, after, slug))?.meta);
    }
    // L-9: measured results added to changelog entries.
    case RESULTS: {
      if (!CHANGELOG.test(path)) return false;
      const [then, now] = [await textBefore(), await logicTextAt(repo, after, path)];
      if (then === undefined || now === undefined) return false;
      return withoutResults(then).trimEnd() === withoutResults(now).trimEnd();
    }
    // Z-6: the optimizer's fields and no figure.
    case ANALYSES:
      return META.test(path) && onlyAnalysis(await textBefore(), await logicTextAt(repo, after, path));
    default:
      return [META, CHANGELOG, MEMORY].some((pattern) => pattern.test(path));
  }
}

/** Files derived from the records: statistics, changelog results, timelines, reports of runs. */
const META = /^logic\/[^/]+\/current\.meta\.json$/;
const CHANGELOG = /^logic\/[^/]+\/changelog\.md$/;
const MEMORY = /^memory\/[^/]+\/(?:meta\.json|timeline\/[^/]+|runs\/[^/]+)$/;

export const annotationsCheck: Check = {
  id: "annotations",
  rule: "S-6",
  title: { en: "traces are bound to commits that exist", uk: "траси прив'язано до наявних комітів" },
  async *run({ repo }) {
    if (repo.kind === "failed") return;
    const ref = await repo.value.resolve(TRACE_REF).catch(() => undefined);
    if (ref === undefined) return;
    const files = await repo.value.list(ref, "").catch(() => []);
    for (const { path } of files) {
      if (path.startsWith(TRACE_TEXTS)) continue;
      const oid = path.replaceAll("/", "");
      if (!isOid(oid) || !(await isCommit(repo.value, oid)))
        yield { where: `${TRACE_REF}:${path}`, what: boundToNothing };
    }
  },
};

async function isCommit(repo: Repo, oid: string): Promise<boolean> {
  try {
    await repo.commit(oid);
    return true;
  } catch (error) {
    if (isFailure(error, "NOT_FOUND")) return false;
    throw error;
  }
}

const noProposals = (count: number): Text => ({
  en: `${count} commits come from proposals, but the store has none: it was lost, or this is a clone without its store`,
  uk: `комітів із пропозицій: ${count}, а у сховищі жодної: його втрачено, або це клон без сховища`,
});
const namesNothing: Text = {
  en: "a commit of the gateway without a proposal: a change without a decision",
  uk: "шлюз закомітив це, не назвавши пропозиції: зміна, про яку ніхто не вирішував",
};
const namesSeveral: Text = { en: "it names more than one proposal", uk: "він називає кілька пропозицій" };
const noSuchProposal = (id: string): Text => ({
  en: `it names the proposal ${id}, which does not exist`,
  uk: `він називає пропозицію ${id}, а такої немає`,
});
const notItsCommit = (id: string): Text => ({
  en: `it names the proposal ${id}, whose record names another commit or none: a copied or forged trailer`,
  uk: `він називає пропозицію ${id}, запис якої називає інший коміт або жодного: скопійований чи підроблений рядок`,
});
const rewritten = (id: string, former: string): Text => ({
  en: `it replaces ${former}, the commit of ${id}: amended or rebased by hand, so it was not approved in this form`,
  uk: `він стоїть на місці ${former}, коміту ${id}: змінено вручну через amend чи rebase, тож про нього такого ніхто не вирішував`,
});
const notByGateway = ({ committer }: Commit): Text => ({
  en: `it has the trailers of the gateway, but ${committer.name} committed it`,
  uk: `він має рядки шлюзу, а закомітив його ${committer.name}`,
});
const oddSubject: Text = {
  en: "its subject does not have the form of the gateway's commits",
  uk: "його перший рядок починається не так, як у комітів шлюзу",
};
const notDerived = (path: string): Text => ({
  en: `bookkeeping that changes ${path}, which is not derived from the records`,
  uk: `облік, що змінює ${path}, який не випливає із записів`,
});
const notOfAgent = (slug: string, path: string): Text => ({
  en: `it says to change the files of ${slug} and changes ${path}`,
  uk: `він каже, що змінює файли ${slug}, а змінює ${path}`,
});
const boundToNothing: Text = {
  en: "a trace for a commit that this repository does not have",
  uk: "траса, не прив'язана до жодного коміту цього репозиторію",
};
