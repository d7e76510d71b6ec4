import { expect, test } from "vitest";
import type { Delivery } from "../remote/engine-link.ts";
import { inngestFunctions } from "./inngest-functions.ts";
import type { InngestEvent, InngestSdk, InngestStep } from "./inngest-package.ts";

const one: Delivery = { key: "a1", lane: "a", ticket: "p-1", failed: 0, isReminder: false };

/** Calls `agent/run` with a delivery as the SDK does, and counts the steps. */
async function called(given: unknown, next: Delivery | undefined, delayMs: number) {
  let handler: ((call: object) => Promise<unknown>) | undefined;
  const client = {
    createFunction: (_: object, work: (call: object) => Promise<unknown>) => (handler ??= work),
  } as unknown as InstanceType<InngestSdk["Inngest"]>;
  const sent: InngestEvent[] = [];
  let steps = 0;
  const step: InngestStep = {
    run: (_, work) => (steps++, work()),
    sleep: async () => void steps++,
    sendEvent: async (_, events) => (steps++, sent.push(...events)),
  };
  inngestFunctions(client, {
    app: "bloom",
    deliver: () => async () => next && { delivery: next, delayMs },
    requestDue: () => async () => [],
    event: ({ delivery }) => ({ id: delivery.ticket, name: "agent/run.requested", data: { delivery } }),
  });
  const end = await handler!({ event: { data: { delivery: given } }, step }).catch((error: unknown) => error);
  return { end, sent, steps };
}

test("O-11 a function run stays below the 1,000 steps of the server, and a new one goes on", async () => {
  const { steps, sent } = await called(one, { ...one, ticket: "p-2" }, 1000);
  expect({ isBelow: steps < 1000, goesOn: sent.map(({ id }) => id) }).toEqual({ isBelow: true, goesOn: ["p-2"] });
});

test("O-3 what is due at once is a new event: a step would go before the other runs of its lane", async () => {
  const { steps, sent } = await called(one, { ...one, ticket: "p-2" }, 0);
  expect({ steps, goesOn: sent.map(({ id }) => id) }).toEqual({ steps: 2, goesOn: ["p-2"] });
});

test("O-11 an event of another version that cannot be read starts no work", async () => {
  const { end, steps } = await called({ ...one, colour: "red" }, undefined, 0);
  expect({ isRefused: end instanceof Error, steps }).toEqual({ isRefused: true, steps: 0 });
});
