import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { threadedMaker } from "./file-maker.ts";

const LARGE = { path: "/nowhere.log", from: 0, to: 1_000_000 };
const PORT = 'import { parentPort } from "node:worker_threads"; import { existsSync, writeFileSync } from "node:fs";';

/** A thread that runs `end` at the first message of its first start, and answers at its second start. */
const dying = (end: string, mark: string): string => `${PORT}
const isSecond = existsSync(${JSON.stringify(mark)});
writeFileSync(${JSON.stringify(mark)}, "");
parentPort.on("message", () => { if (!isSecond) { ${end} } else parentPort.postMessage({ result: "made" }); });`;

test.each([
  ["ends", "process.exit(0);"],
  ["throws", 'throw new Error("too much");'],
])(
  "G-6 a thread that %s while it writes files is an error, and the next attempt starts another thread",
  async (_, end) => {
    const folder = mkdtempSync(join(tmpdir(), "bloom-thread-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const program = join(folder, "thread.mjs");
    writeFileSync(program, dying(end, join(folder, "mark")));
    const place = { root: folder, temporary: folder, setAside: folder };
    const maker = threadedMaker(place, pathToFileURL(program));
    const first = await maker.make(LARGE).then(
      () => "made",
      (error: NodeJS.ErrnoException) => typeof error.code,
    );
    expect({ first, second: await maker.make(LARGE) }).toEqual({ first: "string", second: "made" });
    await maker.close();
  },
);
