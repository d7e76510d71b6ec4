import type { Signature } from "../../../../ports/repo.ts";

export const gardener: Signature = {
  name: "Gardener",
  email: "gardener@garden.invalid",
  at: Date.parse("2026-02-14T08:00:00Z"),
};
