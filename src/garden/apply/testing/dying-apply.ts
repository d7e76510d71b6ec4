import { armCrashPoints } from "../../../base/crash-point.ts";
import { composeGround } from "../../../compose.ts";
import { closeGarden, openGarden } from "../../garden.ts";
import { applyProposal, resumeApplying } from "../apply-proposal.ts";

/**
 * A process of its own that applies proposals and dies, as by `kill -9`, at its n-th crash point, or at the first with a
 * name. Prints every point that it passed. `verb` is `apply` (each id after the others have been asked for too) or `resume`.
 */
const [dir, verb, at, which, ...ids] = process.argv.slice(2) as [string, string, string, string];
/** The parts below have suites of their own: here those of their points between which an apply could be torn. */
const FEW = [
  "repo.move.before-swap",
  "repo.move.after-swap",
  "repo.follow.after-file-rename",
  "repo.follow.after-index",
];
const counts = (name: string): boolean =>
  /^(apply|proposals|memory|logic)\./.test(name) ||
  (which === "all" ? /^(store\.log|repo)\./.test(name) : FEW.includes(name));

const ground = composeGround({ environment: { PATH: process.env["PATH"], HOME: "/nonexistent" } });
const garden = await openGarden(ground, dir);
let passed = 0;
armCrashPoints((name) => {
  if (!counts(name)) return;
  process.stdout.write(`${name}\n`);
  if (name === at || passed++ === Number(at)) process.kill(process.pid, "SIGKILL");
});
if (verb === "resume") await resumeApplying(garden);
else await Promise.all(ids.map((id) => applyProposal(garden, id, "owner")));
await closeGarden(garden);
