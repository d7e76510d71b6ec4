import { armCrashPoints } from "../../src/base/crash-point.ts";

/** Brought into a served garden before it starts (`node --import`): it dies, as by `kill -9`, at the named point, once it is there. */
const at = process.env["DIES_AT"];
armCrashPoints((name) => {
  if (name === at) process.kill(process.pid, "SIGKILL");
});
