import { scriptedModel } from "../../../adapters/runtime/testing/scripted-model.ts";
import type { Json } from "../../../base/canonical.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { everyKey } from "../../../ports/store.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { drawnAgent } from "../../insight/learning/testing/drawn-agent.ts";
import { answerRequest } from "../answer.ts";
import { live, portsWith, requestedRun, stepsOf } from "./agent-ground.ts";
import { oneGarden } from "./one-garden.ts";

/** Asks two numbers and multiplies them: 9 × 5 is 45, 9 × 1000 is 9000. */
export const ORDER = `BEGIN "Order"
  PARAMETERS base
  a ← ask-human("How many?", form: "number")
  b ← ask-human("At which price?", form: "number")
  result ← a.number * b.number * base
END
`;
export const FLOW = { execution: "flow", model: "bloom/follower", tools: "[ask-human, read-notes, create-proposal]" };

/** One garden for all checks, each with an agent of its own. */
export const orderGarden = oneGarden();
let agents = 0;

/** The slug of a new active agent that follows this procedure. */
export async function agentWith(
  procedure: string = ORDER,
  over: Readonly<Record<string, string>> = {},
  garden: Garden = orderGarden(),
): Promise<string> {
  const slug = `orders-${++agents}`;
  await drawnAgent(garden, slug, procedure, { ...FLOW, ...over });
  return slug;
}

export interface HeldOrder {
  readonly garden: Garden;
  readonly place: RunPlace;
  /** The open question. */
  readonly request: string;
}

/** One life of a run, and the question that it is held by. */
export async function heldAt(garden: Garden, place: RunPlace): Promise<string> {
  const end = await live(garden, place, portsWith(scriptedModel([])));
  if (end.kind !== "held") throw new Error(`the run is not held but ${end.kind}`);
  return end.request;
}

export async function startedOrder(
  procedure: string = ORDER,
  input: Json = { base: 1 },
  garden: Garden = orderGarden(),
): Promise<HeldOrder> {
  const place = await requestedRun(garden, await agentWith(procedure, {}, garden), input);
  return { garden, place, request: await heldAt(garden, place) };
}

export const answerWith = (garden: Garden, request: string, value: Json, note?: string) =>
  answerRequest(garden, { request, value, by: commandLineOwner, note });

/** Answers the open question, and lives on to the next one. */
export async function nextOrder({ garden, place, request }: HeldOrder, value: Json): Promise<HeldOrder> {
  await answerWith(garden, request, value);
  return { garden, place, request: await heldAt(garden, place) };
}

/** Answers the open question and lives on to the end; the result of the procedure. */
export async function resultOfOrder({ garden, place, request }: HeldOrder, value: Json): Promise<Json | undefined> {
  await answerWith(garden, request, value);
  await live(garden, place, portsWith(scriptedModel([])));
  return resultIn(garden, place);
}

export async function resultIn(garden: Garden, place: RunPlace): Promise<Json | undefined> {
  const done = (await stepsOf(garden, place)).find(({ name }) => name === "execute-agent");
  return (done?.output as { readonly value?: Json } | undefined)?.value;
}

/** Keys of a run's objects, without the folder that they share. */
export async function keysOfRun({ store }: Garden, { slug, run }: RunPlace): Promise<string[]> {
  const found: string[] = [];
  const folder = keys.runFolder(slug, run);
  for await (const { key } of everyKey(store, folder)) found.push(key.slice(folder.length));
  return found;
}
