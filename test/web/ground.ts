import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { patient } from "../../src/base/testing/patience.ts";
import { bloomNow, type Running, sources, started } from "../bloom.ts";
import { openBrowser } from "../browser.ts";

/** A served garden with signed-in browser windows. */
export interface WebGround {
  readonly dir: string;
  readonly url: string;
  /** Opens a window of a signed-in owner. Console errors and failed requests are collected in `problems`. */
  open(options?: WindowOptions): Promise<Window>;
  /** Signs a window in again with a new link. */
  signIn(page: Page): Promise<void>;
  /** Runs a command on this garden. */
  bloom(...args: readonly string[]): { exit: number | null; out: string; err: string };
  /** Ends the server (`SIGKILL` by default) and starts it again at the same address. */
  restart(signal?: NodeJS.Signals): Promise<void>;
  /** Ends the server. */
  down(signal?: NodeJS.Signals): Promise<void>;
  /** Starts the server if it is not running. With `diesAt` it ends itself at a named crash point. */
  up(diesAt?: string): Promise<void>;
  /** Resolves when the server has ended. */
  gone(): Promise<unknown>;
  stop(): Promise<void>;
}

export interface WindowOptions {
  readonly language?: "en" | "uk";
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  /** A touch screen instead of a mouse. */
  readonly touch?: boolean;
  /** Shows the guide, as in a new browser. Otherwise it is hidden. */
  readonly guide?: boolean;
  /** The time that the page reads, which then stands still, in UTC. */
  readonly clock?: string;
  /** Points of the picture for each point of the page. */
  readonly scale?: number;
  /** Lets the app install its service worker. Otherwise every file comes from the server. */
  readonly installed?: boolean;
}

export interface Window {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly problems: readonly string[];
}

interface GroundSettings {
  readonly graceSeconds?: number;
  /** Variables of the server. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The clock of the server stands still at this time. */
  readonly fixedAt?: string;
}

/** Serves the demo garden, or the one that `plant` creates in the given folder. Approvals are applied at once unless there is a grace. */
export async function webGround(
  plant?: (dir: string) => void,
  { graceSeconds = 0, environment = {}, fixedAt }: GroundSettings = {},
): Promise<WebGround> {
  const scratch = mkdtempSync(join(tmpdir(), "bloom-web-"));
  const dir = join(scratch, "garden");
  if (plant) plant(dir);
  else if (bloomNow(scratch, ["demo", dir, "--lang", "en"]).exit !== 0) throw new Error("no demo garden");
  setGrace(dir, graceSeconds);
  let serving = await up(dir, "0", { environment, fixedAt });
  const port = new URL(serving.url).port;
  let browser: Browser | undefined;
  const end = async (signal: NodeJS.Signals = "SIGKILL"): Promise<void> => {
    serving.running.process.kill(signal);
    await serving.running.ended;
  };
  const isUp = (): boolean => serving.running.process.exitCode === null && serving.running.process.signalCode === null;
  const begin = async (diesAt?: string): Promise<void> => {
    if (isUp()) return;
    serving = await up(dir, port, { environment, fixedAt, diesAt });
  };
  const signIn = async (page: Page): Promise<void> => {
    const { out } = bloomNow(dir, ["token", "link", "--json"]);
    const link = new URL(/http:[^"]+/.exec(out)?.[0] ?? (JSON.parse(out) as { link: string }).link);
    await page.goto(new URL(`${link.pathname}${link.search}`, serving.url).href);
    await page.waitForURL(/\/app\//);
  };
  return {
    dir,
    url: serving.url,
    signIn,
    bloom: (...args) => bloomNow(dir, args),
    async open(options = {}) {
      const { language = "en", theme = "light", width = 1280, height = 900, touch = false, guide = false } = options;
      browser ??= await openBrowser();
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: theme,
        hasTouch: touch,
        isMobile: touch,
        serviceWorkers: options.installed === true ? "allow" : "block",
        locale: language === "en" ? "en-GB" : "uk-UA",
        ...(options.scale !== undefined && { deviceScaleFactor: options.scale }),
        ...(options.clock !== undefined && { timezoneId: "UTC", reducedMotion: "reduce" }),
      });
      if (options.clock !== undefined) await context.clock.setFixedTime(options.clock);
      if (!guide)
        await context.addInitScript(() => {
          // The sandboxed frame of Mermaid has no storage.
          if (origin !== "null") localStorage.setItem("garden-bloom.guide", JSON.stringify({ isOff: true }));
        });
      const page = await context.newPage();
      page.setDefaultTimeout(patient(60_000));
      const problems: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error") problems.push(`${message.text()} ${message.location().url}`.trim());
      });
      page.on("pageerror", (error) => problems.push(error.message));
      await signIn(page);
      return { page, context, problems };
    },
    async restart(signal) {
      await end(signal);
      await begin();
    },
    down: end,
    up: begin,
    gone: () => serving.running.ended,
    async stop() {
      await browser?.close();
      if (isUp()) await end();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** Sets the grace of approvals in the committed settings of a garden (P-6a). */
function setGrace(dir: string, seconds: number): void {
  const file = join(dir, "garden.yaml");
  appendFileSync(file, `\nlimits: { approval_grace_seconds: ${seconds} }\n`);
  // Not the helper of the tests: pictures are taken without a test runner.
  const person = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"];
  execFileSync("git", [...person, "commit", "-qm", "Set the grace of approvals", "garden.yaml"], { cwd: dir });
}

async function up(
  dir: string,
  port: string,
  settings: {
    readonly environment: Readonly<Record<string, string>>;
    readonly fixedAt?: string | undefined;
    readonly diesAt?: string | undefined;
  },
): Promise<{ readonly url: string; readonly running: Running }> {
  const args = ["up", "--port", port];
  const { environment, fixedAt, diesAt } = settings;
  const changed =
    diesAt !== undefined
      ? { NODE_OPTIONS: preloaded("dies-at.ts"), DIES_AT: diesAt }
      : fixedAt !== undefined
        ? fixedWorld(fixedAt)
        : undefined;
  const running = await started(dir, args, { ...environment, ...changed }, changed ? sources : undefined);
  const url = /http:\S+/.exec(running.line)?.[0];
  if (url === undefined) throw new Error(`bloom up: ${running.said()} ${(await running.ended).err}`);
  return { url, running };
}

const preloaded = (file: string): string => `--import ${join(import.meta.dirname, file)}`;

/** The environment of a process whose clock stands still. Only the sources have a clock that can be stopped, not the package. */
export const fixedWorld = (at: string): Record<string, string> => ({
  NODE_OPTIONS: preloaded("fixed-world.ts"),
  FIXED_AT: at,
});
