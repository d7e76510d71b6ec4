/** An agent's name in paths, branches and URLs: lower case, digits, inner hyphens, at most 63 (S-2a). */
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export const isSlug = (text: string): boolean => SLUG.test(text);

/** Reserved words: they name something else in records (`by: owner`), commit authors and URLs (`/agents/list`). */
const TAKEN = new Set(["owner", "webhook", "guest", "gateway", "unknown", "nobody", "list", "run"]);

export const isTakenName = (slug: string): boolean => TAKEN.has(slug);
