import { composePorts } from "../../../../compose.ts";
import { closeGarden, openGarden } from "../../../core/garden.ts";
import { applyProposal, resumeApplying } from "../apply-proposal.ts";

/** A child process that applies proposals concurrently (`apply`), or resumes open ones (`resume`). */
const [dir, verb, ...ids] = process.argv.slice(2) as [string, string];
const garden = await openGarden(
  composePorts({ environment: { PATH: process.env["PATH"], HOME: "/nonexistent" } }),
  dir,
);
if (verb === "resume") await resumeApplying(garden);
else await Promise.all(ids.map((id) => applyProposal(garden, id, "owner")));
await closeGarden(garden);
