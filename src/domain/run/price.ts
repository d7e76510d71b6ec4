import type { GardenConfig } from "../config/garden-config.ts";
import type { RunManifest } from "./run-manifest.ts";

/** What a run cost, by the prices that the owner wrote down. */
export interface Cost {
  readonly amount: number;
  readonly currency: string;
}

/** Undefined if the owner named no price of that model: a guess would be taken for a bill. */
export function costOf(
  { currency, models }: GardenConfig["prices"],
  { model_used, tokens_used }: Pick<RunManifest, "model_used" | "tokens_used">,
): Cost | undefined {
  const price = Object.hasOwn(models, model_used) ? models[model_used] : undefined;
  if (!price) return undefined;
  const amount = (tokens_used.input * price.input + tokens_used.output * price.output) / 1_000_000;
  // A millionth of a currency is less than anybody pays, and more than binary fractions get wrong.
  return { amount: Math.round(amount * 1_000_000) / 1_000_000, currency };
}
