import type { PeerOrigin } from "../../../domain/federation/peer-origin.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { MAIN_REF } from "../../../domain/layout.ts";
import type { Story, StoryLink } from "../../../domain/why/story.ts";
import type { Commit } from "../../../ports/repo.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import { claimedProposal } from "./approved-words.ts";
import type { WhyGarden } from "./chain.ts";
import { commitClaims } from "./commit-facts.ts";
import { peerWorkOf } from "./peer-work.ts";
import { type SessionOrigin, sessionOrigin } from "./session-origin.ts";
import {
  commitStory,
  editByHand,
  missingProposal,
  peerCommitStory,
  sessionCommitStory,
  sinceThen,
} from "./story-commit.ts";
import { decisionStory, proposalStory } from "./story-proposal.ts";
import { originStory } from "./story-run.ts";
import { findSubject, type Subject } from "./subject.ts";

/** Lines shown above and below the one that was asked about. */
const NEIGHBOURS = 1;

/**
 * Tells how a line, a file, a commit or a proposal came about: wish, permission, run, step, proposal, decision, commit, and what happened
 * since (P-11). Every link says what was checked against the records. Undefined for subjects without such a story: a run, an icon, an
 * object. Reads only. Throws NOT_FOUND for an unknown subject.
 */
export async function tellStory(garden: WhyGarden, asked: string): Promise<Story | undefined> {
  const subject = await findSubject(garden, asked);
  if (subject.kind === "proposal") return proposalSubject(garden, subject);
  if (subject.kind !== "commit" && subject.kind !== "path" && subject.kind !== "line") return undefined;
  const place: Place =
    subject.kind === "commit" ? {} : { path: subject.path, ...(subject.line !== undefined && { line: subject.line }) };
  const told = await storyOfCommit(garden, subject.commit, place);
  const id =
    subject.kind === "commit"
      ? subject.commit
      : subject.line === undefined
        ? subject.path
        : `${subject.path}:${subject.line}`;
  return {
    subject: { kind: subject.kind, asked, id },
    ...place,
    lines: place.line === undefined ? [] : await linesAround(garden, place.path!, place.line),
    ...told,
  };
}

interface Place {
  readonly path?: string;
  readonly line?: number;
}
type Told = Pick<Story, "links" | "diagram" | "revertible">;

async function storyOfCommit(garden: WhyGarden, oid: Oid, place: Place): Promise<Told> {
  const commit = await garden.repo.commit(oid);
  const [id, second] = commitClaims(commit).proposals;
  const since = place.path === undefined ? [] : [await sinceThen(garden, oid, place.path, place.line)];
  const work = await peerWorkOf(garden, commit);
  if (work) return storyOfSession(garden, commit, { session: "", call: undefined, ...work }, since);
  if (id === undefined) {
    const origin = await sessionOrigin(garden.repo, commit);
    if (origin?.merge === undefined) return { links: [await editByHand(garden, commit), ...since] };
    return storyOfSession(garden, commit, { ...origin, merge: origin.merge }, since);
  }
  const proposal = await claimedProposal(garden, commit);
  if (!proposal) {
    const entered = await commitStory(garden, commit, undefined);
    return { links: [missingProposal(id, second !== undefined), entered, ...since] };
  }
  const origin = await originStory(garden, proposal);
  const links: StoryLink[] = [
    ...origin.links,
    await proposalStory(garden, proposal, commit),
    decisionStory(proposal),
    await commitStory(garden, commit, proposal),
    ...since,
  ];
  return {
    links,
    ...(origin.diagram && { diagram: origin.diagram }),
    ...(proposal.status === "applied" && proposal.apply_result?.git_commit === oid && { revertible: proposal.id }),
  };
}

/** S-11: the merge that brought a commit of a session, told with the step that made this commit. */
async function storyOfSession(
  garden: WhyGarden,
  commit: Commit,
  origin: SessionOrigin & { readonly merge: Oid; readonly origin?: PeerOrigin },
  since: readonly StoryLink[],
): Promise<Told> {
  const merge = await garden.repo.commit(origin.merge);
  const proposal = await claimedProposal(garden, merge);
  const written = origin.origin
    ? await peerCommitStory(garden, commit, origin.origin)
    : sessionCommitStory(commit, origin.session);
  if (!proposal) {
    const entered = await commitStory(garden, merge, undefined);
    return { links: [written, missingProposal(commitClaims(merge).proposals[0] ?? "", false), entered, ...since] };
  }
  const { call } = origin;
  const isOwn = call !== undefined && call.place.run === proposal.source.run_id;
  const before = await originStory(garden, proposal, isOwn ? { step: call.step, commit: commit.oid } : undefined);
  return {
    links: [
      ...before.links,
      written,
      await proposalStory(garden, proposal, merge),
      decisionStory(proposal),
      await commitStory(garden, merge, proposal),
      ...since,
    ],
    ...(before.diagram && { diagram: before.diagram }),
    ...(proposal.status === "applied" && { revertible: proposal.id }),
  };
}

async function proposalSubject(
  garden: WhyGarden,
  { asked, proposal: id }: Extract<Subject, { kind: "proposal" }>,
): Promise<Story> {
  const subject = { kind: "proposal", asked, id };
  const proposal = await readProposal(garden.store, id);
  const made = proposal.apply_result?.git_commit;
  const there = made === undefined ? undefined : await garden.repo.commit(made).catch(() => undefined);
  if (there) return { subject, lines: [], ...(await storyOfCommit(garden, there.oid, {})) };
  const origin = await originStory(garden, proposal);
  return {
    subject,
    lines: [],
    links: [...origin.links, await proposalStory(garden, proposal, undefined), decisionStory(proposal)],
    ...(origin.diagram && { diagram: origin.diagram }),
  };
}

async function linesAround({ repo }: WhyGarden, path: string, line: number): Promise<Story["lines"]> {
  const head = await repo.resolve(MAIN_REF);
  const file = head === undefined ? undefined : await repo.read(head, path);
  if (!file) return [];
  const all = Buffer.from(file.bytes).toString().split(/\r?\n/);
  const shown: { number: number; text: string }[] = [];
  // Empty lines are no neighbours: the nearest lines with words are.
  const seek = (step: 1 | -1): void => {
    let found = 0;
    for (let at = line - 1 + step; at >= 0 && at < all.length && found < NEIGHBOURS; at += step)
      if (all[at]!.trim() !== "" && ++found) shown.push({ number: at + 1, text: cut(all[at]!) });
  };
  seek(-1);
  shown.push({ number: line, text: cut(all[line - 1] ?? "") });
  seek(1);
  return shown;
}

const MAX_LINE = 600;
const cut = (text: string): string => (text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text).toWellFormed();
