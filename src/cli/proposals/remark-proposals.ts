import { joined, type Text } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import type { Remark } from "../../domain/proposal/remark.ts";
import { reviewProposal } from "../../garden/changes/effect/review.ts";
import { resolveProposalId } from "../../garden/changes/proposals/list-proposals.ts";
import { addRemark } from "../../garden/changes/proposals/remarks.ts";
import { readProposal } from "../../garden/records/proposals/proposal-log.ts";
import { sendBack } from "../../garden/runs/send-back.ts";
import { usageError } from "../failures.ts";
import { numberOption, textOption } from "../options.ts";
import { printable } from "../printable.ts";
import type { Style } from "../style.ts";
import type { Subcommand } from "../subcommands.ts";
import { formatTime, inBothLanguages, quotedLines } from "../text-layout.ts";

const by = commandLineOwner;

/** P-10c: a remark on a proposal, or with `--line` on a line of its change. Nothing is decided. */
export const commentProposal: Subcommand["run"] = async (context, garden, [written]) => {
  const id = await resolveProposalId(garden, written!);
  const text = textOption(context, "text");
  if (text === undefined)
    throw usageError(
      { en: "comment: --text is missing", uk: "comment: бракує --text" },
      { en: 'For example: --text "Which year?"', uk: 'Наприклад: --text "Якого року?"' },
    );
  const line = numberOption(context, "line");
  const review = await reviewProposal(garden, await readProposal(garden.store, id));
  const path = textOption(context, "file") ?? review.files[0]?.path;
  const place = line === undefined || path === undefined ? undefined : ({ path, line, side: "after" } as const);
  const remark = await addRemark(garden, { proposal: id, by, text, place });
  return {
    text: {
      en: `Comment ${remark.number + 1} on ${id} recorded`,
      uk: `Коментар ${remark.number + 1} до ${id} записано`,
    },
    json: { remark },
  };
};

/** P-10c: rejects proposals and has their agent revise them. */
export const sendBackProposals: Subcommand["run"] = async (context, garden, words) => {
  const note = textOption(context, "reason");
  const sent = [];
  for (const written of words) {
    const id = await resolveProposalId(garden, written);
    const { digest } = await readProposal(garden.store, id);
    sent.push(await sendBack(garden, { proposal: id, digest, by, note }));
  }
  const lines = sent.map(({ id, approval }): Text => {
    const { run } = approval!.revision_requested!;
    return { en: `${id} is sent back; ${run} revises it`, uk: `${id} повернуто; її доопрацьовує ${run}` };
  });
  return { text: joined(lines, "\n"), json: { proposals: sent } };
};

/** Remarks for a terminal: untrusted text, sanitised. */
export const remarkLines = (remarks: readonly Remark[], style: Style): Text =>
  inBothLanguages((language) =>
    [
      style.dim({ en: "Comments:", uk: "Коментарі:" }[language]),
      ...remarks.flatMap(({ by: who, at, text, place }) => [
        printable(`  ${who}  ${formatTime(at)}${place ? `  ${place.path}:${place.line}` : ""}`),
        ...quotedLines(text),
      ]),
    ].join("\n"),
  );
