import { canonicalId, type Json } from "../../../base/canonical.ts";
import type { Text } from "../../../base/text.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { CLAIMS, dropStaleClaim, isUnreadableClaim, restoreClaim } from "../../changes/inbox/effect-claim.ts";
import { withoutViewState } from "../../records/proposals/pending-view-state.ts";
import { dropStaleView, isOpen, readProposal, settleViews } from "../../records/proposals/proposal-log.ts";
import { commitClaims } from "../why/commit-facts.ts";
import { allAbout, type Check, type CheckFinding, subjects } from "./check.ts";
import { jsonAt, type ScannedProposal, type ScannedView } from "./scan.ts";

type Facts = Extract<ScannedProposal, { kind: "proposal" }>;

export const proposalRecordsCheck: Check = {
  id: "proposal-records",
  rule: "P-5",
  title: { en: "the records of proposals are as they were written", uk: "записи пропозицій такі, якими їх записано" },
  async *run(_, scan) {
    for (const [id, facts] of await scan.proposals()) {
      const about = allAbout(subjects.proposal(id));
      if (facts.kind === "damaged") {
        if (facts.why !== "told") yield { where: facts.where, what: recordProblems[facts.why], ...about };
      } else if (!facts.digestHolds) yield { where: `store:${keys.proposalEvent(id, 0)}`, what: otherDigest, ...about };
      else if (!facts.decisionHolds) yield { where: `store:${keys.proposalLog(id)}`, what: otherDecision, ...about };
    }
    yield* lostRecords(await scan.proposals(), await scan.views());
  },
};

/** The view of a closed proposal is written after the event that closes it: if no such event is there, it was removed. */
function* lostRecords(
  proposals: ReadonlyMap<string, ScannedProposal>,
  views: readonly ScannedView[],
): Generator<CheckFinding> {
  for (const { key, id } of views) {
    if (id === undefined || !CLOSED_VIEW.test(key)) continue;
    const facts = proposals.get(id);
    if (facts?.kind === "damaged" || facts?.everyView.includes(key)) continue;
    const what = facts ? eventLost(facts.proposal.status) : recordsLost;
    yield { where: `store:${keys.proposalLog(id)}`, what, ...allAbout(subjects.proposal(id)) };
  }
}

const CLOSED_VIEW = /^proposals\/(?:rejected|applied|expired|failed)\//;

export const proposalResultsCheck: Check = {
  id: "proposal-results",
  rule: "P-11",
  title: {
    en: "every applied proposal has its commit or object, and its run",
    uk: "кожна застосована пропозиція має свій коміт або об'єкт і свій запуск",
  },
  async *run({ store, repo }, scan) {
    if (store.kind === "failed" || repo.kind === "failed") return;
    const commits = await scan.commitsNow();
    const onMain = new Set(commits.map(({ oid }) => oid));
    // commitsCheck reports an amended or rebased commit.
    const claimed = new Set(commits.flatMap((commit) => commitClaims(commit).proposals));
    if (onMain.size === 0) return; // no repository: repositoryCheck reports it
    for (const [id, facts] of await scan.proposals()) {
      if (facts.kind === "damaged" || facts.proposal.status !== "applied") continue;
      const where = `store:${keys.proposalLog(id)}`;
      const { git_commit: commit, object_path: path } = facts.proposal.apply_result!;
      if (commit === undefined && path === undefined) yield { where, what: noResult };
      if (commit !== undefined && !onMain.has(commit) && !claimed.has(id))
        yield { where, what: commitLost(commit), ...allAbout(subjects.history) };
      if (path !== undefined && !(await isThere(store.value, path))) yield { where, what: objectLost(path) };
      const { run_id: run } = facts.proposal.source;
      if (!(await hasRun(store.value, facts))) yield { where, what: noRun(run), ...allAbout(subjects.run(run ?? id)) };
    }
  },
};

/** Also true for objects of a deleted agent, which are removed with it (C-6). */
async function isThere(store: Store, key: string): Promise<boolean> {
  const slug = /^agents\/([^/]+)\//.exec(key)?.[1];
  return (await store.get(key)) !== undefined || (slug !== undefined && !(await store.get(contractKey(slug))));
}

async function hasRun(store: Store, { proposal }: Facts): Promise<boolean> {
  const { type, identity, run_id: run } = proposal.source;
  if (type !== "agent" || proposal.source.token !== undefined) return true;
  if (!(await store.get(contractKey(identity)))) return true;
  return run !== undefined && (await store.list(`${keys.runs(identity)}${run}/`, { limit: 1 })).entries.length > 0;
}

