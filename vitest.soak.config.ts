import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/**/*.soak.ts"], pool: "forks", testTimeout: 0, hookTimeout: 0 },
});
