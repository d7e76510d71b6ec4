import { joined } from "../../base/text.ts";
import { resolveId } from "../../garden/changes/proposals/read.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { ensureLogicReport, noReport, reportPicture } from "../../garden/insight/learning/logic-report.ts";
import { readProposal } from "../../garden/records/proposals/proposal-log.ts";
import { type Context, type Report, textOption } from "../command.ts";
import { writeFile } from "../diagram/diagram-files.ts";
import { reportText } from "./tell-report.ts";

/** The report of a change of logic, made now if it is not there (L-8); with `--svg` its picture. */
export async function reportOne(context: Context, garden: Garden, [written]: readonly string[]): Promise<Report> {
  const proposal = await readProposal(garden.store, await resolveId(garden, written!));
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
  const told = drawn === undefined ? [] : [{ en: `Written: ${file}`, uk: `Записано: ${file}` }];
  return {
    text: joined([reportText(report, context.style), ...told], "\n"),
    json: { report, ...(drawn !== undefined && { svg: file }) },
    asked: true,
  };
}
