import { setTimeout as delay } from "node:timers/promises";
import { armCrashPoints } from "../../../../base/crash-point.ts";
import { isFailure } from "../../../../base/failure.ts";
import { composePorts } from "../../../../compose.ts";
import { closeGarden, openGarden } from "../../../core/garden.ts";
import { readProposal } from "../../../records/proposals/proposal-log.ts";
import { resumeApplying } from "../apply-proposal.ts";
import { perform } from "./life-acts.ts";
import { isLifePoint } from "./life-points.ts";

/**
 * A child process that proposes and approves these notes, a few at a time, and waits until each is applied. It kills
 * itself at its n-th crash point (-1: never). Prints a line per applied note: its number and the milliseconds from the approval.
 */
const [dir, at, notes] = process.argv.slice(2) as [string, string, string];
const WIDTH = 3;
let passed = 0;
armCrashPoints((name) => {
  if (isLifePoint(name, "all") && passed++ === Number(at)) process.kill(process.pid, "SIGKILL");
});
const garden = await openGarden(
  composePorts({ environment: { PATH: process.env["PATH"], HOME: "/nonexistent" } }),
  dir,
);
await resumeApplying(garden);
const left = JSON.parse(notes) as { readonly number: number; readonly path: string; readonly text: string }[];

async function applyNext(): Promise<void> {
  for (let note = left.shift(); note !== undefined; note = left.shift()) {
    const { number, ...payload } = note;
    const begun = performance.now();
    const token = `note-${number}`;
    const told = await perform(garden, { kind: "whole", token, action: "propose-note", payload });
    if (isFailure(told)) throw told;
    let { status } = told[0]!;
    while (status !== "applied" && status !== "failed") {
      await delay(10);
      ({ status } = await readProposal(garden.store, told[0]!.id));
    }
    process.stdout.write(`${JSON.stringify({ number, status, ms: Math.round(performance.now() - begun) })}\n`);
  }
}
await Promise.all(Array.from({ length: WIDTH }, applyNext));
await closeGarden(garden);
