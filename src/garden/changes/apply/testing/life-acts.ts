import { asFailure, type Failure } from "../../../../base/failure.ts";
import { commandLineOwner } from "../../../../domain/identity.ts";
import type { Garden } from "../../../core/garden.ts";
import { readProposal } from "../../../records/proposals/proposal-log.ts";
import { reviewProposal } from "../../effect/review.ts";
import { receive } from "../../inbox/receive.ts";
import { decide, decideBatch, retryApply } from "../../proposals/decide.ts";
import { editAndApprove } from "../../proposals/edit-and-approve.ts";
import { expireDue } from "../../proposals/expire.ts";
import { type ResolvedTexts, resolveMerge } from "../../proposals/resolve-merge.ts";
import { proposeRevert } from "../propose-revert.ts";

/**
 * Actions of people as data, so that a child process can carry them out and be killed. They use the same verbs as gateway
 * and command line. `token` names a wish: it is its correlation id and its reasoning, which identifies its proposal
 * later.
 */
export type LifeAct =
  /** `whole`: submitted, reviewed and approved by one process; continues if it was begun before. */
  | { readonly kind: "submit" | "whole"; readonly token: string; readonly action: string; readonly payload: object }
  | { readonly kind: "approve" | "reject" | "retry"; readonly id: string }
  | { readonly kind: "batch"; readonly ids: readonly string[] }
  | { readonly kind: "edit"; readonly id: string; readonly token: string; readonly payload: object }
  | { readonly kind: "resolve"; readonly id: string; readonly files: ResolvedTexts }
  | { readonly kind: "revert"; readonly id: string; readonly token: string }
  | { readonly kind: "expire" };

/** An answer that a person got: it must stay true after any crash. */
export interface Told {
  readonly id: string;
  readonly status: string;
}

const by = commandLineOwner;
export const LIFETIME_HOURS = 40;

export async function perform(garden: Garden, act: LifeAct): Promise<readonly Told[] | Failure> {
  try {
    return (await verbs(garden, act)).map(({ id, status }) => ({ id, status }));
  } catch (error) {
    return asFailure(error);
  }
}

async function verbs(garden: Garden, act: LifeAct): Promise<readonly Told[]> {
  switch (act.kind) {
    case "submit":
    case "whole": {
      const { token, action, payload } = act;
      const wish = { identity: by, action, payload, reasoning: token, correlation_id: token };
      const received = await receive(garden, { ...wish, ttl_hours: LIFETIME_HOURS });
      if (received.kind === "refused") throw received.failure;
      const { proposal } = received;
      return act.kind === "whole" && proposal.status === "pending"
        ? verbs(garden, { kind: "approve", id: proposal.id })
        : [proposal];
    }
    case "approve":
      return [await decide(garden, { proposal: act.id, verdict: "approve", digest: await seen(garden, act.id), by })];
    case "reject":
      return [
        await decide(garden, {
          proposal: act.id,
          verdict: "reject",
          digest: await seen(garden, act.id),
          by,
          note: "no",
        }),
      ];
    case "retry":
      return [await retryApply(garden, { proposal: act.id, by })];
    case "batch": {
      const proposals = await Promise.all(act.ids.map(async (id) => ({ id, digest: await seen(garden, id) })));
      const answers = await decideBatch(garden, { proposals, verdict: "approve", by });
      return answers.flatMap(({ proposal }) => proposal ?? []);
    }
    case "edit": {
      const { id, token, payload } = act;
      const digest = await seen(garden, id);
      const { first, edited } = await editAndApprove(garden, { proposal: id, digest, by, payload, note: token });
      return [first, edited];
    }
    case "resolve": {
      const { first, proposal } = await resolveMerge(garden, { proposal: act.id, by, files: act.files });
      return [first, proposal];
    }
    case "revert": {
      const received = await proposeRevert(garden, { proposal: act.id, by, reason: act.token });
      if (received.kind === "refused") throw received.failure;
      return [received.proposal];
    }
    case "expire":
      return (await expireDue(garden)).map((id) => ({ id, status: "expired" }));
  }
}

const seen = async (garden: Garden, id: string): Promise<string> =>
  (await reviewProposal(garden, await readProposal(garden.store, id))).digest;
