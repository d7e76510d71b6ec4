import type { Language, Text } from "../../base/text.ts";
import type { Proposal } from "../../domain/proposal/proposal.ts";
import type { ProposalCard, ProposalGroup } from "../../domain/proposal/proposal-card.ts";
import type { ReviewFile } from "../../garden/changes/effect/effect.ts";
import type { Review } from "../../garden/changes/effect/review.ts";
import { printable } from "../printable.ts";
import type { Paint, Style } from "../style.ts";
import { formatTime, inBothLanguages, quotedLines } from "../text-layout.ts";

/** A proposal for a terminal; with `next`, also the commands to decide it. All of it is untrusted text and is sanitised. */
export function proposalText(proposal: Proposal, review: Review, style: Style, next: boolean): Text {
  return inBothLanguages((language) => {
    const say = (text: Text): string => text[language];
    const { approval, apply_result: result } = proposal;
    const row = (label: Text, value: string): string =>
      `${style.dim(say(label).padEnd(LABEL[language]))} ${safe(value)}`;
    const lines = [
      `${style.bold(safe(proposal.id))}  ${proposal.status}`,
      row(words.action, `${proposal.action} ${proposal.target}`),
      row(words.from, `${whoOf(proposal)}  ${formatTime(proposal.created_at)}`),
      ...(next && proposal.status === "pending" ? [row(words.until, formatTime(proposal.expires_at))] : []),
      ...(proposal.edits === undefined ? [] : [row(words.edits, proposal.edits)]),
      ...(proposal.reverts === undefined ? [] : [row(words.reverts, proposal.reverts)]),
      ...(proposal.revises === undefined ? [] : [row(words.revises, proposal.revises)]),
      ...(approval?.revision_requested ? [row(words.revision, approval.revision_requested.run)] : []),
      ...(approval
        ? [row(words.decided, [approval.decision, approval.decided_by, formatTime(approval.decided_at)].join("  "))]
        : []),
      ...(approval?.files ? [row(words.chosen, approval.files.join(", "))] : []),
      ...(approval?.decision_note === undefined ? [] : [row(words.why, approval.decision_note)]),
      ...(result?.git_commit === undefined ? [] : [row(words.commit, result.git_commit)]),
      ...(result?.object_path === undefined ? [] : [row(words.object, result.object_path)]),
      ...(proposal.waiting ? [row(words.waiting, proposal.waiting[language])] : []),
      ...(proposal.returned && proposal.status === "pending"
        ? [row(words.returned, proposal.returned.why[language])]
        : []),
      ...(result?.error ? [row(words.error, `${result.error.code}: ${result.error.message[language]}`)] : []),
      row(words.digest, review.digest),
      "",
      style.dim(say(words.theirs)),
      ...quotedLines(proposal.summary),
      ...(proposal.reasoning === undefined ? [] : ["  |", ...quotedLines(proposal.reasoning)]),
      ...citationLines(proposal, language, style),
      "",
      ...effectLines(review, language, style),
      ...(next && proposal.status === "pending" ? ["", ...nextLines(proposal.id, review.digest, language, style)] : []),
    ];
    return lines.join("\n");
  });
}

function citationLines({ content }: Proposal, language: Language, style: Style): string[] {
  if (content.citations.length === 0) return [];
  const lines = content.citations.map(({ source, line, quote, step }) => {
    const at = step === undefined ? "" : ` (${words.step[language]} ${step})`;
    return safe(`  ${source}${line === undefined ? "" : `:${line}`}${at}${quote === undefined ? "" : ` “${quote}”`}`);
  });
  return [style.dim(words.rests[language]), ...lines];
}

/** The commands to approve and to reject, with the digest of the effect shown. */
function nextLines(id: string, digest: string, language: Language, style: Style): string[] {
  const short = safe(id.split("_").at(-1)!);
  return [
    `${style.dim(words.yes[language])} bloom proposals approve ${short} --digest ${safe(digest.slice(0, SHORT_DIGEST))}`,
    `${style.dim(words.no[language])} bloom proposals reject ${short} --reason "…"`,
  ];
}

/** The lines that a comment is about, the line itself marked. */
function excerptLines({ path, line, lines }: NonNullable<Review["about"]>, style: Style): string[] {
  const width = String(lines.at(-1)?.number ?? 0).length;
  return [
    safe(`${path}:${line}`),
    ...lines.map(({ number, text }) => {
      const shown = safe(`  ${number === line ? ">" : " "} ${String(number).padStart(width)}  ${text}`);
      return number === line ? style.bold(shown) : style.dim(shown);
    }),
  ];
}

/** The current effect, computed from the operation itself. */
function effectLines(review: Review, language: Language, style: Style): string[] {
  const lines = [style.dim(words.would[language])];
  if (review.merged) lines.push(words.merged[language]);
  for (const warning of review.warnings) lines.push(style.bold(safe(`! ${warning[language]}`)));
  for (const { path, why, hunks } of review.conflicts) {
    lines.push(style.red(safe(`${path}: ${why[language]}`)));
    for (const { line, ours, theirs } of hunks)
      lines.push(safe(`  ${line}:`), ...block(ours, style.red, "- "), ...block(theirs, style.green, "+ "));
  }
  if (review.refusal) lines.push(style.red(safe(review.refusal.text[language])));
  if (review.nothing) lines.push(safe(review.nothing[language]));
  for (const sentence of review.sentences) lines.push(safe(`  ${sentence[language]}`));
  if (review.about) lines.push(...excerptLines(review.about, style));
  for (const file of review.files) lines.push(...fileLines(file, style));
  return lines;
}

