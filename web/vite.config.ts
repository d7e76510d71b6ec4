import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Static files for the gateway to serve under /app/. Nothing of it runs in Node, and nothing is fetched from elsewhere. */
export default defineConfig({
  root: here("."),
  base: "/app/",
  plugins: [react()],
  // The parts of ours that are pure hash with Node's module; in a browser there is a small one of our own.
  resolve: { alias: { "node:crypto": here("./src/browser-crypto.ts") } },
  // Small assets stand in files too: the content security policy has no inline ones.
  build: { outDir: "dist", emptyOutDir: true, target: "es2022", assetsInlineLimit: 0, sourcemap: false },
  server: { proxy: { "^/(?!app/|@|src/|node_modules/)": "http://127.0.0.1:4440" } },
});
