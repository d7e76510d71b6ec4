import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { webhookSignature } from "../src/domain/webhook-signature.ts";
import { git } from "../src/garden/testing/scratch.ts";
import { bloom, type Running, started } from "./bloom.ts";
import { openBrowser } from "./browser.ts";

/** `bloom up` in a separate process, through a real socket: from the printed link to the commit, and after a restart. */
let scratch: string;
let dir: string;
const running: Running[] = [];

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "bloom-served-"));
  dir = join(scratch, "garden");
});
afterEach(() => {
  for (const { process: child } of running.splice(0)) if (child.exitCode === null) child.kill("SIGKILL");
  rmSync(scratch, { recursive: true, force: true });
});

interface Up {
  readonly url: string;
  readonly link: string;
  readonly stop: () => Promise<number | null>;
}

async function up(more: Record<string, string> = {}, port = "0"): Promise<Up> {
  const child = await started(dir, ["up", "--port", port], more);
  running.push(child);
  const link = await new Promise<string>((resolve) => {
    const find = (): void => {
      const found = /http:\S+\/sign-in\?code=\S+/.exec(child.said());
      if (found) resolve(found[0]);
      else setTimeout(find, 20);
    };
    find();
  });
  return {
    url: /http:\S+/.exec(child.line)![0],
    link,
    stop: async () => {
      child.process.kill("SIGTERM");
      return (await child.ended).code;
    },
  };
}

test.each([
  [{ BLOOM_SIGNING_KEY: "abc" }, "the shared signing key is not 64 hexadecimal digits"],
  [{ BLOOM_SIGNING_KEY_FILE: "/nope" }, "the file /nope that BLOOM_SIGNING_KEY_FILE names does not exist"],
])("`bloom up` with the signing key %j ends with its reason", async (more, reason) => {
  await bloom(scratch, ["init", "garden"]);
  const { exit, err } = await bloom(dir, ["up", "--role", "worker", "--port", "0"], more);
  expect({ exit, line: err.split("\n")[0] }).toEqual({ exit: 2, line: `bloom: ${reason}` });
});

test("a browser signs in by the link, shows pending work, and signs out", async () => {
  expect((await bloom(scratch, ["init", dir, "--name", "Rose"])).exit).toBe(0);
  const { url, link, stop } = await up();
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto(link);
    await page.waitForURL(new URL("/app/", url).href); // redirected, with the cookie
    const inside = await page.getByRole("heading", { level: 1 }).innerText();
    // Requests that the page still has open while it navigates away are aborted, and the browser logs that.
    const complained = [...problems];
    await page.getByRole("button", { name: "Your menu" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("bloom token link").waitFor();
    expect({ inside, url: page.url(), complained }).toEqual({ inside: "Today", url, complained: [] });
  } finally {
    await browser.close();
  }
  expect(await stop()).toBe(0);
});

/** Each request opens its own connection: a command between two requests may take longer than the server's keep-alive. */
const fetch = (url: URL | string, init: RequestInit = {}): Promise<Response> =>
  globalThis.fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), connection: "close" } });

const json = async (answer: Response): Promise<Record<string, any>> => (await answer.json()) as Record<string, any>; // oxlint-disable-line no-explicit-any -- answers are looked at, not worked with

test("A-3 the printed link signs in once, an approved submission is a commit, and a replay after a restart is refused", async () => {
  expect((await bloom(scratch, ["init", dir, "--name", "Rose"])).exit).toBe(0);
  writeFileSync(
    join(dir, "garden.yaml"),
    `${readFileSync(join(dir, "garden.yaml"), "utf8")}webhooks:\n  - { name: mail, secret_env: MAIL_SECRET, actions: [propose-note] }\n`,
  );
  const first = await up({ MAIL_SECRET: "s3cret" });

  const entered = await fetch(first.link);
  const cookie = entered.headers.get("set-cookie")!.split(";")[0]!;
  const again = await fetch(first.link);
  const origin = new URL(first.url).origin;
  const send = (path: string, method: string, body: unknown): Promise<Response> =>
    fetch(new URL(path, first.url), {
      method,
      headers: { cookie, origin, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const submitted = await send("/inbox/submit", "POST", {
    intent: { action: "propose-note", payload: { path: "notes/rose.md", text: "# Троянда\n" }, summary: "A rose" },
  });
  const { proposal_id, digest } = await json(submitted);
  const decided = await json(
    await send(`/proposals/${proposal_id}`, "PATCH", { verdict: "approve", digest, grace_s: 0 }),
  );
  expect({
    entered: entered.status,
    again: again.status,
    submitted: submitted.status,
    decided: decided["proposal"].status,
  }).toEqual({ entered: 200, again: 401, submitted: 201, decided: "applied" });
  expect({
    commit: git(dir, "log", "-1", "--format=%s|%(trailers:key=Proposal,valueonly)", "main").trim(),
    note: readFileSync(join(dir, "notes/rose.md"), "utf8"),
    keyMode: statSync(join(dir, ".bloom/keys/signing-key")).mode & 0o777,
  }).toEqual({ commit: `[owner] A rose|${proposal_id}`, note: "# Троянда\n", keyMode: 0o600 });

  const body = JSON.stringify({
    intent: { action: "propose-note", payload: { path: "notes/letter.md", text: "Hi\n" } },
  });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const headers = {
    "x-bloom-webhook": "mail",
    "x-bloom-timestamp": timestamp,
    "x-bloom-signature": webhookSignature("s3cret", timestamp, Buffer.from(body)),
  };
  const hook = (url: string): Promise<Response> =>
    fetch(new URL("/inbox/submit", url), { method: "POST", headers, body });
  expect((await hook(first.url)).status).toBe(201);

  // Tokens and links made by the command line are valid in the running gateway at once.
  const { id, token } = JSON.parse((await bloom(dir, ["token", "new", "script", "--json"])).out) as {
    id: string;
    token: string;
  };
  const me = (): Promise<Response> =>
    fetch(new URL("/me", first.url), { headers: { authorization: `Bearer ${token}` } });
  const before = (await me()).status;
  await bloom(dir, ["token", "revoke", id]);
  const { link } = JSON.parse((await bloom(dir, ["token", "link", "--json"])).out) as { link: string };
  expect({ before, after: (await me()).status, link: (await fetch(link)).status }).toEqual({
    before: 200,
    after: 401,
    link: 200,
  });
  expect(await first.stop()).toBe(0);

  // Cookies are named after the port.
  const second = await up({ MAIL_SECRET: "s3cret" }, new URL(first.url).port);
  const session = await fetch(new URL("/me", second.url), { headers: { cookie } });
  const replayed = await hook(second.url);
  expect({ session: session.status, replayed: replayed.status, code: (await json(replayed))["error"].code }).toEqual({
    session: 200,
    replayed: 403,
    code: "FORBIDDEN",
  });

  // Event streams end with the gateway and do not delay its exit.
  const live = await fetch(new URL("/events", second.url), { headers: { cookie } });
  const ended = await Promise.all([live.text(), second.stop()]);
  expect({ live: live.status, ended }).toEqual({ live: 200, ended: ["retry: 2000\n\n", 0] });
  expect((await bloom(dir, ["token", "link"])).exit).toBe(3);
});