export function fileLines(file: ReviewFile, style: Style): string[] {
  const { path, change, patch, bytes, moved_from, moved_to } = file;
  if (moved_from !== undefined) return [style.bold(safe(`> ${moved_from} → ${path}`))];
  if (moved_to !== undefined) return []; // told at its new place
  if (patch === "") return [style.bold(safe(`${MARK[change]} ${path}${bytes === undefined ? "" : `  ${bytes} B`}`))];
  let inside = false; // inside a hunk, a note line that looks like a header is content
  return patch
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => {
      const text = safe(line);
      inside ||= line.startsWith("@@");
      if (!inside) return style.bold(text);
      if (line.startsWith("@@")) return style.cyan(text);
      if (line.startsWith("+")) return style.green(text);
      return line.startsWith("-") ? style.red(text) : text;
    });
}

export function cardLine(card: ProposalCard, style: Style, language: Language): string {
  const high = card.priority === "high" ? style.bold(" !") : "";
  const status = card.status === "pending" ? "" : `${card.status}  `;
  return `${style.bold(card.id)}${high}  ${status}${safe(card.source.identity)}  ${card.action} ${safe(card.target)}\n    ${safe(card.summary)}${previewLine(card, style, language)}${
    card.decision_note === undefined ? "" : `\n    ${style.dim(safe(card.decision_note))}`
  }${card.waiting === undefined ? "" : `\n    ${safe(card.waiting[language])}`}`;
}

/** The change in one line, where the proposal has one. */
function previewLine({ preview }: ProposalCard, style: Style, language: Language): string {
  if (!preview) return "";
  const more = preview.more === 0 ? "" : ` ${words.more[language].replace("{}", String(preview.more))}`;
  return `\n    ${style.dim(`${safe(preview.text)}${more}`)}`;
}

/** Groups by sender and run: the size of each, its first proposals, and the command that lists the rest. */
export function groupLines(groups: readonly ProposalGroup[], style: Style, language: Language): string {
  const blocks = groups.map(({ identity, run_id, count, proposals }) => {
    const head = [safe(identity), ...(run_id === undefined ? [] : [run_id])].join("  ");
    const left = count - proposals.length;
    const rest = run_id === undefined ? "bloom proposals list" : `bloom proposals list --run ${run_id}`;
    return [
      `${style.bold(head)}  ${words.count[language].replace("{}", String(count))}`,
      ...proposals.map((card) => cardLine(card, style, language).replaceAll(/^/gm, "  ")),
      ...(left === 0 ? [] : [`  ${words.left[language].replace("{}", String(left))} ${rest}`]),
    ].join("\n");
  });
  return blocks.join("\n\n");
}

const whoOf = ({ source, agent }: Proposal): string =>
  [agent ? `${agent.slug} v${agent.version}` : source.identity, source.run_id ?? ""].join(" ").trim();

/** Untrusted text on one line. */
const safe = (text: string): string => printable(text).replaceAll(/[\r\n]+/g, " ");
const block = (text: string, paint: Paint, mark: string): string[] =>
  printable(text)
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => paint(`    ${mark}${line}`));

const SHORT_DIGEST = 8;
const MARK = { added: "+", changed: "~", removed: "-" } as const;
const LABEL: Readonly<Record<Language, number>> = { en: 8, uk: 10 };

const words = {
  more: { en: "(and {} more)", uk: "(і ще {})" },
  count: { en: "pending: {}", uk: "чекає: {}" },
  left: { en: "{} more:", uk: "ще {}:" },
  action: { en: "action", uk: "дія" },
  from: { en: "from", uk: "від" },
  until: { en: "expires", uk: "чекає до" },
  edits: { en: "edits", uk: "замість" },
  reverts: { en: "reverts", uk: "відкликає" },
  revises: { en: "revises", uk: "доопрацьовує" },
  revision: { en: "revised by", uk: "доопрацьовує" },
  decided: { en: "decided", uk: "рішення" },
  chosen: { en: "only", uk: "лише" },
  why: { en: "why", uk: "чому" },
  commit: { en: "commit", uk: "коміт" },
  object: { en: "object", uk: "об'єкт" },
  waiting: { en: "waits", uk: "чекає" },
  returned: { en: "pending again", uk: "знову чекає" },
  error: { en: "error", uk: "помилка" },
  digest: { en: "digest", uk: "digest" },
  theirs: { en: "Reason given by the proposer, not verified:", uk: "Словами того, хто запропонував:" },
  rests: { en: "It rests on:", uk: "Спирається на:" },
  step: { en: "step", uk: "крок" },
  would: { en: "Effect:", uk: "Що вона зробить:" },
  yes: { en: "To approve:", uk: "Схвалити: " },
  no: { en: "To reject: ", uk: "Відхилити:" },
  merged: {
    en: "The garden has changed since; both changes can be merged.",
    uk: "Сад відтоді змінився; обидві зміни сумісні.",
  },
} as const satisfies Record<string, Text>;
