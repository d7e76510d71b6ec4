import { scriptedModel } from "../../../adapters/runtime/testing/scripted-model.ts";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { realWorld } from "../../../base/world.ts";
import { composePorts } from "../../../compose.ts";
import { commandLineOwner as by } from "../../../domain/identity.ts";
import { closeGarden, openGarden } from "../../core/garden.ts";
import { discardSandboxed, promoteSandboxed } from "../sandbox.ts";
import { live, portsWith } from "./agent-ground.ts";

/**
 * A child process that executes an experiment (`file <slug>/<run>`) or decides on what it left (`promote <id>`, `discard <id>`), and kills
 * itself with SIGKILL at a named crash point.
 */
const [dir, act, subject, at] = process.argv.slice(2) as [string, string, string, string];
const ground = composePorts({ environment: { PATH: process.env["PATH"], HOME: "/nonexistent" } }, realWorld);
const garden = await openGarden(ground, dir);
armCrashPoints((name) => {
  if (name !== at) return;
  process.kill(process.pid, "SIGKILL");
  for (;;); // nothing may happen until the signal arrives
});
const [slug = "", run = ""] = subject.split("/");
if (act === "file") await live(garden, { slug, run }, portsWith(scriptedModel([])));
else if (act === "promote") await promoteSandboxed(garden, { id: subject, by });
else await discardSandboxed(garden, { id: subject, by });
await closeGarden(garden);
