import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type Rolldown } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Fonts of the first page's first words, in the names that the build gives them. Cyrillic ones are preloaded by the app. */
const PRELOADED = /^assets\/(?:inter|literata)-latin-wght-normal-[\w-]+\.woff2$/;

const preloadFonts: Plugin = {
  name: "preload-fonts",
  transformIndexHtml: {
    order: "post",
    handler: (_, { bundle, path }) =>
      Object.keys(bundle ?? {})
        .filter((file) => path === "/index.html" && PRELOADED.test(file))
        .map((file) => ({
          tag: "link",
          attrs: { rel: "preload", as: "font", type: "font/woff2", crossorigin: true, href: `/app/${file}` },
          injectTo: "head-prepend" as const,
        })),
  },
};

/** Larger files are loaded when they are used, and not kept: diagrams in notes, formulas. */
const MOST_KEPT_BYTES = 500_000;

/** The scripts that a page loads, at once or later. The frame of Mermaid has a hundred of its own, which are not kept. */
function filesOf(bundle: Rolldown.OutputBundle, page: string): Set<string> {
  const found = new Set<string>();
  const open = Object.values(bundle).flatMap((file) =>
    file.type === "chunk" && file.isEntry && file.name === page ? [file.fileName] : [],
  );
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const file = bundle[name];
    if (file?.type !== "chunk" || found.has(name)) continue;
    found.add(name);
    open.push(...file.imports, ...file.dynamicImports);
  }
  return found;
}

/** `precache.json`: the files that the service worker keeps, so that every page opens without the garden. */
const precacheList: Plugin = {
  name: "precache-list",
  // After Vite has removed the scripts of which only the styles are left.
  generateBundle: {
    order: "post",
    handler(_, bundle) {
      const kept = filesOf(bundle, "index");
      const files = Object.values(bundle)
        .filter(({ type, fileName }) => type === "asset" || kept.has(fileName))
        .filter((file) => Buffer.byteLength(file.type === "chunk" ? file.code : file.source) <= MOST_KEPT_BYTES)
        .map(({ fileName }) => fileName)
        .filter((name) => /\.(?:js|css)$/.test(name) || /-(?:latin|cyrillic)-wght-normal-[\w-]+\.woff2$/.test(name));
      this.emitFile({
        type: "asset",
        fileName: "precache.json",
        source: JSON.stringify(files.map((name) => `/app/${name}`)),
      });
    },
  },
};

/** KaTeX names each font in three formats; every browser that can run the app reads the first. */
const keepWoff2 = (code: string, id: string): string | undefined =>
  id.includes("katex") && id.endsWith(".css")
    ? code.replaceAll(/,url\([^)]*\.(?:woff|ttf)\) format\("[a-z]+"\)/g, "")
    : undefined;

/** Builds static files that the gateway serves under /app/. Nothing is loaded from other hosts. */
export default defineConfig({
  root: here("."),
  base: "/app/",
  plugins: [react(), preloadFonts, precacheList, { name: "woff2-only", enforce: "pre", transform: keepWoff2 }],
  // `domain/` and `drakon/` hash with Node's module; the browser gets a small replacement.
  resolve: { alias: { "node:crypto": here("./src/browser-crypto.ts") } },
  // Small assets are files too: the content security policy forbids inline ones.
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    sourcemap: false,
    // Only Mermaid and KaTeX are larger than this; the limit that counts is that of the first page (scripts/web.js).
    chunkSizeWarningLimit: 4000,
    // Mermaid needs inline styles: it has a page of its own, which runs in a sandboxed frame.
    rolldownOptions: { input: [here("./index.html"), here("./mermaid-frame.html")] },
  },
  server: { proxy: { "^/(?!app/|@|src/|node_modules/)": "http://127.0.0.1:4440" } },
});
