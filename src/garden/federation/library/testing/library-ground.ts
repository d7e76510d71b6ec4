import { scriptedModel } from "../../../../adapters/runtime/testing/scripted-model.ts";
import type { Json } from "../../../../base/canonical.ts";
import type { RunPlace } from "../../../core/flow/journal.ts";
import type { Garden } from "../../../core/garden.ts";
import { drawnAgent } from "../../../insight/learning/testing/drawn-agent.ts";
import { live, portsWith, requestedRun } from "../../../runs/testing/agent-ground.ts";

/** Two questions of a computation, a tool whose answer holds texts of the garden, and an effect. */
export const SORT = `BEGIN "Sort"
  notes ← read-notes()
  IF wanted
    text ← read-context(name)
  IF count > 3
    create-proposal(type: "propose-note", path: "notes/" + mark + ".md", text: "# New")
END
`;

/** An agent that sorts, with `runs` recorded runs by the follower. */
export async function sortingAgent(
  garden: Garden,
  slug: string,
  {
    procedure = SORT,
    runs = [],
  }: { readonly procedure?: string; readonly runs?: readonly { [name: string]: Json }[] } = {},
): Promise<readonly RunPlace[]> {
  await drawnAgent(garden, slug, procedure, {
    execution: "flow",
    model: "bloom/follower",
    tools: "[read-notes, read-context, create-proposal]",
    safe_outputs: "[propose-note]",
    max_steps: "20",
  });
  const places: RunPlace[] = [];
  for (const [index, input] of runs.entries()) {
    const place = await requestedRun(garden, slug, {
      wanted: false,
      name: "a",
      count: 1,
      mark: `${slug}-${index}`,
      secret: "Olena Kovalenko",
      ...input,
    });
    await live(garden, place, portsWith(scriptedModel([])));
    places.push(place);
  }
  return places;
}
