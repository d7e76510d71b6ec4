import type { World } from "../../../base/world.ts";

/** Names one write: after a lost answer, its writer knows its own event by it. */
export const operationMark = (world: World): string => Buffer.from(world.random(12)).toString("hex");
