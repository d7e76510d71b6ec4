import { describe, expect, test } from "vitest";
import { testGateway } from "./testing/test-gateway.ts";

const json = async <T>(answer: Promise<Response>): Promise<T> => (await (await answer).json()) as T;

describe("the audit", () => {
  test.each([
    ["", 1],
    ["", 3],
    ["after=2026-02-14&", 2],
    ["after=2026-02-14&", 500],
    ["after=2999-01-01&", 5],
  ])(
    "GET /audit with last=true%s answers with the newest %i records, and whether there are older ones",
    async (after, limit) => {
      const { ask } = await testGateway();
      for (const name of ["attic", "cellar", "shed"]) {
        const { base, items } = await json<{ base: string; items: object[] }>(ask("token", "GET", "/settings/zones"));
        const more = { name, folders: [`notes/${name}`] };
        await ask("token", "PUT", "/settings/zones", { body: { base, items: [...items, more] } });
      }
      const { records: all } = await json<{ records: object[] }>(ask("token", "GET", `/audit?${after}limit=500`));
      const last = await json(ask("token", "GET", `/audit?${after}last=true&limit=${limit}`));
      expect(last).toEqual({ records: all.slice(-limit), ...(all.length > limit && { left_out: true }) });
    },
  );
});
