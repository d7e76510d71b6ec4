import type { GardenConfig } from "../config/garden-config.ts";
import type { RunManifest } from "./run-manifest.ts";

/** Cost of a run by the owner's prices. */
export interface RunCost {
  readonly amount: number;
  readonly currency: string;
}

export type Prices = GardenConfig["prices"];

/** Undefined if the owner set no price for that model: an estimate would be taken for a bill. */
export function costOf(
  { currency, models }: Prices,
  { model_used, tokens_used }: Pick<RunManifest, "model_used" | "tokens_used">,
): RunCost | undefined {
  const price = Object.hasOwn(models, model_used) ? models[model_used] : undefined;
  if (!price) return undefined;
  const amount = (tokens_used.input * price.input + tokens_used.output * price.output) / 1_000_000;
  // Rounding to a millionth hides the errors of binary fractions.
  return { amount: Math.round(amount * 1_000_000) / 1_000_000, currency };
}
