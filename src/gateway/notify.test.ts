import { expect, test } from "vitest";
import { testGateway } from "./testing/test-gateway.ts";

test("P-12a a webhook can be added over HTTP, and a command cannot", async () => {
  const { ask } = await testGateway();
  const { base, items } = (await (await ask("token", "GET", "/settings/notify")).json()) as {
    base: string;
    items: object[];
  };
  const put = async (item: object): Promise<number> =>
    (await ask("token", "PUT", "/settings/notify", { body: { base, items: [...items, item] } })).status;
  expect([
    await put({ name: "evil", command: ["sh", "-c", "id"] }),
    await put({ name: "both", webhook: "https://x.example/y", command: ["cat"] }),
    await put({ name: "mail", webhook: "https://x.example/y", secret_env: "MAIL" }),
  ]).toEqual([403, 400, 200]);
  const { destinations } = (await (await ask("token", "GET", "/notify")).json()) as { destinations: object[] };
  expect(destinations).toMatchObject([
    { name: "phone", to: "command", address: "cat" },
    { name: "mail", to: "webhook", address: "x.example" },
  ]);
});