export const proposalViewsCheck: Check = {
  id: "proposal-views",
  rule: "G-3",
  title: { en: "lists of proposals show what the records say", uk: "списки пропозицій показують те, що в записах" },
  async *run({ store }, scan) {
    if (store.kind === "failed") return;
    const proposals = await scan.proposals();
    for (const facts of proposals.values()) if (facts.kind === "proposal") yield* viewProblem(store.value, facts);
    for (const { key, id } of await scan.views()) {
      const facts = id === undefined ? undefined : proposals.get(id);
      if (facts?.kind === "damaged" || (facts && facts.view === key)) continue;
      const repair = async (): Promise<void> => {
        if (id === undefined) await store.value.delete(key);
        else await dropStaleView(store.value, id, key);
      };
      const about = id === undefined ? {} : allAbout(subjects.proposal(id));
      yield { where: `store:${key}`, what: facts ? leftBehind(facts.proposal.status) : ofNothing, repair, ...about };
    }
  },
};

async function* viewProblem(store: Store, { proposal, card, view }: Facts): AsyncGenerator<CheckFinding> {
  if (view === undefined) return;
  const repair = async (): Promise<void> => settleViews(store, await readProposal(store, proposal.id));
  const about = allAbout(subjects.proposal(proposal.id));
  const stored = await store.get(view);
  if (!stored) {
    yield { where: `store:${view}`, what: isOpen(proposal.status) ? hidden : notListed, repair, ...about };
    return;
  }
  if (isOpen(proposal.status) && proposal.status !== "pending") return; // readers take the state of these from the records
  const shown = await jsonAt(store, view);
  if (shown !== undefined && canonicalId(withoutViewState(shown as Json)) !== canonicalId(card))
    yield { where: `store:${view}`, what: otherCard, repair, ...about };
}

export const claimsCheck: Check = {
  id: "proposal-claims",
  rule: "P-3",
  title: {
    en: "every claim on an effect belongs to a pending proposal",
    uk: "позначки зайнятих запитів комусь належать",
  },
  async *run({ store }, scan) {
    if (store.kind === "failed") return;
    const proposals = await scan.proposals();
    const claimed = new Set<string>();
    for await (const { key } of everyKey(store.value, CLAIMS)) {
      const claim = (await jsonAt(store.value, key)) as { proposal?: unknown; entry?: unknown } | undefined;
      if (claim === undefined) continue;
      const facts = typeof claim.proposal === "string" ? proposals.get(claim.proposal) : undefined;
      if (facts?.kind === "damaged") continue;
      const held = facts?.proposal.status === "pending" && key === keys.sameEffect(facts.proposal.effect);
      if (held) claimed.add(facts.proposal.id);
      else if (facts || !(await isBeingReceived(store.value, claim.entry)))
        yield {
          where: `store:${key}`,
          what: claimOfNothing,
          repair: async () => dropClaim(store.value, key),
          follows: [subjects.proposal(String(claim.proposal))],
        };
    }
    for (const facts of proposals.values()) {
      if (facts.kind === "damaged" || facts.proposal.status !== "pending" || claimed.has(facts.proposal.id)) continue;
      const key = keys.sameEffect(facts.proposal.effect);
      if (await store.value.get(key)) continue; // another pending proposal of the same effect holds it, or it was reported above
      const repair = (): Promise<void> => restoreClaim(store.value, facts.proposal.id);
      yield {
        where: `store:${key}`,
        what: noClaim(facts.proposal.id),
        repair,
        follows: [subjects.proposal(facts.proposal.id)],
      };
    }
  },
};

/** The request is between its claim and its proposal, or a crash left it there: a start completes it. */
const isBeingReceived = async (store: Store, entry: unknown): Promise<boolean> =>
  typeof entry === "string" && (await store.get(keys.pendingEntry(entry))) !== undefined;

/** A claim that names no proposal belongs to nobody. */
async function dropClaim(store: Store, key: string): Promise<void> {
  if (!(await dropStaleClaim(store, key)) && isUnreadableClaim((await store.get(key))?.bytes)) await store.delete(key);
}

