/**
 * Settings for everything that comes from elsewhere: each object is checked before a ref may name it. Blemishes of dates
 * and addresses, which old tools left in many good histories, are no reason to refuse one.
 */
const BLEMISHES = [
  "badTimezone",
  "missingEmail",
  "missingNameBeforeEmail",
  "missingSpaceBeforeDate",
  "missingSpaceBeforeEmail",
  "multipleAuthors",
  "zeroPaddedDate",
];

export const transferSettings: readonly string[] = [
  "transfer.fsckObjects=true",
  "fetch.fsckObjects=true",
  ...BLEMISHES.map((blemish) => `fetch.fsck.${blemish}=warn`),
].flatMap((setting) => ["-c", setting]);

/** A refspec by refspec copy: no tags by themselves, nothing pruned, nothing of a person's configured refspecs. */
export const plainFetch: readonly string[] = [
  ...transferSettings,
  "fetch",
  "--quiet",
  "--no-tags",
  "--no-prune",
  "--no-write-fetch-head",
  "--no-recurse-submodules",
  "--no-auto-maintenance",
  "--refmap=",
];
