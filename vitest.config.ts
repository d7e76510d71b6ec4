import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    setupFiles: ["test/one-seed.ts"],
    pool: "forks",
    maxWorkers: 2,
    // Far above what the slowest takes on a busy machine: a limit is for what hangs, not for what is slow.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
