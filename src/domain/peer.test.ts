import { expect, test } from "vitest";
import { firstPeerFor } from "./peer.ts";

test("O-10 agents are divided among the workers evenly, alike in every process, and a worker that goes moves only its own", () => {
  const ids = ["a1", "b2", "c3", "d4"];
  const slugs = Array.from({ length: 400 }, (_, i) => `agent-${i}`);
  const before = slugs.map((slug) => firstPeerFor(slug, ids));
  const again = slugs.map((slug) => firstPeerFor(slug, ids.toReversed()));
  const after = slugs.map((slug) => firstPeerFor(slug, ids.slice(1)));
  const counts = ids.map((id) => before.filter((each) => each === id).length);
  expect({
    again,
    moved: before.filter((id, i) => id !== "a1" && after[i] !== id),
    isEven: counts.every((count) => count > 60 && count < 140),
    none: firstPeerFor("x", []),
  }).toEqual({ again: before, moved: [], isEven: true, none: undefined });
});
