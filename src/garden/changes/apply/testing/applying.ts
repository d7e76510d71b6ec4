import { composeGround } from "../../../../compose.ts";
import { closeGarden, openGarden } from "../../../core/garden.ts";
import { applyProposal, resumeApplying } from "../apply-proposal.ts";

/** A process of its own that applies proposals, all at once (`apply`), or what it finds open (`resume`). */
const [dir, verb, ...ids] = process.argv.slice(2) as [string, string];
const garden = await openGarden(
  composeGround({ environment: { PATH: process.env["PATH"], HOME: "/nonexistent" } }),
  dir,
);
if (verb === "resume") await resumeApplying(garden);
else await Promise.all(ids.map((id) => applyProposal(garden, id, "owner")));
await closeGarden(garden);
