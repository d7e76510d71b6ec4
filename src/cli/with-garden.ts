import { closeGarden, type Garden, openGarden } from "../garden/core/garden.ts";
import type { CommandContext } from "./command.ts";

/** Opens the garden for the duration of `use` and closes it in any case. */
export async function withGarden<T>(context: CommandContext, use: (garden: Garden) => Promise<T>): Promise<T> {
  const garden = await openGarden(context.ground, await context.gardenDir());
  try {
    return await use(garden);
  } finally {
    await closeGarden(garden);
  }
}
