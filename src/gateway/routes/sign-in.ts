import { html } from "hono/html";
import { z } from "zod";
import { identityName } from "../../domain/identity.ts";
import { authRequired } from "../../garden/agents/access/failures.ts";
import { identityOfToken } from "../../garden/agents/access/identify.ts";
import { isOpenCode, signIn } from "../../garden/agents/access/sign-in.ts";
import { expiryOf, revokeToken } from "../../garden/agents/access/tokens.ts";
import { takeToken, tooOften } from "../../garden/changes/inbox/rate-limit.ts";
import { type Garden, personSignature } from "../../garden/core/garden.ts";
import { firstCommit } from "../../garden/records/agents/flower-facts.ts";
import { type CookieKind, cookieKinds, cookieName, cookieOf } from "../authenticate.ts";
import { type Caller, type Route, route } from "../route.ts";

/** Against guessing codes. Every refusal is also written to the audit log. */
const TRIES_PER_MINUTE = 10;

export const signInRoutes: readonly Route[] = [
  route("GET /sign-in", {
    summary: {
      en: "exchanges the owner's one-time code, or a guest's code, for a cookie",
      uk: "перетворює одноразове посилання власника або код гостя на cookie",
    },
    allows: ["anyone"],
    query: z.strictObject({ code: z.string().min(1).max(2000) }),
    answer: "text/html",
    async handle({ garden, query, request, language, visitor }) {
      const code = codeIn(query.code);
      // Link previews in chats send HEAD: that must not consume the code.
      if (request.method === "HEAD") return new Response(null);
      const headers = new Headers({ "Content-Type": "text/html; charset=UTF-8" });
      if (code.startsWith("bloom1.")) await setGuestCookie(garden, request, code, visitor, headers);
      // A link that is opened a second time, in the browser that it signed in.
      else if (visitor?.identity.type !== "owner" || (await isOpenCode(garden, code)))
        await setOwnerCookie(garden, request, code, headers);
      const page = await html`<!doctype html>
  <html lang="${language}">
  <head><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/"><title>Garden Bloom</title></head>
  <body><a href="/">${{ en: "You are signed in.", uk: "Ви увійшли." }[language]}</a></body>
  </html>
  `;
      // A page with a refresh, not a redirect: after a redirect that began on another site the browser does not send the new
      // SameSite=Strict cookie, and the owner would see the sign-in page.
      return new Response(String(page), { headers });
    },
  }),
  route("POST /sign-out", {
    summary: { en: "revokes the session, also for copies of its cookie", uk: "завершує сеанс, де б не був cookie" },
    allows: ["owner", "guest"],
    answer: z.object({ signed_out: z.boolean() }),
    async handle({ garden, request, visitor }) {
      const claims = visitor?.claims;
      // A guest's code is shared, and a script's token is not the browser's: only sessions are revoked.
      if (claims?.kind === "session") await revokeToken(garden, claims.id, "owner");
      const headers = new Headers();
      for (const kind of cookieKinds) headers.append("Set-Cookie", await cookie(garden, request, kind, "", 0));
      const byPage = request.headers.get("accept")?.includes("text/html");
      if (byPage) {
        headers.set("Location", "/");
        return new Response(null, { status: 303, headers });
      }
      return Response.json({ signed_out: true }, { headers });
    },
  }),
  route("GET /me", {
    summary: { en: "the caller's identity and expiry", uk: "хто питає і доки" },
    allows: ["owner", "agent", "guest"],
    answer: z.object({
      type: z.enum(["owner", "agent", "guest"]),
      identity: z.string(),
      via: z.string(),
      run: z.string().optional(),
      folders: z.array(z.string()).optional(),
      actions: z.array(z.string()).optional(),
      expires_at: z.iso.datetime().optional(),
      /** For the owner: git's user name in this garden, and the garden with the commit from which its flower grows. */
      name: z.string().optional(),
      /** `vault`: the garden's folder, where Obsidian keeps its settings in it or in the folder of notes. */
      garden: z.object({ name: z.string(), first_commit: z.string(), vault: z.string().optional() }).optional(),
      /** The version that serves, and the one that is installed now. */
      program: z.object({ running: z.string(), installed: z.string() }).optional(),
    }),
    async handle({ garden, gateway, identity, visitor }) {
      return {
        ...(identity.type === "owner" && {
          ...(gateway.program && { program: await gateway.program() }),
          name: (await personSignature(garden)).name,
          garden: {
            name: garden.config.name,
            first_commit: await firstCommit(garden.repo),
            ...((await hasVault(garden)) && { vault: garden.dir }),
          },
        }),
        type: identity.type,
        identity: identityName(identity),
        via: identity.type === "owner" ? identity.via : visitor!.by,
        ...(identity.type === "agent" && identity.run !== undefined && { run: identity.run }),
        ...(identity.type === "guest" && { folders: identity.folders, actions: identity.actions }),
        ...(visitor?.claims && { expires_at: expiryOf(visitor.claims) }),
      };
    },
  }),
];

/** The code itself, or the one in a link that was pasted into the sign-in page. */
const codeIn = (pasted: string): string => /[?&]code=([^&#\s]+)/.exec(pasted)?.[1] ?? pasted.trim();

async function setOwnerCookie(garden: Garden, request: Request, code: string, headers: Headers): Promise<void> {
  // Valid codes are not rate limited: otherwise any page could lock the owner out by sending invalid ones.
  if (!(await isOpenCode(garden, code))) {
    const wait = await takeToken(garden, "sign-in", TRIES_PER_MINUTE);
    if (wait !== undefined) throw tooOften("sign-in", TRIES_PER_MINUTE, wait);
  }
  const { token, expires_at } = await signIn(garden, code);
  headers.append("Set-Cookie", await cookie(garden, request, "owner", token, Date.parse(expires_at)));
}

async function setGuestCookie(
  garden: Garden,
  request: Request,
  token: string,
  visitor: Caller | undefined,
  headers: Headers,
): Promise<void> {
  const { claims } = await identityOfToken(garden, token);
  // Other tokens are secrets of scripts and must not appear in a URL.
  if (claims.kind !== "guest") throw authRequired();
  headers.append("Set-Cookie", await cookie(garden, request, "guest", token, claims.expires * 1000));
  // The cookie of an ended session would be tried first and refused. The owner's valid one is kept.
  const isOwner = visitor?.identity.type === "owner";
  if (!isOwner && (await cookieOf(garden, request, "owner")) !== undefined)
    headers.append("Set-Cookie", await cookie(garden, request, "owner", "", 0));
}

/** HttpOnly and SameSite=Strict; Secure if the request came over HTTPS. */
async function cookie(
  garden: Garden,
  request: Request,
  kind: CookieKind,
  value: string,
  expires: number,
): Promise<string> {
  const secure = request.url.startsWith("https:") || request.headers.get("x-forwarded-proto") === "https";
  const seconds = Math.max(0, Math.floor((expires - garden.world.now()) / 1000));
  const name = await cookieName(garden, request, kind);
  const parts = [`${name}=${value}`, "Path=/", "HttpOnly", "SameSite=Strict", `Max-Age=${seconds}`];
  return [...parts, ...(secure ? ["Secure"] : [])].join("; ");
}

/** Obsidian opens a note by its path if one of the folders above it is a vault. */
async function hasVault({ folder, config }: Pick<Garden, "folder" | "config">): Promise<boolean> {
  const places = [".obsidian", ...(config.notes_root === "." ? [] : [`${config.notes_root}/.obsidian`])];
  const seen = await Promise.all(places.map((path) => folder.stat(path)));
  return seen.some(({ kind }) => kind === "folder");
}
