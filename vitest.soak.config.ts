import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.soak.ts"],
    globalSetup: ["test/published.ts", "test/shared-servers.ts"],
    setupFiles: ["test/after-tests.ts"],
    pool: "forks",
    testTimeout: 0,
    hookTimeout: 0,
    taskTitleValueFormatTruncate: 0, // whole names, so that `-t` finds one of them
  },
});
