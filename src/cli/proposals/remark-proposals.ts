import { joined, type Text } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { type Remark, type RemarkPlace, remarkPlaceName } from "../../domain/proposal/remark.ts";
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

/** P-10c: a remark on a proposal, with `--line` on a line of its change, with `--icon` on an icon. Nothing is decided. */
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
  const drawn = review.files.find(({ path }) => path.endsWith("current.drakon.json"))?.path;
  const icon = textOption(context, "icon");
  const path = textOption(context, "file") ?? (icon === undefined ? undefined : drawn) ?? review.files[0]?.path;
  const place = path === undefined ? undefined : placeOf(path, line, icon, textOption(context, "diagram"));
  const remark = await addRemark(garden, { proposal: id, by, text, place });
  return {
    text: {
      en: `Comment ${remark.number + 1} on ${id} recorded`,
      uk: `Коментар ${remark.number + 1} до ${id} записано`,
    },
    json: { remark },
  };
};

/** The line or the icon that the options name. */
function placeOf(
  path: string,
  line: number | undefined,
  icon: string | undefined,
  diagram: string | undefined,
): RemarkPlace | undefined {
  const side = "after";
  if (icon !== undefined) return { path, icon, side, ...(diagram !== undefined && { diagram }) };
  return line === undefined ? undefined : { path, line, side };
}

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
        printable(`  ${who}  ${formatTime(at)}${place ? `  ${remarkPlaceName(place)}` : ""}`),
        ...quotedLines(text),
      ]),
    ].join("\n"),
  );
