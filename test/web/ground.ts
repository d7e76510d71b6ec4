import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { patient } from "../../src/base/testing/patience.ts";
import { bloomNow, type Running, sources, started } from "../bloom.ts";
import { openBrowser } from "../browser.ts";

/** A garden that is up, as a person has it, and browsers that are signed in to it. */
export interface WebGround {
  readonly dir: string;
  readonly url: string;
  /** A window of a signed-in owner. What the page complains about is collected in `problems`. */
  open(options?: WindowOptions): Promise<Window>;
  /** Signs a window in anew, by a new link. */
  signIn(page: Page): Promise<void>;
  /** Any command, on this garden. */
  bloom(...args: readonly string[]): { exit: number | null; out: string; err: string };
  /** The server ends (`SIGKILL` by default) and comes back at the same address. */
  restart(signal?: NodeJS.Signals): Promise<void>;
  /** The server ends and stays away. */
  down(signal?: NodeJS.Signals): Promise<void>;
  /** It is there again, if it was not; `diesAt` a named point, it is gone again by itself. */
  up(diesAt?: string): Promise<void>;
  /** Settles when the server is gone. */
  gone(): Promise<unknown>;
  stop(): Promise<void>;
}

export interface WindowOptions {
  readonly language?: "en" | "uk";
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  /** A telephone: fingers instead of a mouse. */
  readonly touch?: boolean;
  /** The guide for newcomers, as a browser shows it that was never here. Without it: as after it was hidden. */
  readonly guide?: boolean;
}

export interface Window {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly problems: readonly string[];
}

/** The demo garden by default; `plant` makes another one in the folder that it is given. */
export async function webGround(plant?: (dir: string) => void): Promise<WebGround> {
  const scratch = mkdtempSync(join(tmpdir(), "bloom-web-"));
  const dir = join(scratch, "garden");
  if (plant) plant(dir);
  else if (bloomNow(scratch, ["demo", dir, "--lang", "en"]).exit !== 0) throw new Error("no demo garden");
  let serving = await up(dir, "0");
  const port = new URL(serving.url).port;
  let browser: Browser | undefined;
  const end = async (signal: NodeJS.Signals = "SIGKILL"): Promise<void> => {
    serving.running.process.kill(signal);
    await serving.running.ended;
  };
  const isUp = (): boolean => serving.running.process.exitCode === null && serving.running.process.signalCode === null;
  const begin = async (diesAt?: string): Promise<void> => {
    if (isUp()) return;
    serving = await up(dir, port, diesAt);
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
    async open({ language = "en", theme = "light", width = 1280, height = 900, touch = false, guide = false } = {}) {
      browser ??= await openBrowser();
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: theme,
        hasTouch: touch,
        isMobile: touch,
        locale: language === "en" ? "en-GB" : "uk-UA",
      });
      if (!guide)
        await context.addInitScript(() => localStorage.setItem("garden-bloom.guide", JSON.stringify({ isOff: true })));
      const page = await context.newPage();
      page.setDefaultTimeout(patient(60_000));
      const problems: string[] = [];
      page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
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

async function up(
  dir: string,
  port: string,
  diesAt?: string,
): Promise<{ readonly url: string; readonly running: Running }> {
  const dying = { NODE_OPTIONS: `--import ${join(import.meta.dirname, "dies-at.ts")}`, DIES_AT: diesAt ?? "" };
  const args = ["up", "--port", port];
  const running = await (diesAt === undefined ? started(dir, args) : started(dir, args, dying, sources));
  const url = /http:\S+/.exec(running.line)?.[0];
  if (url === undefined) throw new Error(`bloom up: ${running.said()} ${(await running.ended).err}`);
  return { url, running };
}
