/** What old tools left in many good histories, of dates, addresses and modes: no reason to refuse one or to call it damaged. */
export const blemishes: readonly string[] = [
  "badTimezone",
  "missingEmail",
  "missingNameBeforeEmail",
  "missingSpaceBeforeDate",
  "missingSpaceBeforeEmail",
  "multipleAuthors",
  "zeroPaddedDate",
  "zeroPaddedFilemode",
];

/** For everything that comes from elsewhere: each object is checked before a ref may name it. */
const transferSettings: readonly string[] = [
  "transfer.fsckObjects=true",
  "fetch.fsckObjects=true",
  "fetch.unpackLimit=1", // always one pack: two files and one folder to sync, however many objects came
  ...blemishes.map((blemish) => `fetch.fsck.${blemish}=warn`),
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
