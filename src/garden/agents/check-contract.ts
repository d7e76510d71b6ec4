import { blobId } from "../../base/canonical.ts";
import type { Text } from "../../base/text.ts";
import { type Contract, readContract } from "../../domain/contract/contract.ts";
import { contractHash } from "../../domain/contract/contract-file.ts";
import { readCron } from "../../domain/contract/cron.ts";
import { slotAfter } from "../../domain/contract/cron-slots.ts";
import type { Models } from "../../ports/models.ts";
import type { Garden } from "../core/garden.ts";
import type { AgentFileReading } from "../records/agents/read-agent.ts";
import { type ActivationReport, activationReport } from "./lifecycle/activation.ts";

/** A text that is being edited: the checks of a saved contract, and facts that help to write it. */
export interface ContractCheck extends Pick<ActivationReport, "ready" | "checks" | "problems"> {
  /** Undefined while there are problems. */
  readonly contract: Contract | undefined;
  /** The next times of its schedule, and the time zone that they are meant in. */
  readonly next: readonly string[];
  readonly timezone: string;
  readonly model: ModelFacts | undefined;
}

interface ModelFacts {
  readonly ok: boolean;
  readonly trouble?: Text;
  readonly hint?: Text;
  /** By the owner's prices, for a million tokens; undefined if there is none. */
  readonly price?: { readonly input: number; readonly output: number; readonly currency: string };
}

const MOST_TIMES = 3;

/** Checks a contract's text as if it were the agent's file. Writes nothing, and makes no call to a model. */
export async function checkContractText(
  garden: Garden,
  models: Models,
  { slug, text }: { readonly slug: string; readonly text: string },
): Promise<ContractCheck> {
  const bytes = Buffer.from(text);
  const hash = blobId(bytes);
  const reading = readContract(bytes);
  const sight: AgentFileReading =
    reading.kind === "problems"
      ? { kind: "broken", bytes, hash, problems: reading.problems }
      : {
          kind: "agent",
          agent: {
            slug,
            contract: reading.contract,
            body: reading.body,
            text,
            hash,
            contractHash: contractHash(text),
          },
        };
  const { ready, checks, problems } = await activationReport(garden, slug, sight);
  const contract = reading.kind === "contract" ? reading.contract : undefined;
  const timezone = contract?.timezone ?? garden.config.schedule.timezone;
  return {
    ready,
    checks,
    problems,
    contract,
    timezone,
    next: contract?.triggers.cron ? nextTimes(contract.triggers.cron, timezone, garden.world.now()) : [],
    model: contract && modelFacts(garden, models, contract.model),
  };
}

function nextTimes(written: string, timezone: string, now: number): readonly string[] {
  const cron = readCron(written);
  const times: string[] = [];
  if (!cron) return times;
  let at = slotAfter(cron, timezone, now);
  while (at !== undefined && times.length < MOST_TIMES) {
    times.push(new Date(at).toISOString());
    at = slotAfter(cron, timezone, at);
  }
  return times;
}

function modelFacts({ config }: Garden, models: Models, id: string): ModelFacts {
  const failure = models.trouble(id);
  const { currency, models: prices } = config.prices;
  const price = Object.hasOwn(prices, id) ? prices[id] : undefined;
  return {
    ok: !failure,
    ...(failure && { trouble: failure.text }),
    ...(failure?.hint && { hint: failure.hint }),
    ...(price && { price: { input: price.input, output: price.output, currency } }),
  };
}
