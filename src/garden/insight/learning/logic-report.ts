import { asFailure, Failure } from "../../../base/failure.ts";
import type { Language } from "../../../base/text.ts";
import type { CounterfactualReport } from "../../../domain/logic/counterfactual-report.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { readDiagram } from "../../../drakon/diagram/diagram.ts";
import { drawDiagram } from "../../../drakon/draw/draw.ts";
import type { IconOverlay } from "../../../drakon/draw/paint/overlay.ts";
import type { DrawingTheme } from "../../../drakon/draw/paint/theme.ts";
import { everyKey } from "../../../ports/store.ts";
import { currentSettings } from "../../core/access/current-settings.ts";
import type { Garden } from "../../core/garden.ts";
import type { LogicOperation } from "../../records/logic/operation-logic.ts";
import {
  changesLogic,
  findReport,
  needsNoRecording,
  type RecordedReport,
  recordReport,
} from "../../records/logic/report-gate.ts";
import { findReadable } from "../../records/proposals/proposal-log.ts";
import { PENDING_VIEWS, pendingIdIn } from "../../records/proposals/proposal-views.ts";
import { proposedProgram, replayAgainstProposal } from "../replay/counterfactual.ts";

/**
 * The report of a logic change (L-8): the stored one, or a new one over the newest runs and the change's evidence runs. There is one
 * report per digest; a decided proposal gets no new one. Undefined for proposals that change no logic, and for an agent's change
 * without any run.
 */
export async function ensureLogicReport(garden: Garden, proposal: Proposal): Promise<RecordedReport | undefined> {
  if (!changesLogic(proposal)) return undefined;
  const there = await findReport(garden.store, proposal.digest);
  if (there || (proposal.status !== "pending" && proposal.status !== "failed")) return there;
  const { learning } = await currentSettings(garden);
  const report = await replayAgainstProposal(garden, proposal, { most: learning.counterfactual_runs });
  if (report.totals.runs > 0) return recordReport(garden, proposal, report);
  return needsNoRecording(proposal) ? recordReport(garden, proposal) : undefined;
}

/** Chore: makes the missing reports of pending proposals. One failure does not prevent the others; the first is thrown at the end. */
export async function makeReports(garden: Garden): Promise<readonly string[]> {
  const made: string[] = [];
  let failure: Failure | undefined;
  for await (const { key } of everyKey(garden.store, PENDING_VIEWS)) {
    const id = pendingIdIn(key);
    const proposal = id === undefined ? undefined : await findReadable(garden.store, id);
    if (proposal?.status !== "pending" || !changesLogic(proposal)) continue;
    if (await findReport(garden.store, proposal.digest)) continue;
    try {
      if (await ensureLogicReport(garden, proposal)) made.push(proposal.id);
    } catch (thrown) {
      failure ??= asFailure(thrown);
    }
  }
  if (failure) throw failure;
  return made;
}

/**
 * Draws the proposed diagram with the icons where runs diverge, their counts, and the path taken from there; no picture without a
 * diagram. Icons of other files than `mainFile` belong to diagrams that it calls.
 */
export async function reportPicture(
  garden: Garden,
  proposal: Proposal,
  { icons }: Pick<CounterfactualReport, "icons">,
  options: { readonly language: Language; readonly theme?: DrawingTheme | undefined },
): Promise<{ readonly mainFile: string; readonly svg?: string }> {
  const { diagram, mainFile } = await proposedProgram(garden, proposal.operation as LogicOperation);
  if (diagram === undefined) return { mainFile };
  const here = icons.filter((one) => one.diagram === mainFile);
  const most = Math.max(1, ...here.map(({ parts, avoids, cannot_tell }) => parts + avoids + cannot_tell));
  const overlays = new Map<string, IconOverlay>(
    here.map(({ icon, parts, avoids, cannot_tell }) => {
      const count = parts + avoids + cannot_tell;
      return [icon, { count, heat: count / most, badge: badgeOf(parts, avoids, cannot_tell) }];
    }),
  );
  const { language, theme } = options;
  const highlight = here.find(({ way }) => way.length > 1)?.way ?? [];
  const drawing = { language, overlays, highlight, ...(theme && { theme }) };
  return { mainFile, svg: drawDiagram(readDiagram(diagram).diagram, drawing).svg };
}

/** `≠` takes another path, `✓` avoids the failure, `?` unknown. */
const badgeOf = (parts: number, avoids: number, unknown: number): string =>
  [parts > 0 ? `≠${parts}` : "", avoids > 0 ? `✓${avoids}` : "", unknown > 0 ? `?${unknown}` : ""]
    .filter(Boolean)
    .join(" ");

export const noReport = (id: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `${id} has no report: it changes no logic, was decided without one, or has no run as evidence`,
    uk: `${id} не має звіту: вона не змінює логіки, вирішена без нього або не спирається на жоден запуск`,
    details: { proposal: id },
  });
