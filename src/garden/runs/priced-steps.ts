import { contractFile, frontValue } from "../../domain/contract/contract-file.ts";
import { costOf, type Prices, type RunCost } from "../../domain/run/price.ts";
import { LOAD_CONTEXT, loadedContext, type RunManifest } from "../../domain/run/run-manifest.ts";
import type { StepRecord } from "../../domain/run/run-step.ts";

export interface PricedSteps {
  readonly steps: readonly (StepRecord & { readonly cost?: RunCost })[];
  /** The cost of all recorded steps; undefined without a price for the model. */
  readonly cost: RunCost | undefined;
  readonly pinned: { readonly logic_version?: string; readonly model_used?: string };
}

/** The steps with what each of them cost. An open run has its model from the contract that it has loaded. */
export function pricedSteps(
  prices: Prices,
  steps: readonly StepRecord[],
  manifest: RunManifest | undefined,
): PricedSteps {
  const context = steps[0]?.name === LOAD_CONTEXT ? loadedContext.safeParse(steps[0].output).data : undefined;
  const model_used = manifest?.model_used ?? (context && modelIn(context.contract));
  const costFor = (tokens: StepRecord["tokens"]): RunCost | undefined =>
    model_used === undefined || !tokens ? undefined : costOf(prices, { model_used, tokens_used: tokens });
  const total = steps.reduce(
    (sum, { tokens }) => ({ input: sum.input + (tokens?.input ?? 0), output: sum.output + (tokens?.output ?? 0) }),
    { input: 0, output: 0 },
  );
  const logic = manifest?.logic_version ?? context?.logic_version;
  return {
    steps: steps.map((step) => {
      const cost = costFor(step.tokens);
      return cost ? { ...step, cost } : step;
    }),
    cost: costFor(manifest?.tokens_used ?? total),
    pinned: { ...(logic != null && { logic_version: logic }), ...(model_used !== undefined && { model_used }) },
  };
}

function modelIn(contract: string): string | undefined {
  const file = contractFile(contract);
  return file && frontValue(file, "model");
}
