import { describe, expect, test } from "vitest";
import { makeSignInCode } from "../garden/agents/access/sign-in.ts";
import { START, testGateway } from "./testing/test-gateway.ts";

const json = async (answer: Promise<Response>): Promise<Record<string, unknown>> =>
  (await (await answer).json()) as Record<string, unknown>;

describe("signing in and out", () => {
  test("signing in sets an HttpOnly SameSite cookie, and signing out revokes it everywhere", async () => {
    const { ask, garden } = await testGateway();
    const { code } = await makeSignInCode(garden);
    const answer = await ask("none", "GET", `/sign-in?code=${code}`, { headers: { "x-forwarded-proto": "https" } });
    const [pair, ...flags] = answer.headers.get("set-cookie")!.split("; ");
    const headers = { cookie: pair, origin: "http://localhost:4440" };
    const me = await json(ask("none", "GET", "/me", { headers }));
    const out = await ask("none", "POST", "/sign-out", { headers });
    const after = await ask("none", "GET", "/me", { headers });
    expect({
      flags,
      type: me["type"],
      via: me["via"],
      out: out.status,
      clearsCookie: out.headers.get("set-cookie")?.includes("Max-Age=0"),
      after: after.status,
    }).toEqual({
      flags: ["Path=/", "HttpOnly", "SameSite=Strict", "Max-Age=2592000", "Secure"],
      type: "owner",
      via: "session",
      out: 200,
      clearsCookie: true,
      after: 401,
    });
  });

  test("the code of a zone signs a guest in", async () => {
    const { ask } = await testGateway();
    const made = await json(ask("token", "POST", "/tokens", { body: { kind: "guest", zone: "porch", days: 2 } }));
    const token = String(made["token"]);
    const cookie = (await ask("none", "GET", `/sign-in?code=${token}`)).headers.get("set-cookie")!.split(";")[0]!;
    const me = await json(ask("none", "GET", "/me", { headers: { cookie } }));
    expect({ identity: me["identity"], folders: me["folders"], expiresAt: me["expires_at"] }).toEqual({
      identity: "guest:porch",
      folders: ["notes/porch"],
      expiresAt: new Date(START + 2 * 86_400_000).toISOString(),
    });
  });
});

test("A-3 a guest's link in the owner's browser leaves the owner signed in", async () => {
  const { ask, garden, token } = await testGateway();
  const pairs = (answer: Response): string[] => answer.headers.getSetCookie().map((each) => each.split(";")[0]!);
  const type = async (cookie: string): Promise<unknown> =>
    (await json(ask("none", "GET", "/me", { headers: { cookie } })))["type"];
  const guestLink = `/sign-in?code=${await token({ kind: "guest", zone: "porch" })}`;
  const { code } = await makeSignInCode(garden);
  const owner = pairs(await ask("none", "GET", `/sign-in?code=${code}`));
  const headers = { cookie: owner.join("; "), origin: "http://localhost:4440" };
  const opened = pairs(await ask("none", "GET", guestLink, { headers }));
  // A link on another site: the browser leaves the SameSite=Strict cookie out of this request, and sends both later.
  const followed = pairs(await ask("none", "GET", guestLink));
  const again = await ask("none", "GET", `/sign-in?code=${code}`, { headers });
  const both = await type([...opened, ...owner].join("; "));
  const out = await ask("none", "POST", "/sign-out", { headers });
  const ended = await ask("none", "GET", guestLink, { headers });
  const otherPort = await ask("none", "GET", "/me", {
    headers: { ...headers, host: "localhost:4441", origin: undefined },
  });
  expect({
    both,
    followed: followed.length,
    isOwnCookie: followed[0]!.split("=")[0] !== owner[0]!.split("=")[0],
    again: [again.status, pairs(again)],
    cleared: pairs(out).map((pair) => pair.endsWith("=")),
    ended: ended.headers.getSetCookie().map((each) => each.includes("Max-Age=0")),
    guest: await type(followed[0]!),
    otherPort: otherPort.status,
  }).toEqual({
    both: "owner",
    followed: 1,
    isOwnCookie: true,
    again: [200, []],
    cleared: [true, true],
    ended: [false, true],
    guest: "guest",
    otherPort: 401,
  });
});
