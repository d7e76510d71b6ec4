import { expect, test } from "vitest";
import { scriptedModel } from "../adapters/runtime/testing/scripted-model.ts";
import type { StepRecord } from "../domain/run/run-step.ts";
import { activeAgent, live, portsWith, requestedRun, stepsOf } from "../garden/runs/testing/agent-ground.ts";
import { gardenWith } from "../garden/testing/scratch.ts";
import { type StepEvent, stepFeed } from "./step-feed.ts";

const NEVER_MS = 2 ** 30;
const script = () => scriptedModel([{ calls: [{ tool: "read-notes", input: {} }] }, { text: "NOOP: nothing" }]);
const MODEL = { model: "claude-sonnet-4-5-20250929" };

test("A-4 steps of this process are delivered at once, once and in order, without polling the store", async () => {
  const { garden } = await gardenWith();
  await activeAgent(garden, "bee", MODEL);
  const told: StepEvent[] = [];
  const first = Promise.withResolvers<void>();
  const store = {
    ...garden.store,
    get: garden.store.get.bind(garden.store),
    list: async (...args: Parameters<typeof garden.store.list>) => {
      const page = await garden.store.list(...args);
      first.resolve();
      return page;
    },
  };
  const deaf = stepFeed({ signals: garden.signals, store }, NEVER_MS).listen((event) => told.push(event));
  await first.promise;
  await new Promise(setImmediate);

  const place = await requestedRun(garden, "bee");
  const passed = (step: StepRecord): void => garden.signals.publishStep({ ...place, step });
  await live(garden, place, portsWith(script()), { passed });
  await live(garden, place, portsWith(script()), { passed }); // on resume, replayed steps were already delivered
  deaf();
  const recorded = await stepsOf(garden, place);
  expect(told.map(({ position, name }) => [position, name])).toEqual(
    recorded.map(({ position, name }) => [position, name]),
  );
});
