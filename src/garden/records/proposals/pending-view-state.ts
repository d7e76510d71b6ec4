import { z } from "zod";
import type { Json } from "../../../base/canonical.ts";
import { keys } from "../../../domain/layout.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { cardOf } from "../../../domain/proposal/proposal-card.ts";
import type { Write } from "../../../ports/store.ts";
import { jsonBytes, tryReadJson } from "../../core/json-record.ts";

/** The number of events tells a pending view that was written again after a withdrawn approval from the first one. */
export const cardBytes = (proposal: Proposal): Uint8Array =>
  jsonBytes({ ...cardOf(proposal), ...(proposal.status === "pending" && { events: proposal.length }) });

export const closingView = (proposal: Proposal): Write => ({
  verb: "put",
  key: keys.pendingProposal(proposal.id),
  bytes: jsonBytes({ ...cardOf(proposal), events: proposal.length, closing: true }),
});

const viewState = z.object({ events: z.int(), closing: z.boolean().optional() });

/** The card in the JSON of a view. */
export function withoutViewState(view: Json): Json {
  if (typeof view !== "object" || view === null || Array.isArray(view)) return view;
  return Object.fromEntries(Object.entries(view).filter(([name]) => name !== "events" && name !== "closing"));
}

/** The number of events of which a pending view tells; undefined for one that is being closed, or that an older version wrote. */
export function pendingViewState(bytes: Uint8Array | undefined): number | undefined {
  const state = tryReadJson(bytes, viewState);
  return state?.closing ? undefined : state?.events;
}
