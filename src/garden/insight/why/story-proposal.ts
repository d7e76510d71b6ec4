import type { Text } from "../../../base/text.ts";
import type { Action } from "../../../domain/proposal/action.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { StoryLink } from "../../../domain/why/story.ts";
import type { Commit } from "../../../ports/repo.ts";
import { prepareAt } from "../../changes/effect/review.ts";
import type { WhyGarden } from "./chain.ts";
import { decisionProblems, proposalProblems } from "./proposal-links.ts";
import { check, checksOf, storyLink } from "./story-checks.ts";

const MAX_PATCH = 20_000;

/** The proposed change, computed again where it was applied. */
export async function proposalStory(
  garden: WhyGarden,
  proposal: Proposal,
  commit: Commit | undefined,
): Promise<StoryLink> {
  const head = commit?.parents[0] ?? proposal.base.revision;
  const prepared = await prepareAt(garden, proposal, head).catch(() => undefined);
  const patch = prepared?.kind === "ready" ? prepared.review.map((file) => file.patch).join("\n") : "";
  const reason = proposal.reasoning ?? proposal.summary;
  const by = proposal.source.identity;
  return storyLink({
    kind: "proposal",
    at: proposal.created_at,
    who: { name: by, isAgent: proposal.source.type === "agent" },
    title: { en: "Proposed this change", uk: "Запропоновано цю зміну" },
    ...(patch.trim() !== "" && { patch: patch.slice(0, MAX_PATCH) }),
    ...(reason.trim() !== "" && { reason: { text: reason.slice(0, 2000), by } }),
    checks: checksOf(proposalProblems(proposal), {
      en: `Its digest ${proposal.digest.slice(0, 8)}, computed again, is the recorded one`,
      uk: `Її дайджест ${proposal.digest.slice(0, 8)}, обчислений знову, збігається із записаним`,
    }),
    target: { kind: "proposal", id: proposal.id },
  });
}

/** The decision: by whom, and on which version. */
export function decisionStory(proposal: Proposal): StoryLink {
  const { approval } = proposal;
  if (!approval)
    return storyLink({
      kind: "decision",
      title: { en: "Not decided yet", uk: "Рішення ще немає" },
      checks: [
        check(true, { en: "The log of the proposal has no decision", uk: "У журналі пропозиції немає рішення" }),
      ],
      target: { kind: "proposal", id: proposal.id },
    });
  const { decision, decided_by: by, decided_at: at, decision_note: note } = approval;
  const after = durationText(Date.parse(at) - Date.parse(proposal.created_at));
  return storyLink({
    kind: "decision",
    at,
    who: { name: by, isAgent: false },
    title: decisionTitle(decision, by, after),
    ...(note !== undefined && { words: note.slice(0, 2000) }),
    checks: checksOf(decisionProblems(proposal), {
      en: `The decision names version ${approval.digest.slice(0, 8)}, the one proposed`,
      uk: `Рішення називає версію ${approval.digest.slice(0, 8)}, саме ту, що запропонована`,
    }),
    target: { kind: "proposal", id: proposal.id },
  });
}

function decisionTitle(decision: NonNullable<Proposal["approval"]>["decision"], by: string, after: Text): Text {
  switch (decision) {
    case "approved":
      return { en: `${by} approved it after ${after.en}`, uk: `${by}: схвалено за ${after.uk}` };
    case "auto_approved":
      return { en: "A rule approved it", uk: "Схвалено правилом" };
    case "rejected":
      return { en: `${by} rejected it after ${after.en}`, uk: `${by}: відхилено за ${after.uk}` };
    case "expired":
      return { en: "It expired without a decision", uk: "Термін минув без рішення" };
  }
}

const UNITS: readonly (readonly [number, "day" | "hour" | "minute" | "second"])[] = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1000, "second"],
];

function durationText(ms: number): Text {
  const [size, unit] = UNITS.find(([each]) => ms >= each) ?? UNITS.at(-1)!;
  const count = Math.max(1, Math.round(ms / size));
  const inLanguage = (locale: string): string =>
    new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(count);
  return { en: inLanguage("en-GB"), uk: inLanguage("uk-UA") };
}

/** The plural of an action, for a sentence about what an agent may propose. */
export const actionsText: Readonly<Record<Action, Text>> = {
  "propose-note": { en: "notes", uk: "нотатки" },
  "propose-edit": { en: "edits", uk: "правки" },
  "propose-tag": { en: "tags", uk: "теги" },
  "propose-comment": { en: "comments", uk: "коментарі" },
  "propose-summary": { en: "summaries", uk: "підсумки" },
  "propose-artifact": { en: "artifacts", uk: "артефакти" },
  "memory-update": { en: "changes of its memory", uk: "зміни своєї пам’яті" },
  "logic-update": { en: "changes of logic", uk: "зміни логіки" },
  "logic-rollback": { en: "returns to earlier logic", uk: "повернення до попередньої логіки" },
  "propose-merge": { en: "merges", uk: "злиття" },
};
