import { Failure } from "../../../base/failure.ts";
import { type Proposal } from "../../../domain/proposal/proposal.ts";
import { invalidMove, type ProposalState } from "../../../domain/proposal/proposal-state.ts";
import type { Review } from "../effect/review.ts";

export const onlyOwnerDecides = (name: string): Failure =>
  new Failure("FORBIDDEN", {
    en: `${name} may not decide: only the owner may`,
    uk: `${name} не може вирішувати: це справа власника`,
  });

export const reviewOutdated = (id: string, seen: string, { digest, head, merged }: Review): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `what ${id} would do now is not what was reviewed`,
    uk: `те, що тепер зробила б ${id}, — не те, що переглянуто`,
    hint: {
      en: `Review it again (\`bloom proposals show ${id}\`) and decide with the digest that is shown there.`,
      uk: `Перегляньте її знову (\`bloom proposals show ${id}\`) і вирішуйте з показаним там digest.`,
    },
    details: { proposal: id, seen, digest, head, merged },
  });

export const noReportYet = ({ id, status, digest }: Proposal): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `${id} changes logic and has no report of what recorded runs would have done`,
    uk: `${id} змінює логіку й не має звіту про те, як повелися б записані запуски`,
    hint: {
      en: `\`bloom proposals show ${id}\` makes it and shows it.`,
      uk: `Його складе й покаже \`bloom proposals show ${id}\`.`,
    },
    details: { proposal: id, from: status, to: "approved", needs: "report", digest },
  });

export const otherReport = (id: string, seen: string, report: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `the report of ${id} is not the one that was seen`,
    uk: `звіт про ${id} — не той, який переглянуто`,
    hint: { en: `Read it: \`bloom proposals show ${id}\`.`, uk: `Прочитайте його: \`bloom proposals show ${id}\`.` },
    details: { proposal: id, seen, report },
  });

/** L-8: an approval of a change of logic over HTTP names the report, so that no client approves without having read it. */
export const reportNotNamed = (id: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${id} changes logic: an approval names the report that was seen (report)`,
    uk: `${id} змінює логіку: схвалення називає переглянутий звіт (report)`,
    hint: {
      en: `\`GET /proposals/${id}\` answers with \`report\` and its id, \`report_id\`.`,
      uk: `\`GET /proposals/${id}\` відповідає звітом \`report\` і його \`report_id\`.`,
    },
    details: { proposal: id, needs: "report" },
  });

export const noDigest = (id: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "a decision needs the digest that was reviewed",
    uk: "рішення називає digest того, що переглянуто",
    hint: { en: `\`bloom proposals show ${id}\` prints it.`, uk: `Його друкує \`bloom proposals show ${id}\`.` },
    details: { proposal: id },
  });

export const unusableNote = (max: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `note: expected text of up to ${max} characters`,
    uk: `note: потрібен текст до ${max} символів`,
  });

export const noteNeeded = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "a rejection needs a reason (note)",
    uk: "відхилення потребує причини (note)",
    hint: {
      en: "The proposer reads the reason on the next run.",
      uk: "Той, хто запропонував, прочитає причину під час наступного запуску.",
    },
  });

/** P-6: names both states, and the earlier decision. */
export function decidedBefore(proposal: Proposal, to: ProposalState): Failure {
  const { approval } = proposal;
  const plain = invalidMove(proposal, to);
  if (!approval) return plain;
  return new Failure("INVALID_TRANSITION", {
    en: `${plain.text.en}: ${approval.decided_by} decided ${approval.decision} at ${approval.decided_at}`,
    uk: `${plain.text.uk}: ${approval.decided_by} вирішив ${approval.decision} о ${approval.decided_at}`,
    details: { ...plain.details, decided_by: approval.decided_by, decided_at: approval.decided_at },
  });
}

/** P-6a: an applied change is taken back by a revert; an approval without a grace cannot be withdrawn. */
export function tooLateToWithdraw(proposal: Proposal): Failure {
  const { text, details } = decidedBefore(proposal, "pending");
  return new Failure("INVALID_TRANSITION", {
    ...text,
    ...(proposal.status === "applied" && {
      hint: {
        en: `It is applied already. \`bloom revert ${proposal.id}\` takes the change back.`,
        uk: `Її вже застосовано. Зміну скасує \`bloom revert ${proposal.id}\`.`,
      },
    }),
    details,
  });
}

export const notInBatch = (id: string, action: string): Failure =>
  new Failure("FORBIDDEN", {
    en: `${id} is a ${action}: it is decided on its own, never in a batch`,
    uk: `${id} — це ${action}: про неї вирішують окремо, не гуртом`,
    details: { proposal: id, action },
  });

export const wrongBatchSize = (size: number, max: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `a batch has 1 to ${max} proposals, this one has ${size}`,
    uk: `у гурті від 1 до ${max} пропозицій, а тут ${size}`,
    details: { size, max },
  });

export const namedTwiceInBatch = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "a proposal is named twice in the batch",
    uk: "пропозицію названо в гурті двічі",
  });

export const manyProposalsFit = (written: string, found: readonly string[]): Failure =>
  noProposalFits(written, {
    en: `${written} fits ${found.length} proposals: ${found.slice(0, 5).join(", ")}`,
    uk: `${written} підходить до ${found.length} пропозицій: ${found.slice(0, 5).join(", ")}`,
  });

export const noProposalFits = (
  written: string,
  text = { en: `no proposal ends in ${written}`, uk: `жодна пропозиція не закінчується на ${written}` },
): Failure =>
  new Failure("NOT_FOUND", {
    ...text,
    hint: { en: "`bloom proposals` lists pending ones.", uk: "`bloom proposals` показує ті, що чекають." },
    details: { proposal: written },
  });

export const wrongCursor = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "after: expected `next` of the previous page",
    uk: "after: потрібне те, що попередня сторінка дала як next",
  });
