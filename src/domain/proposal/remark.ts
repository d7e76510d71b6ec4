import { z } from "zod";

/** The most remarks on one proposal: a longer talk belongs into a note. */
export const MOST_REMARKS = 200;
export const MAX_REMARK = 4000;

const anywhere = {
  path: z.string().min(1).max(1100),
  /** As it will be, or as it is now if the change removes it. */
  side: z.enum(["before", "after"]),
  /** The text of the line or of the icon when the remark was made: lines move. */
  quote: z.string().max(1000).optional(),
};

/** The subject of a remark: a line of a reviewed file, or an icon of a reviewed diagram. */
export const remarkPlace = z.union([
  z.strictObject({ ...anywhere, line: z.int().positive().max(10_000_000) }),
  z.strictObject({
    ...anywhere,
    icon: z.string().min(1).max(200),
    /** The file of the called diagram that the icon is in; the main one without it. */
    diagram: z.string().min(1).max(200).optional(),
  }),
]);
export type RemarkPlace = z.infer<typeof remarkPlace>;

/** `notes/a.md:3`, `logic/x/current.drakon.json#12`, `check.drakon.json#12`. */
export const remarkPlaceName = (place: RemarkPlace): string =>
  "line" in place ? `${place.path}:${place.line}` : `${place.diagram ?? place.path}#${place.icon}`;

/**
 * P-10c: words on a proposal that decide nothing. Each is one record, `proposals/remarks/<proposal>/<number>.json`, created once. Remarks
 * of people go to the agent with a send-back.
 */
export const remark = z.strictObject({
  number: z.int().nonnegative(),
  proposal: z.string().regex(/^prop_/),
  by: z.string(),
  at: z.iso.datetime(),
  text: z.string().min(1).max(MAX_REMARK),
  place: remarkPlace.optional(),
  /** Chosen by the caller: the same one gives the first remark again. */
  op: z.string().min(1).max(200),
});
export type Remark = z.infer<typeof remark>;
