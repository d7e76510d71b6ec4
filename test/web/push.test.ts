import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { patient } from "../../src/base/testing/patience.ts";
import { complaints } from "./axe.ts";
import { type WebGround, webGround } from "./ground.ts";

/** Web Push in a real browser and a push service of the test: a browser without a network gets no subscription of its own. */
let ground: WebGround;
let service: Server;
let host: string;
const arrived: { readonly encoding: unknown; readonly bytes: number; readonly sub: string }[] = [];

beforeAll(async () => {
  service = createServer((request, response) => {
    let bytes = 0;
    request.on("data", (part: Buffer) => (bytes += part.length));
    request.on("end", () => {
      const [, claims = ""] = /^vapid t=[^.]+\.([^.]+)/.exec(request.headers.authorization ?? "") ?? [];
      const { sub } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { sub: string };
      arrived.push({ encoding: request.headers["content-encoding"], bytes, sub });
      response.writeHead(201).end();
    });
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(service.address() as AddressInfo).port}`;
  ground = await webGround();
}, patient(120_000));

afterAll(async () => {
  await ground?.stop();
  service.closeAllConnections();
  service.close();
});

/** A browser whose push service is that of the test. The keys are those of the example of RFC 8291. */
async function withPushService(context: BrowserContext, endpoint: string): Promise<void> {
  await context.grantPermissions(["notifications"]);
  await context.addInitScript((at) => {
    if (!("PushManager" in globalThis)) return;
    let current: unknown = null;
    const keys = {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    };
    const subscription = {
      endpoint: at,
      options: { applicationServerKey: null },
      toJSON: () => ({ endpoint: at, keys }),
      unsubscribe: async () => {
        current = null;
        return true;
      },
    };
    Object.assign(PushManager.prototype, {
      getSubscription: async () => current,
      subscribe: async () => (current = subscription),
    });
  }, endpoint);
}

/** The settings again, without the service worker's old files. */
const openDevices = async (page: Page) => {
  await page.goto(new URL("/app/settings", ground.url).href);
  return page.locator("section", { has: page.getByRole("heading", { name: "Devices" }) });
};

test("P-12a a device is added in the settings after its push service is allowed by name, gets a test, and is removed", async () => {
  const { page, context } = await ground.open({ installed: true });
  await withPushService(context, `http://${host}/device`);
  const devices = await openDevices(page);
  await devices.getByRole("button", { name: "Notify this device" }).click();
  await devices.getByText(`gets messages through ${host}`).waitFor();
  expect(await complaints(page)).toEqual([]);
  await devices.getByRole("button", { name: "Allow and notify" }).click();
  await devices.getByText("this device", { exact: true }).waitFor();
  expect(ground.bloom("notify", "list").out).toContain(`devices  push ${host}`);
  await devices.getByLabel("Contact for push services").fill("ann@garden.example");
  await devices.getByRole("button", { name: "Save" }).click();
  await devices.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
  await page
    .locator(".setting-row", { has: page.getByText("devices", { exact: true }) })
    .getByRole("button", { name: "Send a test" })
    .click();
  await page.getByRole("status").getByText("Sent", { exact: true }).waitFor();
  const sub = "mailto:ann@garden.example";
  expect(arrived).toEqual([{ encoding: "aes128gcm", bytes: expect.any(Number), sub }]);
  await devices.getByRole("checkbox").click();
  await page.getByRole("checkbox", { checked: true, name: /Say only what kind/ }).waitFor();
  await devices.getByRole("button", { name: "Remove" }).click();
  await devices.getByRole("button", { name: "Notify this device" }).waitFor();
  const { out } = ground.bloom("notify", "devices", "--json");
  expect(JSON.parse(out)).toEqual({ devices: [] });
  await context.close();
});

test("P-12a the service worker shows a message of the garden", async () => {
  const { page, context } = await ground.open({ installed: true });
  await context.grantPermissions(["notifications"]);
  const cdp = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    });
  });
  await cdp.send("ServiceWorker.enable");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  const payload = { id: "note_1", title: "Rose", body: "A change waits for your decision", path: "/app/proposals" };
  await cdp.send("ServiceWorker.deliverPushMessage", {
    origin: new URL(ground.url).origin,
    registrationId: await registered,
    data: JSON.stringify(payload),
  });
  const shown = (): Promise<unknown> =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).map(({ title, body, data }) => ({
        title,
        body,
        data: data as unknown,
      }));
    });
  await expect
    .poll(shown, { timeout: patient(30_000) })
    .toEqual([{ title: payload.title, body: payload.body, data: { path: payload.path } }]);
  await context.close();
});

test("P-12a a subscription that the browser replaces takes the place of the old one, under the same name", async () => {
  const { page, context } = await ground.open({ installed: true });
  await withPushService(context, `http://${host}/former`);
  const devices = await openDevices(page);
  await devices.getByRole("button", { name: "Notify this device" }).click();
  await devices.getByText("this device", { exact: true }).waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  const devicesNow = () =>
    (JSON.parse(ground.bloom("notify", "devices", "--json").out) as { devices: { id: string; name: string }[] })
      .devices;
  const [before] = devicesNow();
  await worker.evaluate(
    async ({ former, next }) => {
      const keys = {
        p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: "BTBZMqHH6r4Tts7J_aSIgg",
      };
      let done: Promise<unknown> | undefined;
      const event = Object.assign(new Event("pushsubscriptionchange"), {
        oldSubscription: { endpoint: former },
        newSubscription: { endpoint: next, toJSON: () => ({ endpoint: next, keys }) },
        // A browser waits only for events of its own.
        waitUntil: (promise: Promise<unknown>) => (done = promise),
      });
      globalThis.dispatchEvent(event);
      await done;
    },
    { former: `http://${host}/former`, next: `http://${host}/next` },
  );
  const after = devicesNow();
  await context.close();
  expect({ count: after.length, isOther: after[0]?.id !== before?.id, name: after[0]?.name }).toEqual({
    count: 1,
    isOther: true,
    name: before?.name,
  });
});
