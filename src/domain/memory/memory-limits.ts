/** M-2: maximum tokens of each file of layer 1, counted by the one tokenizer (`tokens.ts`). */
export const layerOneLimits = {
  "snapshot.md": 2000,
  "facts.md": 8000,
  "open_loops.md": 2000,
  /** named values of `write-memory`. */
  "values.json": 500,
} as const;

export type LayerOneFile = keyof typeof layerOneLimits;
export const layerOneFiles = Object.keys(layerOneLimits) as readonly LayerOneFile[];

/** M-2: all of layer 1 together. */
export const LAYER_ONE_TOKENS = 12_000;

/** M-2: a fact not read for `STALE_DAYS` is stale and is evicted first. */
export const STALE_DAYS = 30;
/** Days are in UTC. A day in the future (after a wrong clock) is never stale. */
export const isStale = (lastUse: string, today: string): boolean =>
  Date.parse(today) - Date.parse(lastUse) > STALE_DAYS * 86_400_000;

/** M-3: maximum tokens of one read of memory. Only the last two modes, which must be asked for, load layer 2. */
export const recallLimits = { basic: 4100, wide: 13_000, deep: 32_000, temporal: 13_000 } as const;
export type RecallMode = keyof typeof recallLimits;
export const recallModes = Object.keys(recallLimits) as readonly RecallMode[];
