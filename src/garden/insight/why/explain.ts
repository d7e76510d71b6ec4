import { Failure } from "../../../base/failure.ts";
import { keys } from "../../../domain/layout.ts";
import type { ProposalCard } from "../../../domain/proposal/proposal-card.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { readJournal } from "../../core/flow/journal.ts";
import { findProposal, readProposal } from "../../records/proposals/proposal-log.ts";
import { cardIn } from "../../records/proposals/proposal-views.ts";
import { type Chain, newChain, type WhyGarden } from "./chain.ts";
import { commitLinks } from "./commit-links.ts";
import { proposalLink, proposalLinks, proposalProblems, resultLinks } from "./proposal-links.ts";
import { runLinks } from "./run-links.ts";
import { findSubject, foldersIn, type Subject } from "./subject.ts";
import { type WhyReport, whyReport } from "./why-report.ts";

/** Number of newest runs that are searched for an icon. */
const MAX_RUNS = 200;

/**
 * Walks from a commit, a line, a proposal, an object, a run or an icon to its causes and its results (P-11). Every link is checked
 * against the records: a trailer alone proves nothing, because a cherry-pick copies it. Missing and false links are reported, and the
 * walk continues. Reads only.
 */
export async function explain(garden: WhyGarden, asked: string): Promise<WhyReport> {
  return explainSubject(garden, await findSubject(garden, asked));
}

async function explainSubject(garden: WhyGarden, subject: Subject): Promise<WhyReport> {
  const chain = newChain(garden);
  const { kind, asked } = subject;
  switch (subject.kind) {
    case "commit":
      await commitLinks(chain, subject.commit, 0);
      return whyReport({ kind, asked, id: subject.commit }, chain.links);
    case "path":
    case "line": {
      const edited = (await garden.repo.edited([subject.path])).length > 0;

      const beside = edited ? [notCommitted(subject.path)] : [];
      await commitLinks(chain, subject.commit, 0, { onMain: true, beside });
      const id = subject.line === undefined ? subject.path : `${subject.path}:${subject.line}`;
      return whyReport({ kind, asked, id }, chain.links);
    }
    case "proposal":
      await proposalLinks(chain, await readProposal(garden.store, subject.proposal), 0, { results: true });
      return whyReport({ kind, asked, id: subject.proposal }, chain.links);
    case "object": {
      const id = await proposalOfObject(garden.store, subject.key);
      if (id === undefined) throw byNobody(subject.key);
      await proposalLinks(chain, await readProposal(garden.store, id), 0, { results: true });
      return whyReport({ kind, asked, id: subject.key }, chain.links);
    }
    case "run":
      await runLinks(chain, subject, 0);
      await effectsOf(chain, subject, 1);
      return whyReport({ kind, asked, id: subject.run }, chain.links);
    case "icon":
      await iconEffects(chain, subject);
      return whyReport({ kind, asked, id: `${subject.slug}#${subject.icon}` }, chain.links);
  }
}

/** Adds the proposals of a run's steps and their commits. False if no step matches `icon`. */
async function effectsOf(
  chain: Chain,
  { slug, run }: { readonly slug: string; readonly run: string },
  depth: number,
  icon?: string,
): Promise<boolean> {
  const journal = await readJournal(chain.garden.store, { slug, run }).catch(() => undefined);
  const steps = (journal?.records ?? []).filter((record) => icon === undefined || record.icon === icon);
  for (const id of steps.flatMap(({ proposals }) => proposals)) {
    const proposal = await findProposal(chain.garden.store, id);
    if (!proposal) {
      chain.add({
        kind: "proposal",
        id,
        where: `store:${keys.proposalLog(id)}`,
        direction: "led-to",
        depth,
        what: { en: `proposal ${id}, named by a step`, uk: `пропозиція ${id}, яку називає крок` },
        problems: [{ en: "there is no such proposal", uk: "такої пропозиції немає" }],
      });
      continue;
    }
    const ours = proposal.source.run_id === run && proposal.source.identity === slug;
    const problems = [...proposalProblems(proposal), ...(ours ? [] : [otherRun(proposal.source.run_id)])];
    chain.add({ ...proposalLink(proposal), direction: "led-to", depth, problems });
    await resultLinks(chain, proposal, depth + 1);
  }
  return steps.length > 0;
}

async function iconEffects(
  chain: Chain,
  { slug, icon }: { readonly slug: string; readonly icon: string },
): Promise<void> {
  const runs: string[] = [];
  for await (const run of foldersIn(chain.garden.store, keys.runs(slug))) runs.push(run);
  const looked = runs.slice(-MAX_RUNS).toReversed();
  const left = runs.length - looked.length;
  chain.add({
    kind: "icon",
    id: icon,
    where: `store:${keys.agentFolder(slug)}`,
    direction: "subject",
    depth: 0,
    what: {
      en: `icon ${icon} of ${slug}, in its last ${looked.length} run(s)`,
      uk: `ікона ${icon} агента ${slug}, в останніх запусках: ${looked.length}`,
    },
    remarks:
      left > 0
        ? [{ en: `${left} older run(s) were not looked at`, uk: `старіших запусків не переглянуто: ${left}` }]
        : [],
  });
  for (const run of looked) {
    const before = chain.links.length;
    chain.add({
      kind: "run",
      id: run,
      where: `store:${keys.runs(slug)}${run}/`,
      direction: "led-to",
      depth: 1,
      what: { en: `run ${run} came by`, uk: `через неї пройшов запуск ${run}` },
    });
    const passed = await effectsOf(chain, { slug, run }, 2, icon);
    if (!passed) chain.links.length = before;
  }
}

/** The newest applied proposal that created an object. Searches the views of applied proposals, newest month first. */
async function proposalOfObject(store: Store, key: string): Promise<string | undefined> {
  const comment = /^comments\/.+\/(prop_[^/]+)\.json$/.exec(key)?.[1];
  if (comment !== undefined) return comment;
  const prefix = keys.proposalView("applied", "0000-00", "").replace(/0000-00.*$/, "");
  const months: string[] = [];
  for await (const month of foldersIn(store, prefix)) months.push(month);
  for (const month of months.toReversed()) {
    let found: ProposalCard | undefined;
    for await (const entry of everyKey(store, `${prefix}${month}/`)) {
      const card = await cardIn(store, entry.key);
      if (card?.object_path === key) found = card;
    }
    if (found) return found.id;
  }
  return undefined;
}

const notCommitted = (path: string) => ({
  en: `${path} has uncommitted edits: this is about the last commit`,
  uk: `${path} має незакомічені правки: тут ідеться про останній коміт`,
});
const otherRun = (run: string | undefined) => ({
  en: `the proposal names ${run ?? "no run"}, not this one`,
  uk: `пропозиція називає ${run ?? "жодного запуску"}, а не цей`,
});

const byNobody = (key: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `no applied proposal created ${key}`,
    uk: `${key} не створено жодною застосованою пропозицією`,
    details: { key },
  });
