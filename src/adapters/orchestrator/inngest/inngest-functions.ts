import { keys } from "../../../domain/layout.ts";
import type { OfferedRun } from "../../../ports/orchestrator.ts";
import { type Deliver, delivery, type NextDelivery } from "../remote/engine-link.ts";
import type { InngestEvent, InngestSdk, InngestStep } from "./inngest-package.ts";

export const RUN_REQUESTED = "agent/run.requested";

/** Rounds of one function run. The server allows 1,000 steps; a round has two. */
const MOST_ROUNDS = 400;

export interface InngestWork {
  readonly app: string;
  readonly deliver: () => Deliver;
  readonly requestDue: () => () => Promise<readonly OfferedRun[]>;
  readonly event: (next: NextDelivery) => InngestEvent;
}

/**
 * The functions of source 003: `agent/run` and `agent/cron`. Both are static, agents come and go without a new registration. Results
 * of steps are references into the store, and no name of a step carries meaning: a step that the server repeats, or that another
 * version of this program calls by another name, finds its work recorded in the store.
 */
export function inngestFunctions(client: InstanceType<InngestSdk["Inngest"]>, work: InngestWork): readonly unknown[] {
  const { app } = work;
  const agentRun = client.createFunction(
    {
      id: "agent-run",
      name: "agent/run",
      // Gardens on one server share its events.
      triggers: [{ event: RUN_REQUESTED, if: `event.data.app == '${app}'` }],
      // Calls that fail because no worker answers use these up; then a reminder begins anew.
      retries: 20,
      concurrency: [{ key: "event.data.agentId", limit: 1, scope: "fn" }],
    },
    ({ event, step }) => runAgentRun(event.data, step, work),
  );
  const agentCron = client.createFunction(
    {
      id: "agent-cron",
      name: "agent/cron",
      triggers: [{ cron: "* * * * *" }],
      retries: 3,
      concurrency: [{ limit: 1 }],
    },
    async ({ step }) =>
      await step.run("request-due", async () => {
        const asked = await work.requestDue()();
        return { runs: asked.map(({ key, lane }) => keys.runStatus(lane, key)) };
      }),
  );
  return [agentRun, agentCron];
}

async function runAgentRun(data: unknown, step: InngestStep, work: InngestWork): Promise<{ readonly ref: string }> {
  let { delivery: one } = data as { delivery: unknown };
  for (let round = 1; ; round++) {
    const given = delivery.parse(one);
    const ref = keys.runStatus(given.lane, given.key);
    const { next } = await step.run(`work-${round}`, async () => ({
      ref,
      next: (await work.deliver()(given)) ?? null,
    }));
    if (!next) return { ref };
    // The server prefers steps of older function runs: with a step, what is due at once would go before the other runs of its lane.
    if (round === MOST_ROUNDS || next.delayMs === 0) {
      await step.sendEvent("go-on", [work.event(next)]);
      return { ref };
    }
    one = next.delivery;
    // Inngest sleeps for whole seconds.
    await step.sleep(`wait-${round}`, Math.ceil(next.delayMs / 1000) * 1000);
  }
}
