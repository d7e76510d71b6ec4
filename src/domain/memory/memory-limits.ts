/** M-2: what each file of layer 1 may hold, in tokens of the one tokenizer (`tokens.ts`). */
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

/** M-2: a fact that nobody was given for so long is stale, and gives way first. */
export const STALE_DAYS = 30;
/** Days are those of UTC. One that lies ahead (a clock was wrong once) is no age at all. */
export const isStale = (lastUse: string, today: string): boolean =>
  Date.parse(today) - Date.parse(lastUse) > STALE_DAYS * 86_400_000;

/** M-3: what a read of memory may load, in tokens. Layer 2 comes in the last two only, which somebody has to ask for. */
export const recallLimits = { basic: 4100, wide: 13_000, deep: 32_000, temporal: 13_000 } as const;
export type RecallMode = keyof typeof recallLimits;
export const recallModes = Object.keys(recallLimits) as readonly RecallMode[];
