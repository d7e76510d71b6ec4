import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { smartHttp } from "../src/adapters/repo/git/testing/smart-http.ts";
import { ceph, describeWithCeph } from "../src/adapters/store/s3/testing/ceph.ts";
import { makeBucket } from "../src/adapters/store/s3/testing/make-bucket.ts";
import { patientTimer } from "../src/base/testing/patience.ts";
import { scratch } from "../src/garden/testing/scratch.ts";
import { launcher, plainEnvironment, root } from "./bloom.ts";

/**
 * The walkthroughs of docs/ are manual and test in one. In a ```console block `$ …` is a command, and the lines up to the
 * next one are what it prints; `…` stands for anything within a line, and a line of `…` for any number of lines. A block with a file name,
 * such as ```js client.mjs, is that file.
 */
interface Step {
  readonly line: number;
  readonly command: string;
  readonly expected: readonly string[];
  /** A file to write, in place of a command. */
  readonly file?: string;
}

function stepsOf(page: string): Step[] {
  const steps: { line: number; command: string; expected: string[]; file?: string }[] = [];
  let inside = false;
  for (const [index, text] of page.split("\n").entries()) {
    const file = /^```\w+ (\S+)$/.exec(text)?.[1];
    if (file !== undefined) steps.push({ line: index + 1, command: "", expected: [], file });
    if (text.startsWith("```")) inside = text === "```console" || file !== undefined;
    else if (inside && text.startsWith("$ ")) steps.push({ line: index + 1, command: text.slice(2), expected: [] });
    else if (inside) steps.at(-1)!.expected.push(text);
  }
  return steps;
}

function patternOf(expected: readonly string[]): RegExp {
  const lines = expected.map((line) =>
    line === "…" ? "(?:.*\\n)*?" : `${line.split("…").map(escaped).join(".*")}\\n`,
  );
  return new RegExp(`^${lines.join("")}$`);
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** A folder with `bloom` in it, to be put on the PATH. */
function commandFolder(): string {
  const dir = scratch();
  writeFileSync(join(dir, "bloom"), `#!/bin/sh\nexec '${process.execPath}' '${launcher}' "$@"\n`);
  chmodSync(join(dir, "bloom"), 0o755);
  symlinkSync(process.execPath, join(dir, "node"));
  return dir;
}

/**
 * The output of a command, with errors interleaved. A command that exceeds the limit is killed with its children, and the output
 * says so.
 */
async function printed(command: string, cwd: string, env: Record<string, string>): Promise<string> {
  const child = spawn("bash", ["-c", `exec 2>&1\n${command}`], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  groups.push(child.pid!);
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => (text += part)); // a letter may come in two parts
  const endWait = patientTimer(LIMIT_MS, (seconds) => {
    text += `(did not end within ${seconds} s)\n`;
    process.kill(-child.pid!, "SIGKILL");
  });
  await new Promise((resolve) => child.on("close", resolve));
  endWait();
  return text.replaceAll(PROGRESS, "");
}

/** Progress of `verify`, which only a slow machine prints. */
const PROGRESS = /^checking: .*\n/gm;

/** The process group of each command: what a command starts in the background belongs to it. */
const groups: number[] = [];

function endGroups(): void {
  for (const group of groups.splice(0)) {
    try {
      process.kill(-group, "SIGKILL");
    } catch {
      // nothing is left of it
    }
  }
}

/** On a quiet machine; the longest takes ten seconds. */
const LIMIT_MS = 100_000;

const folder = join(root, "docs/walkthroughs");

const annsEnvironment = (): Record<string, string> =>
  plainEnvironment({
    PATH: `${commandFolder()}:${process.env["PATH"]}`,
    GIT_AUTHOR_NAME: "Ann",
    GIT_AUTHOR_EMAIL: "ann@example.org",
    GIT_COMMITTER_NAME: "Ann",
    GIT_COMMITTER_EMAIL: "ann@example.org",
  });

test("U-3 the commands of README's first steps succeed beside the demo garden that npm start makes", async () => {
  const [, readme] = readFileSync(join(root, "README.md"), "utf8").split("## First steps\n");
  const shown = readme!
    .split("\n## ")[0]!
    .split("\n")
    .filter((line) => /^(?:npm run bloom -- |git -C \.demo)/.test(line));
  const checkout = join(scratch(), "checkout");
  mkdirSync(checkout);
  symlinkSync(join(root, "examples"), join(checkout, "examples"));
  const environment = annsEnvironment();
  const results: string[] = [];
  for (const line of ["npm run bloom -- demo .demo/garden", ...shown]) {
    const text = await printed(`${line.replace("npm run bloom --", "bloom")}\n echo "exit $?"`, checkout, environment);
    // 9: the librarian asks a person, as README says.
    const wanted = line.includes("run librarian") ? "exit 9\n" : "exit 0\n";
    if (!text.endsWith(wanted)) results.push(`${line}\n${text}`);
  }
  expect(results).toEqual([]);
  expect(shown.length).toBeGreaterThan(8);
});

/** Executes a page in an empty folder. Processes that it leaves behind are killed. */
async function expectPrinted(name: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const steps = stepsOf(readFileSync(join(folder, name), "utf8"));
  const place = scratch();
  const here = join(place, "here");
  mkdirSync(here);
  symlinkSync(join(root, "node_modules"), join(place, "node_modules")); // for scripts of the page that import a package
  symlinkSync(join(root, "scripts"), join(place, "scripts"));
  mkdirSync(join(place, "host"));
  const host = await smartHttp(join(place, "host"));
  const environment = { ...annsEnvironment(), GIT_HOST: host.url, ...more };
  let cwd = here;
  try {
    for (const { line, command, expected, file } of steps) {
      if (file !== undefined) {
        writeFileSync(join(cwd, file), `${expected.join("\n")}\n`);
        continue;
      }
      const script = `${command}\ncode=$?; pwd > '${join(place, "cwd")}'; exit $code`;
      const text = await printed(script, cwd, environment);
      if (!patternOf(expected).test(text)) expect(text, `${name}:${line} ${command}`).toBe(`${expected.join("\n")}\n`);
      cwd = readFileSync(join(place, "cwd"), "utf8").trim();
    }
  } finally {
    endGroups();
    await host.close();
  }
  expect(steps.length).toBeGreaterThan(0);
}

const pages = readdirSync(folder).filter((name) => name.endsWith(".md"));
const needsS3 = (name: string): boolean => readFileSync(join(folder, name), "utf8").includes("$S3_ENDPOINT");

test.each(pages.filter((name) => !needsS3(name)))("%s prints the documented output", (name) => expectPrinted(name));

describeWithCeph("walkthroughs with a bucket", () => {
  test.each(pages.filter(needsS3))("%s prints the documented output", async (name) => {
    const { endpoint, key, secret } = ceph();
    const bucket = `walkthrough-${randomBytes(4).toString("hex")}`;
    await makeBucket(ceph(), bucket);
    await expectPrinted(name, {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY: key,
      S3_SECRET_KEY: secret,
    });
  });
});
