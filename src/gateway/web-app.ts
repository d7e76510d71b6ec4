import type { Context } from "hono";

/** The web app as built: a file by its path (`index.html`, `assets/page-3f2a.js`), or undefined. */
export type WebFiles = (path: string) => Promise<Uint8Array | undefined>;

/** Where the pages of the web app are. The gateway's own paths are its interface, and stay free of them. */
export const APP = "/app/";

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=UTF-8",
  js: "text/javascript; charset=UTF-8",
  css: "text/css; charset=UTF-8",
  svg: "image/svg+xml",
  json: "application/json",
  woff2: "font/woff2",
};

/** Its own files only: no script or style in the page itself, nothing from anybody else. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; " +
  "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/**
 * One file of the app. A path without a file is a page of the app, which finds its way itself. Names of assets hold a hash of their
 * content, so a browser may keep them for ever; the page that names them is asked for each time.
 */
export async function webFile(context: Context, files: WebFiles): Promise<Response | undefined> {
  const asked = context.req.path.slice(APP.length);
  const isAsset = asked.startsWith("assets/");
  const path = isAsset || /^[a-z-]+\.(?:svg|json)$/.test(asked) ? asked : "index.html";
  const type = TYPES[path.slice(path.lastIndexOf(".") + 1)];
  if (type === undefined || !/^[\w./-]+$/.test(path) || path.includes("..")) return undefined;
  const packed = /\bbr\b/.test(context.req.header("accept-encoding") ?? "") ? await files(`${path}.br`) : undefined;
  const bytes = packed ?? (await files(path));
  if (!bytes) return undefined;
  context.header("Content-Type", type);
  context.header("Content-Security-Policy", POLICY);
  context.header("Vary", "Accept-Encoding");
  context.header("Cache-Control", isAsset ? "public, max-age=31536000, immutable" : "no-cache");
  if (packed) context.header("Content-Encoding", "br");
  return context.body(new Uint8Array(bytes));
}
