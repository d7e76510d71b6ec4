import { withNearestName } from "../garden/agents/nearest-name.ts";
import { closeGarden, type Garden, openGarden } from "../garden/core/garden.ts";
import type { CommandContext } from "./command.ts";

/** Opens the garden for the duration of `use` and closes it in any case. A missing agent or note is reported with the nearest name. */
export async function withGarden<T>(context: CommandContext, use: (garden: Garden) => Promise<T>): Promise<T> {
  const garden = await openGarden(context.ground, await context.gardenDir());
  try {
    return await use(garden);
  } catch (error) {
    throw await withNearestName(garden, error);
  } finally {
    await closeGarden(garden);
  }
}
