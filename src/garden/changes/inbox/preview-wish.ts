import type { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { Action } from "../../../domain/proposal/action.ts";
import { targetOf } from "../../../domain/proposal/operation.ts";
import { currentSettings } from "../../core/access/current-settings.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import type { Agent } from "../../records/agents/read-agent.ts";
import type { ReviewFile } from "../effect/effect.ts";
import { passGate } from "./gate.ts";
import { proposalIdOf } from "./proposal-from-entry.ts";
import { entryFromWish, type Wish } from "./wish.ts";

/** The effect that a wish would have as a proposal, or why the gate would refuse it. */
export type WishPreview =
  | {
      readonly kind: "possible";
      readonly action: Action;
      readonly target: string;
      readonly summary: string;
      readonly files: readonly ReviewFile[];
      /** The change in sentences (memory). */
      readonly sentences: readonly Text[];
    }
  | { readonly kind: "refused"; readonly action: string; readonly summary: string; readonly failure: Failure };

/** Passes a wish of a tried agent through the gate at main. Writes nothing: no entry, no audit record, no use of the rate limit. */
export async function previewWish(garden: Garden, wish: Wish, tried: Agent): Promise<WishPreview> {
  const config = await currentSettings(garden);
  const { action, summary = action, identity } = wish;
  const read = entryFromWish(wish, config, garden.world);
  if (read.kind === "refused") return { kind: "refused", action, summary, failure: read.failure };
  const { entry } = read;
  const head = await headOf(garden.repo);
  const proposal = proposalIdOf(entry);
  const answer = await passGate({ garden, config, entry, identity, proposal, head, counted: true, tried });
  if (answer.kind === "refused") return { kind: "refused", action, summary, failure: answer.failure };
  const { operation, ready } = answer.passed;
  return {
    kind: "possible",
    action: operation.action,
    target: targetOf(operation),
    summary,
    files: ready.review,
    sentences: ready.sentences ?? [],
  };
}
