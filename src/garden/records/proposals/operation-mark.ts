import type { World } from "../../../base/world.ts";

/** A random id of one write: after a lost answer, the writer recognises its own event by it. */
export const operationMark = (world: World): string => Buffer.from(world.random(12)).toString("hex");
