import { spawn } from "node:child_process";
import { join } from "node:path";
import { testProgram } from "../../../../base/testing/test-program.ts";
import type { LifeAct, Told } from "./life-acts.ts";
import type { Points } from "./life-points.ts";

/** The result of a child process that did several things at once. */
export interface Life {
  readonly killed: boolean;
  readonly passed: readonly string[];
  readonly told: readonly Told[];
  readonly refused: readonly { readonly act: LifeAct; readonly code: string; readonly why: string }[];
}

/** Starts a child process for these actions, killed at its n-th crash point (-1: never) or at the first point of a name. */
export async function runLife(
  dir: string,
  at: number | string,
  now: number,
  acts: readonly LifeAct[],
  points: Points = "few",
): Promise<Life> {
  const args = [dir, String(at), String(now), JSON.stringify(acts), points];
  const { killed, lines } = await runScript("dying-life.ts", args);
  const answers = lines
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as { act: LifeAct; told?: Told[]; code: string; why: string });
  return {
    killed,
    passed: lines.filter((line) => !line.startsWith("{")),
    told: answers.flatMap(({ told }) => told ?? []),
    refused: answers.filter(({ told }) => !told),
  };
}

export async function runScript(
  name: string,
  args: readonly string[],
): Promise<{ readonly lines: readonly string[]; readonly killed: boolean }> {
  const child = spawn(process.execPath, [testProgram(join(import.meta.dirname, name)), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  let trouble = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (trouble += chunk.toString()));
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on("close", (status, by) => resolve([status, by]));
  });
  if (signal !== "SIGKILL" && code !== 0) throw new Error(trouble);
  return { lines: said.split("\n").filter(Boolean), killed: signal === "SIGKILL" };
}
