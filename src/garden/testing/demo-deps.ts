import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { Language } from "../../base/text.ts";
import { realWorld } from "../../base/world.ts";
import { makeDemo } from "../life/demo.ts";
import { scratch, testPorts } from "./scratch.ts";

/** The demo garden, made once for a file of tests; each test takes a copy of its folder. */
export function demoCopies(language: Language = "en"): () => string {
  let kept: string | undefined;
  beforeAll(async () => {
    kept = mkdtempSync(join(tmpdir(), "demo-"));
    const ground = testPorts(realWorld);
    await makeDemo(ground, ground.folders.at(EXAMPLES), join(kept, "demo"), language);
  });
  afterAll(() => {
    if (kept !== undefined) rmSync(kept, { recursive: true, force: true });
  });
  return () => {
    const dir = join(scratch(), "demo");
    cpSync(join(kept!, "demo"), dir, { recursive: true });
    return dir;
  };
}

const EXAMPLES = join(import.meta.dirname, "../../../examples");
