import type { Context } from "hono";

/** Reads a file of the built web app by its path (`index.html`, `assets/page-3f2a.js`). */
export type WebFiles = (path: string) => Promise<Uint8Array | undefined>;

/** Prefix of the web app's pages: keeps them apart from the API. */
export const APP = "/app/";

/** Files of the build, which have no content of a garden. */
export const isAppAsset = (path: string): boolean => path.startsWith(`${APP}assets/`);

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=UTF-8",
  js: "text/javascript; charset=UTF-8",
  css: "text/css; charset=UTF-8",
  svg: "image/svg+xml",
  png: "image/png",
  json: "application/json",
  woff2: "font/woff2",
};

/** Own files only: no inline script or style, nothing from other origins. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; " +
  "manifest-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The page that draws Mermaid diagrams. It is sandboxed: inline styles, but no origin, no request and no form. */
const FRAME = "mermaid-frame.html";
const FRAME_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; " +
  "sandbox allow-scripts";

/**
 * One file of the app. Any other path returns `index.html`, because the app routes in the browser. Asset names contain a content
 * hash, so assets are cached for ever; `index.html` is revalidated each time.
 */
export async function webFile(context: Context, files: WebFiles): Promise<Response | undefined> {
  const asked = context.req.path.slice(APP.length);
  const isAsset = asked.startsWith("assets/");
  const path = isAsset || asked === FRAME || /^[a-z0-9-]+\.(?:svg|png|json|js)$/.test(asked) ? asked : "index.html";
  const type = TYPES[path.slice(path.lastIndexOf(".") + 1)];
  if (type === undefined || !/^[\w./-]+$/.test(path) || path.includes("..")) return undefined;
  const packed = /\bbr\b/.test(context.req.header("accept-encoding") ?? "") ? await files(`${path}.br`) : undefined;
  const bytes = packed ?? (await files(path));
  if (!bytes) return undefined;
  context.header("Content-Type", type);
  context.header("Content-Security-Policy", path === FRAME ? FRAME_POLICY : POLICY);
  if (path === FRAME) context.header("X-Frame-Options", "SAMEORIGIN");
  // The frame has no origin of its own, so its scripts are requests of another origin. They are the same for everybody.
  if (isAsset) context.header("Access-Control-Allow-Origin", "*");
  context.header("Vary", "Accept-Encoding");
  context.header("Cache-Control", isAsset ? "public, max-age=31536000, immutable" : "no-cache");
  if (packed) context.header("Content-Encoding", "br");
  return context.body(new Uint8Array(bytes));
}

/** The addresses of the app's style sheets, as its page names them: the sign-in page has the same look. None without an app. */
export async function appStyles(files: WebFiles | undefined): Promise<readonly string[]> {
  const page = new TextDecoder().decode(await files?.("index.html"));
  return [...page.matchAll(/<link rel="stylesheet"[^>]*href="([\w./-]+)"/g)].map(([, address]) => address!);
}
