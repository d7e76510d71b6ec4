/** The ways to look at a change; of logic there are others. `s` goes through them. */
export const DIFF_VIEWS = ["words", "split", "rendered"] as const;
export type DiffView = (typeof DIFF_VIEWS)[number];

export const LOGIC_VIEWS = ["diagram", "pseudocode", "files"] as const;
export type ChangeView = DiffView | (typeof LOGIC_VIEWS)[number];
