import { armCrashPoints } from "../../../base/crash-point.ts";
import { asFailure } from "../../../base/failure.ts";
import { realWorld } from "../../../base/world.ts";
import { composePorts } from "../../../compose.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { closeGarden, openGarden } from "../../core/garden.ts";
import { answerRequest } from "../answer.ts";

/**
 * A child process that answers a question with a number, and kills itself with SIGKILL at its n-th crash point. Prints the points that
 * it passes, and `= answered` or `= <code>`.
 */
const [dir, request, number, at] = process.argv.slice(2) as [string, string, string, string];
let count = 0;
const ground = composePorts({ environment: { PATH: process.env["PATH"], HOME: "/nonexistent" } }, realWorld);
const garden = await openGarden(ground, dir);
armCrashPoints((name) => {
  if (!/^(?:session|run|repo\.move)\./.test(name)) return;
  process.stdout.write(`${name}\n`);
  if (count++ !== Number(at)) return;
  process.kill(process.pid, "SIGKILL");
  for (;;); // nothing may happen until the signal arrives
});
const value = { number: Number(number) };
const said = await answerRequest(garden, { request, value, by: commandLineOwner, note: "So be it" }).then(
  () => "answered",
  (thrown: unknown) => asFailure(thrown).code,
);
process.stdout.write(`= ${said}\n`);
await closeGarden(garden);
