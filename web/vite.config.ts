import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Builds static files that the gateway serves under /app/. Nothing is loaded from other hosts. */
export default defineConfig({
  root: here("."),
  base: "/app/",
  plugins: [react()],
  // `domain/` and `drakon/` hash with Node's module; the browser gets a small replacement.
  resolve: { alias: { "node:crypto": here("./src/browser-crypto.ts") } },
  // Small assets are files too: the content security policy forbids inline ones.
  build: { outDir: "dist", emptyOutDir: true, target: "es2022", assetsInlineLimit: 0, sourcemap: false },
  server: { proxy: { "^/(?!app/|@|src/|node_modules/)": "http://127.0.0.1:4440" } },
});
