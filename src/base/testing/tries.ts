/** True in `npm run soak`, which runs every crash point, bench and size; `npm test` runs a part of them. */
export const isThorough = Boolean(process.env["BLOOM_EVERY_POINT"]);

/** How often a property is tried: as often as given in `npm run soak`, a sixth of that in `npm test`. */
export const tries = (thorough: number): number => (isThorough ? thorough : Math.ceil(thorough / 6));
