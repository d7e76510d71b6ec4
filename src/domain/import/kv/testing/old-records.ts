import type { KvProposal } from "../kv-record.ts";

/** A proposal as the earlier system stored it. */
export const oldProposal = (proposalId: string, more: Partial<KvProposal> = {}): KvProposal => ({
  proposalId,
  zoneId: "z1",
  zoneName: "Choir",
  noteSlug: "a",
  noteTitle: "A",
  originalContent: "# A\n",
  proposedContent: "# A\n\nA line of a guest.\n",
  guestName: "Olena",
  guestEmail: "olena@example.org",
  status: "pending",
  createdAt: 1_700_000_000_000,
  updatedAt: 1_700_000_000_000,
  reviewedAt: null,
  ...more,
});

/** A zone as the earlier system stored it, with its code. */
export const oldZone = (zoneId: string): Record<string, unknown> => ({
  zoneId,
  accessCode: "ROSE-1234",
  name: "Choir",
  description: "Songs",
  accessType: "web",
  consentRequired: true,
  allowedPaths: ["songs"],
  notes: [{ slug: "a", title: "A", content: "# A\n", tags: [] }],
  noteCount: 1,
  expiresAt: 1_800_000_000_000,
  createdAt: 1_700_000_000_000,
  createdBy: "owner",
});
