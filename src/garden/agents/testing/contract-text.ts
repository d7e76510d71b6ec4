/** A contract for tests, whole and valid, with some of its lines changed, added, or left out (undefined). */
export function contractText(
  slug: string,
  over: Readonly<Record<string, string | undefined>> = {},
  body = "Do good.\n",
): string {
  const fields = {
    name: `"${slug}"`,
    slug,
    version: '"1.0.0"',
    description: "for tests",
    model: "bloom/follower",
    tools: "[read-notes, create-proposal] # only these",
    safe_outputs: "[propose-note, propose-edit]",
    created_at: '"2026-02-01T10:00:00Z"',
    updated_at: '"2026-02-01T10:00:00Z"',
    created_by: "owner",
    status: "draft",
    ...over,
  };
  const lines = Object.entries(fields).filter(([, value]) => value !== undefined);
  return `---\n${lines.map(([field, value]) => `${field}: ${value}`).join("\n")}\n---\n\n${body}`;
}
