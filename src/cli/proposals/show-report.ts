import { joined } from "../../base/text.ts";
import { resolveProposalId } from "../../garden/changes/proposals/list-proposals.ts";
import { ensureLogicReport, noReport, reportPicture } from "../../garden/insight/learning/logic-report.ts";
import { readProposal } from "../../garden/records/proposals/proposal-log.ts";
import { writeFile } from "../diagram/diagram-files.ts";
import { textOption } from "../options.ts";
import type { Subcommand } from "../subcommands.ts";
import { logicReportText } from "./print-report.ts";

/** The report on a change of logic, created if missing (L-8); with `--svg` its picture. */
export const showLogicReport: Subcommand["run"] = async (context, garden, [id]) => {
  const proposal = await readProposal(garden.store, await resolveProposalId(garden, id!));
  const recorded = await ensureLogicReport(garden, proposal);
  if (!recorded) throw noReport(proposal.id);
  const { report } = recorded;
  const file = textOption(context, "svg");
  const { language } = context;
  const drawn =
    file === undefined || !report.counterfactual
      ? undefined
      : (await reportPicture(garden, proposal, report.counterfactual, { language })).svg;
  if (file !== undefined && drawn !== undefined) await writeFile(context, file, drawn);
  const written = drawn === undefined ? [] : [{ en: `Wrote ${file}`, uk: `Записано: ${file}` }];
  return {
    text: joined([logicReportText(report, context.style), ...written], "\n"),
    json: { report, ...(drawn !== undefined && { svg: file }) },
    asked: true,
  };
};
