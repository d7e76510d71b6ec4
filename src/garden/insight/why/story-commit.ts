import { createTwoFilesPatch } from "diff";
import { blobId } from "../../../base/canonical.ts";
import type { Text } from "../../../base/text.ts";
import { type PeerOrigin, peerSessionText } from "../../../domain/federation/peer-origin.ts";
import { GATEWAY } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { MAIN_REF } from "../../../domain/layout.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { KeptWords } from "../../../domain/why/kept-words.ts";
import type { StoryCheck, StoryLink } from "../../../domain/why/story.ts";
import type { Commit } from "../../../ports/repo.ts";
import { type DifferingFile, differingFiles } from "./approved-words.ts";
import type { WhyGarden } from "./chain.ts";
import { commitClaims, commitsMadeBy, falseTrailers, isOnMain, subjectLine } from "./commit-facts.ts";
import { findKeptWords } from "./kept-words.ts";
import { isAnnounced } from "./peer-work.ts";
import { isProposable } from "./propose-approved.ts";
import { check, checksOf, storyLink } from "./story-checks.ts";

const short = (oid: string): string => oid.slice(0, 8);
const timeOf = ({ committer }: Commit): string => new Date(committer.at).toISOString();
const onMain = (isThere: boolean) =>
  check(
    isThere,
    { en: "The commit is on main", uk: "Коміт є на main" },
    { en: "The commit is not on main", uk: "Коміту немає на main" },
  );

/** A commit without a proposal: a person's own edit, or bookkeeping of the gateway. */
export async function editByHand(garden: WhyGarden, commit: Commit): Promise<StoryLink> {
  const { bookkeeping, contracts } = commitClaims(commit);
  const byGateway = commit.committer.email === GATEWAY.email;
  const isKnown = !byGateway || bookkeeping || contracts.length > 0;
  const { name } = commit.author;
  return storyLink({
    kind: "commit",
    at: timeOf(commit),
    who: { name, isAgent: false },
    title: byGateway
      ? { en: `Garden Bloom wrote it in ${short(commit.oid)}`, uk: `Це записав Garden Bloom у ${short(commit.oid)}` }
      : { en: `${name} wrote it in ${short(commit.oid)}`, uk: `${name}: власна правка в ${short(commit.oid)}` },
    words: subjectLine(commit),
    detail: byGateway
      ? { en: "Derived from the records", uk: "Випливає із записів" }
      : {
          en: "An edit by hand, without a proposal. A name in a commit is not proof.",
          uk: "Правка руками, без пропозиції. Ім’я в коміті — не доказ.",
        },
    checks: [
      onMain(await isOnMain(garden.repo, commit.oid)),
      check(
        isKnown,
        { en: "it names no proposal", uk: "він не називає пропозиції" },
        {
          en: "it is a commit of Garden Bloom that names no proposal",
          uk: "це коміт Garden Bloom, що не називає пропозиції",
        },
      ),
    ],
    target: { kind: "commit", id: commit.oid },
  });
}

/** S-11: the commit of a session that wrote the words. */
export const sessionCommitStory = (commit: Commit, session: string): StoryLink =>
  storyLink({
    kind: "commit",
    at: timeOf(commit),
    who: { name: session, isAgent: true },
    title: {
      en: `Written on the branch of ${session} in ${short(commit.oid)}`,
      uk: `Написано в гілці ${session} у ${short(commit.oid)}`,
    },
    words: subjectLine(commit),
    checks: [
      check(
        commit.committer.email === GATEWAY.email,
        { en: "made by Garden Bloom for the session", uk: "його зробив Garden Bloom для сесії" },
        { en: `committed by ${commit.committer.name}`, uk: `його закомітив ${commit.committer.name}` },
      ),
    ],
    target: { kind: "commit", id: commit.oid },
  });

