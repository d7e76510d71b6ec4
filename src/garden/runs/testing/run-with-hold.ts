import { scriptedModel } from "../../../adapters/runtime/testing/scripted-model.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { answerRequest } from "../answer.ts";
import { manifestAt } from "../open-runs.ts";
import { live, portsWith } from "./agent-ground.ts";

/** The turns of a run that reads, asks a person, and proposes. `made` is called for every call that reaches the model. */
const modelWithHold = (made: (call: string) => void) =>
  scriptedModel((_, turn) => {
    made(`model ${turn}`);
    switch (turn) {
      case 0:
        return { calls: [{ tool: "read-notes", input: {} }] };
      case 1:
        return { calls: [{ tool: "ask-human", input: { question: "Which?", form: "choice", options: ["a", "b"] } }] };
      case 2:
        return {
          calls: [{ tool: "create-proposal", input: { type: "propose-note", path: "notes/n.md", text: "# N\n" } }],
        };
      default:
        return { text: "One proposal." };
    }
  });

/** Executes the run to its manifest, and answers for the person. */
export async function toItsEnd(garden: Garden, place: RunPlace, made: (call: string) => void): Promise<void> {
  const ports = portsWith(modelWithHold(made));
  while (!(await manifestAt(garden.store, place))) {
    const end = await live(garden, place, ports);
    if (end.kind === "held")
      await answerRequest(garden, { request: end.request, value: { choice: "b" }, by: commandLineOwner, note: "yes" });
  }
}
