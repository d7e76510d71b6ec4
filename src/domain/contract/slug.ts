/** An agent's name in paths, branches and URLs: lower case, digits, inner hyphens, at most 63 (S-2a). */
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export const isSlug = (text: string): boolean => SLUG.test(text);

/**
 * Words that stand for somebody or something else where agents stand by their slugs: in records (`by: owner`), in the authors
 * of commits, in addresses (`/agents/list`). An agent of such a name would be taken for it.
 */
const TAKEN = new Set(["owner", "webhook", "guest", "gateway", "unknown", "nobody", "list", "run"]);

export const isTakenName = (slug: string): boolean => TAKEN.has(slug);
