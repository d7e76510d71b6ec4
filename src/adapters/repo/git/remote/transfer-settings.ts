/** Flaws of dates, addresses and modes that old tools left in many sound histories. They are tolerated. */
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

/** Names in trees that git only warns of by default: `.git` as HFS+ or NTFS would read it, `.` and `..`. */
const dangers: readonly string[] = ["hasDotgit", "hasDot", "hasDotdot"];

/** Received objects are checked before a ref may name them. */
const transferSettings: readonly string[] = [
  "transfer.fsckObjects=true",
  "fetch.fsckObjects=true",
  "fetch.unpackLimit=1", // always one pack: two files and one folder to sync
  ...blemishes.map((blemish) => `fetch.fsck.${blemish}=warn`),
  ...dangers.map((danger) => `fetch.fsck.${danger}=error`),
].flatMap((setting) => ["-c", setting]);

/** The same checks, of objects that are here: git checks those of a server when it receives them, but not those of a bundle. */
export const plainFsck: readonly string[] = [
  ...[
    ...blemishes.map((blemish) => `fsck.${blemish}=warn`),
    ...dangers.map((danger) => `fsck.${danger}=error`),
  ].flatMap((setting) => ["-c", setting]),
  "fsck",
  "--no-dangling",
  "--no-progress",
];

/** The same for one pack. */
export const strictPack: readonly string[] = [
  "index-pack",
  "--verify",
  `--strict=${[...blemishes.map((blemish) => `${blemish}=warn`), ...dangers.map((danger) => `${danger}=error`)].join(",")}`,
];

/** Fetches the given refspecs only: no automatic tags, no pruning, none of the person's configured refspecs. */
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
