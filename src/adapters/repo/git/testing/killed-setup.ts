import { armCrashPoints } from "../../../../base/crash-point.ts";
import { fixedWorld } from "../../../../base/testing/fixed-world.ts";
import { initRepository } from "../setup/init.ts";
import { commitEverything } from "../work-tree/first-commit.ts";
import { gardener } from "./signatures.ts";

/** The main file of a process that makes a repository or its first commit and kills itself at a crash point. */
const [verb, dir, point] = process.argv.slice(2) as [string, string, string];
armCrashPoints((name) => {
  if (name === point) process.kill(process.pid, "SIGKILL");
});
const environment = { PATH: process.env["PATH"], HOME: dir };
if (verb === "init") await initRepository(dir, environment, fixedWorld(gardener.at));
else await commitEverything({ dir, environment }, { author: gardener, committer: gardener, message: "Begin" });
