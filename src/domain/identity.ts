import { z } from "zod";
import { isSlug } from "./contract/slug.ts";

/** Who may come to a garden. `gateway` is the program itself: expiry, bookkeeping; it never decides. */
export const sourceTypes = ["owner", "agent", "webhook", "guest", "gateway"] as const;
export type SourceType = (typeof sourceTypes)[number];

/**
 * Somebody whose claim was proved. What an identity may do beyond its kind comes with it, so that a gate needs no second
 * look: a token of a run is good for that run alone, a guest for the folders and actions of the zone.
 */
export type Identity =
  | {
      readonly type: "owner" /** How the owner came: `session`, `cli`, or the name of a token. */;
      readonly via: string;
    }
  | { readonly type: "agent"; readonly slug: string; readonly run: string }
  | { readonly type: "webhook"; readonly name: string; readonly actions: readonly string[] }
  | {
      readonly type: "guest";
      readonly zone: string;
      readonly folders: readonly string[];
      readonly actions: readonly string[];
    }
  | { readonly type: "gateway" };

/** The one word that stands in records and commits: `owner`, an agent's slug, a webhook's name, `guest:<zone>`. */
export function identityName(identity: Identity): string {
  switch (identity.type) {
    case "owner":
      return "owner";
    case "agent":
      return identity.slug;
    case "webhook":
      return `webhook:${identity.name}`;
    case "guest":
      return `guest:${identity.zone}`;
    case "gateway":
      return "gateway";
  }
}

export const isPerson = (identity: Identity): boolean => identity.type === "owner";

/** The command line acts as the owner: whoever may write the files of a garden is. */
export const commandLineOwner: Identity = { type: "owner", via: "cli" };

/** `source` of an inbox entry (P-2). */
export const entrySource = z.strictObject({
  type: z.enum(sourceTypes),
  identity: z.string().min(1).max(200),
  /** False never gets past the gate; it stays in the record of what was refused. */
  authenticated: z.boolean(),
  timestamp: z.iso.datetime(),
  /** The run that an agent acted in. */
  run_id: z.string().optional(),
});
export type EntrySource = z.infer<typeof entrySource>;

export const slugField = z.string().refine(isSlug, { error: "slug" });