/** S-10: the commit of another garden's session that wrote the words. */
export async function peerCommitStory({ repo }: WhyGarden, commit: Commit, origin: PeerOrigin): Promise<StoryLink> {
  const name = peerSessionText(origin);
  const isThere = await isAnnounced(repo, origin);
  return storyLink({
    kind: "commit",
    at: timeOf(commit),
    who: { name, isAgent: true },
    title: {
      en: `Written in the garden ${origin.peer}, in its session ${origin.session}, in ${short(commit.oid)}`,
      uk: `Написано в саду ${origin.peer}, у його сесії ${origin.session}, у ${short(commit.oid)}`,
    },
    words: subjectLine(commit),
    detail: {
      en: `The key of that garden: ${origin.space}. Its announcement ${origin.seq} is ${origin.announcement.slice(0, 10)}.`,
      uk: `Ключ того саду: ${origin.space}. Його оголошення ${origin.seq} — ${origin.announcement.slice(0, 10)}.`,
    },
    checks: [
      check(
        isThere,
        isThere === undefined
          ? { en: "Its announcement is no longer here", uk: "Його оголошення тут уже немає" }
          : { en: "Its signed announcement names the session", uk: "Його підписане оголошення називає сесію" },
        { en: "Its announcement does not name the session", uk: "Його оголошення не називає сесії" },
      ),
    ],
    target: { kind: "commit", id: commit.oid },
  });
}

/** The proposal that a commit names and the store does not have. */
export const missingProposal = (id: string, isOneOfMany: boolean): StoryLink =>
  storyLink({
    kind: "proposal",
    title: { en: "The record of the proposal is gone", uk: "Запису пропозиції немає" },
    detail: { en: `The commit names ${id.slice(0, 80)}.`, uk: `Коміт називає ${id.slice(0, 80)}.` },
    checks: [
      isOneOfMany
        ? check(false, { en: "The commit names more than one proposal", uk: "Коміт називає кілька пропозицій" })
        : check(undefined, {
            en: "Nothing to check it against on this machine; a backup may have it",
            uk: "На цій машині немає з чим звірити; запис може бути в резервній копії",
          }),
    ],
  });

/** The commit that brought a change. With its proposal, its words are compared with the approved ones. */
export async function commitStory(
  garden: WhyGarden,
  commit: Commit,
  proposal: Proposal | undefined,
): Promise<StoryLink> {
  const reachable = onMain(await isOnMain(garden.repo, commit.oid));
  const base = {
    kind: "commit" as const,
    at: timeOf(commit),
    title: { en: `Entered the garden in ${short(commit.oid)}`, uk: `Увійшло в сад у ${short(commit.oid)}` },
    target: { kind: "commit" as const, id: commit.oid },
  };
  if (!proposal) {
    const unknown = { en: "its words cannot be compared", uk: "його слова немає з чим порівняти" };
    return storyLink({ ...base, checks: [reachable, check(undefined, unknown)] });
  }
  const files = await differingFiles(garden, commit, proposal);
  const differs = files !== undefined && files.length > 0;
  const link = storyLink({
    ...base,
    ...(differs && {
      patch: files.map(patchOf).join(""),
      title: { en: `${short(commit.oid)} holds other words`, uk: `${short(commit.oid)} має інші слова` },
    }),
    checks: [reachable, ...originChecks(commit, proposal), wordsCheck(files)],
  });
  if (link.mark !== "mismatch") return link;
  const kept = await findKeptWords(garden.store, proposal.id, commit.oid);
  if (kept) return keptLink(link, kept);
  return { ...link, repair: { commit: commit.oid, proposable: isProposable(commit, proposal, files) } };
}

