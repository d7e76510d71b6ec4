import { closeGarden, type Garden, openGarden } from "../garden/core/garden.ts";
import type { Context } from "./command.ts";

/** Opens the garden that is meant, and closes it whatever happens. */
export async function withGarden<T>(context: Context, use: (garden: Garden) => Promise<T>): Promise<T> {
  const garden = await openGarden(context.ground, await context.gardenDir());
  try {
    return await use(garden);
  } finally {
    await closeGarden(garden);
  }
}
