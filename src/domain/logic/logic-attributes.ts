/**
 * `logic/.gitattributes`. Figures and results are written into the files of a version while it is in use, so a `git revert` of
 * the version by hand would conflict with them (L-7). With `union` git keeps the lines of both sides: of a repeated field the
 * last line counts, which is the reverted one, and the gateway writes the file anew.
 */
export const LOGIC_ATTRIBUTES = `# A revert of a version does not conflict with the figures that were counted since.
*/current.meta.json merge=union
*/changelog.md merge=union
`;
