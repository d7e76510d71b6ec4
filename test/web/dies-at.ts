import { armCrashPoints } from "../../src/base/crash-point.ts";

/** Loaded into the server with `node --import`: kills the process, as by `kill -9`, at the named crash point. */
const at = process.env["DIES_AT"];
armCrashPoints((name) => {
  if (name === at) process.kill(process.pid, "SIGKILL");
});