/** Checks that the commit is the one that Garden Bloom made for the proposal. */
function originChecks(commit: Commit, proposal: Proposal): StoryCheck[] {
  const made = commitsMadeBy(proposal);
  const { name, email } = commit.committer;
  return [
    check(
      made.includes(commit.oid),
      { en: `the record of the proposal names it`, uk: "його називає запис пропозиції" },
      {
        en: `the record of the proposal names ${made[0] === undefined ? "no commit" : short(made[0])}: the trailer was copied or forged`,
        uk: `запис пропозиції називає ${made[0] === undefined ? "жодного коміту" : short(made[0])}: рядок скопійовано або підроблено`,
      },
    ),
    check(
      email === GATEWAY.email,
      { en: "made by Garden Bloom", uk: "його зробив Garden Bloom" },
      { en: `made by ${name}, not by Garden Bloom`, uk: `його зробив не Garden Bloom, а ${name}` },
    ),
    ...checksOf(falseTrailers(commit, proposal), {
      en: "its trailers match the record",
      uk: "його рядки збігаються із записом",
    }),
  ];
}

function wordsCheck(files: readonly DifferingFile[] | undefined): StoryCheck {
  const [first] = files ?? [];
  const digest = (bytes: Uint8Array | undefined): string => (bytes ? short(blobId(bytes)) : "–");
  const [approved, committed] = [digest(first?.approved), digest(first?.committed)];
  return files === undefined
    ? check(undefined, {
        en: "the approved words cannot be computed again on its parent",
        uk: "схвалені слова не можна обчислити знову на його предку",
      })
    : check(
        files.length === 0,
        { en: "it holds exactly the approved words", uk: "у ньому саме схвалені слова" },
        {
          en: `what was committed is not what was approved: approved ${approved}, committed ${committed}`,
          uk: `закомічено не те, що схвалено: схвалено ${approved}, закомічено ${committed}`,
        },
      );
}

const patchOf = ({ path, approved, committed }: DifferingFile): string => {
  const [before, after] = [approved, committed].map((bytes) => (bytes ? Buffer.from(bytes).toString() : ""));
  return createTwoFilesPatch(path, path, before!, after!);
};

/** The owner knows what does not match, and keeps it: the checks stay as they are, the warning ends. */
const keptLink = (link: StoryLink, { by, at, reason }: KeptWords): StoryLink =>
  storyLink({
    ...link,
    kept: { by, at, reason },
    checks: link.checks.map((each) => (each.mark === "mismatch" ? { ...each, mark: "kept" as const } : each)),
  });

const MOST_LATER = 500;

/** The changes of a file since a commit. For a line, git has found that its words are still those of the commit. */
export async function sinceThen(
  garden: WhyGarden,
  oid: Oid,
  path: string,
  line: number | undefined,
): Promise<StoryLink> {
  const head = await garden.repo.resolve(MAIN_REF);
  const all = head === undefined ? [] : await garden.repo.history(head, path, { limit: MOST_LATER });
  const place = all.findIndex((commit) => commit.oid === oid);
  const later = place === -1 ? all.length : place;
  const isWhole = place !== -1 || all.length < MOST_LATER;
  const edited = (await garden.repo.edited([path])).length > 0;
  const title =
    line === undefined
      ? later === 0
        ? { en: "Not changed since", uk: "Відтоді не змінено" }
        : { en: `Changed ${later} ${later === 1 ? "time" : "times"} since`, uk: `Відтоді змін: ${later}` }
      : later === 0
        ? { en: "Not changed", uk: "Не змінено" }
        : { en: "These words stand", uk: "Ці слова лишилися" };
  return storyLink({
    kind: "since",
    title,
    ...(all[0] && later > 0 && { at: timeOf(all[0]), words: subjectLine(all[0]) }),
    checks: [
      check(isWhole ? true : undefined, laterText(later, line !== undefined)),
      ...(edited
        ? [check(undefined, { en: "the file has edits that are not committed", uk: "файл має незакомічені правки" })]
        : []),
    ],
  });
}

const laterText = (later: number, isLine: boolean): Text =>
  later === 0
    ? { en: "The note has no later commits", uk: "Пізніших комітів у нотатки немає" }
    : {
        en: `${later} later ${later === 1 ? "commit" : "commits"} on this note read${isLine ? "; none changed this line" : ""}`,
        uk: `Прочитано пізніші коміти цієї нотатки: ${later}${isLine ? "; жоден не змінив цього рядка" : ""}`,
      };
