import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { openBrowser } from "./browser.ts";

/** `npm start` for a new user: from the command to the page, and to a clean exit. */
const root = join(import.meta.dirname, "..");
const scratch = await mkdtemp(join(tmpdir(), "bloom-start-"));
const garden = join(scratch, "garden");
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) if (child.exitCode === null) child.kill("SIGKILL");
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

test("npm start serves the demo garden, and SIGTERM ends it with exit code 0", async () => {
  const first = await start("npm", ["start"]);
  const health = await fetch(new URL("/health", first.address));
  expect({ status: health.status, health: await health.json() }).toEqual({
    status: 200,
    health: expect.objectContaining({ status: "ok" }),
  });
  expect(await first.end("SIGTERM")).toBe(0);
  await expect(fetch(first.address)).rejects.toThrow("fetch failed");
});

test("a signal to the whole process group ends it with exit code 0", async () => {
  const grouped = await start("npm", ["start"], { detached: true });
  expect(await grouped.end("SIGTERM", "group")).toBe(0);
});

test("a second start opens the same garden, its page shows it in a browser, and SIGINT ends it", async () => {
  const { address, end } = await start("npm", ["start"]);
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto(address);
    expect(await page.locator("h1").innerText()).not.toBe("");
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
  }
  expect(await end("SIGINT")).toBe(0);
});

interface Running {
  readonly address: string;
  readonly end: (signal: NodeJS.Signals, whom?: "group") => Promise<number | null>;
}

async function start(command: string, args: string[], options: { detached?: boolean } = {}): Promise<Running> {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, XDG_STATE_HOME: join(scratch, "state"), BLOOM_GARDEN: garden, PORT: "0", BLOOM_LANG: "en" },
    stdio: ["ignore", "pipe", "pipe"],
    ...options,
  });
  started.push(child);
  const ended = new Promise<number | null>((resolve) => void child.on("close", resolve));
  const address = await new Promise<string>((resolve, reject) => {
    let said = "";
    const take = (chunk: Buffer): void => {
      said += chunk;
      const found = /https?:\/\/127\.0\.0\.1:\d+\//.exec(said);
      if (found) resolve(found[0]);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("close", (code) => reject(new Error(`ended with ${code} before it served:\n${said}`)));
  });
  return {
    address,
    end: (signal, whom) => {
      process.kill(whom === "group" ? -child.pid! : child.pid!, signal);
      return ended;
    },
  };
}