export const storeChangesCheck: Check = {
  id: "store-changes",
  rule: "P-1",
  title: { en: "comments and artifacts come of proposals", uk: "коментарі й артефакти походять із пропозицій" },
  async *run({ store }, scan) {
    if (store.kind === "failed") return;
    const made = new Set<string>();
    const damaged = new Set<string>();
    for (const [id, facts] of await scan.proposals()) {
      if (facts.kind === "damaged") damaged.add(id);
      else for (const { objects } of facts.proposal.plans) for (const { key } of objects) made.add(key);
    }
    if (damaged.size > 0) return; // their objects cannot be distinguished from unknown ones
    for (const prefix of ["comments/", "agents/"]) {
      for await (const { key } of everyKey(store.value, prefix)) {
        if (prefix === "agents/" && !/^agents\/[^/]+\/artifacts\//.test(key)) continue;
        const id = /prop_[0-9a-z_-]+/.exec(key)?.[0];
        if (!made.has(key))
          yield { where: `store:${key}`, what: madeByNobody, ...(id && { follows: [subjects.proposal(id)] }) };
      }
    }
  },
};

const recordProblems: Readonly<Record<"gap" | "shape" | "order", Text>> = {
  gap: {
    en: "an earlier event is missing, or this is not an event: the numbers of events must have no gap",
    uk: "бракує попередньої події, або це не подія: у нумерації пропозиції немає пропусків",
  },
  shape: {
    en: "this is not a valid event: changed by hand; restore it from a backup",
    uk: "це не подія пропозиції: змінено вручну; поверніть із резервної копії",
  },
  order: {
    en: "the order of these events is impossible: something was added or removed by hand",
    uk: "ці події не можуть іти одна за одною: щось записано або прибрано вручну",
  },
};
const recordsLost: Text = {
  en: "a list shows this proposal as closed, but its records are missing; restore them from a backup",
  uk: "список показує цю пропозицію як закриту, а її записів немає; поверніть їх із резервної копії",
};
const eventLost = (status: string): Text => ({
  en: `a list shows this proposal as closed, but its records end at ${status}: the last event is missing; restore it from a backup`,
  uk: `список показує цю пропозицію як закриту, а записи закінчуються на ${status}: бракує останньої події; поверніть її з резервної копії`,
});
const otherDigest: Text = {
  en: "the proposal was changed after it was created: the digest does not match",
  uk: "пропозицію змінено після створення: дайджест інший",
};
const otherDecision: Text = {
  en: "the approval names another digest than that of the effect",
  uk: "схвалення називає інший дайджест, ніж має те, що сталося б",
};
const noResult: Text = {
  en: "applied without a commit or an object",
  uk: "застосовано, але ні коміту, ні об'єкта не названо",
};
const commitLost = (oid: string): Text => ({
  en: `its commit ${oid} is not on main: history was rewritten, or the commit is lost`,
  uk: `його коміту ${oid} немає на main: історію переписано, або коміт утрачено`,
});
const objectLost = (key: string): Text => ({
  en: `its object ${key} is not in the store`,
  uk: `його об'єкта ${key} немає у сховищі`,
});
const noRun = (run: string | undefined): Text => ({
  en: `the run that asked for it (${run ?? "none is named"}) left no record`,
  uk: `запуск, що просив про це (${run ?? "не названо"}), не лишив записів`,
});
const hidden: Text = {
  en: "an open proposal that no list shows; `bloom verify --repair` puts it back",
  uk: "відкрита пропозиція, якої не показує жоден список; `bloom verify --repair` поверне її",
};
const notListed: Text = {
  en: "a proposal that its list does not show; `bloom verify --repair` puts it back",
  uk: "пропозиція, якої її список не показує; `bloom verify --repair` поверне її",
};
const otherCard: Text = {
  en: "the list does not match the record; `bloom verify --repair` writes it again",
  uk: "список показує пропозицію не так, як її запис; `bloom verify --repair` запише наново",
};
const leftBehind = (status: string): Text => ({
  en: `stale: the proposal is ${status} now; \`bloom verify --repair\` removes it`,
  uk: `залишок: пропозиція вже має стан ${status}; \`bloom verify --repair\` прибере його`,
});
const ofNothing: Text = {
  en: "no record of such a proposal; `bloom verify --repair` removes it",
  uk: "запису такої пропозиції немає; `bloom verify --repair` прибере це",
};
const claimOfNothing: Text = {
  en: "it claims an effect for a proposal that is not pending; `bloom verify --repair` removes it",
  uk: "тримає зміну за пропозицією, що не чекає; `bloom verify --repair` прибере це",
};
const noClaim = (id: string): Text => ({
  en: `${id} is pending without a claim, so a duplicate would not be detected; \`bloom verify --repair\` adds it`,
  uk: `${id} чекає, і таку саму не буде помічено; \`bloom verify --repair\` позначить її`,
});
const madeByNobody: Text = {
  en: "no proposal created this: it was added by hand",
  uk: "цього не створила жодна пропозиція: покладено вручну",
};
