import { z } from "zod";

/** A garden as this machine remembers it, so that the other gardens can name it and lead to it. */
export const knownGarden = z.object({
  dir: z.string(),
  /** The name when it was last recorded: shown where the folder is gone. */
  name: z.string(),
  /** Its flower grows from it. */
  first_commit: z.string().optional(),
});
export type KnownGarden = z.infer<typeof knownGarden>;

export const gardenStates = ["running", "stopped", "gone"] as const;

/** A known garden as it is now. */
export interface GardenPlace extends KnownGarden {
  /** Names it in addresses; derived from `dir`. */
  readonly id: string;
  /** `gone`: there is no garden in that folder any more. */
  readonly state: (typeof gardenStates)[number];
  /** The address at which it is served now, as this machine opens it. */
  readonly address?: string;
  /** Other machines can reach it too, by this machine's name and the same port. */
  readonly network?: true;
}

/** The command that serves a garden. A path with other characters than these is quoted for the shell. */
export const startCommand = (dir: string): string =>
  `bloom up --garden ${/^[\w./~+@:,=-]+$/.test(dir) ? dir : `'${dir.replaceAll("'", String.raw`'\''`)}'`}`;
