import { z } from "zod";
import { notifyKinds } from "../../domain/notification.ts";
import type { PushDevice } from "../../domain/push.ts";
import { notifyReports, testNotify } from "../../garden/life/notify/notify-status.ts";
import { addPushDevice, pushDevices, pushKey, removePushDevice } from "../../garden/life/push/push-devices.ts";
import { type Route, route } from "../route.ts";
import { textShape } from "../shapes.ts";
import { engineOf } from "./runs.ts";

const device = z.object({ id: z.string(), name: z.string(), host: z.string(), added_at: z.iso.datetime() });
const shownDevice = ({ id, name, endpoint, added_at }: PushDevice) => ({
  id,
  name,
  host: new URL(endpoint).host,
  added_at,
});

const pushRoutes: readonly Route[] = [
  route("GET /notify/devices", {
    summary: {
      en: "devices that are told by Web Push, and the public key with which a browser subscribes",
      uk: "пристрої, які отримують сповіщення Web Push, і відкритий ключ для підписки браузера",
    },
    allows: ["owner"],
    answer: z.object({ public_key: z.string(), devices: z.array(device) }),
    handle: async ({ garden }) => ({
      public_key: (await pushKey(garden)).publicKey,
      devices: (await pushDevices(garden)).map(shownDevice),
    }),
  }),
  route("POST /notify/devices", {
    summary: {
      en: "adds the subscription of a browser; a `push` destination of `notify` must name its push service",
      uk: "додає підписку браузера; її службу має називати отримувач `push` у `notify`",
    },
    allows: ["owner"],
    body: z.strictObject({
      name: z.string().trim().min(1).max(100),
      endpoint: z.url({ protocol: /^https?$/ }).max(2000),
      p256dh: z.string().max(200),
      auth: z.string().max(100),
    }),
    status: 201,
    answer: device,
    handle: async ({ garden, body }) => shownDevice(await addPushDevice(garden, body)),
  }),
  route("DELETE /notify/devices/:id", {
    summary: { en: "removes a device", uk: "прибирає пристрій" },
    allows: ["owner"],
    params: z.strictObject({ id: z.string().regex(/^[0-9a-f]{16}$/) }),
    answer: z.object({ kind: z.literal("removed") }),
    async handle({ garden, params: { id } }) {
      await removePushDevice(garden, id);
      return { kind: "removed" };
    },
  }),
];

export const notifyRoutes: readonly Route[] = [
  ...pushRoutes,
  route("GET /notify", {
    summary: {
      en: "destinations of notifications, with what was sent in the last two weeks and why something was not (P-12a)",
      uk: "куди надходять сповіщення, що надіслано за два тижні й чому щось не дійшло (P-12a)",
    },
    allows: ["owner"],
    answer: z.object({
      destinations: z.array(
        z.object({
          name: z.string(),
          to: z.enum(["webhook", "command", "push"]),
          address: z.string(),
          kinds: z.array(z.enum(notifyKinds)),
          digest: z.string().optional(),
          quiet: z.object({ from: z.string(), to: z.string() }).optional(),
          sent: z.int(),
          waiting: z.int(),
          failed: z.int(),
          last_sent_at: z.string().optional(),
          error: textShape.optional(),
        }),
      ),
    }),
    handle: async ({ garden }) => ({ destinations: await notifyReports(garden) }),
  }),
  route("POST /notify/test", {
    summary: {
      en: "sends a test message now, to one destination (`name`) or to all",
      uk: "надсилає пробне повідомлення зараз, одному (`name`) або всім",
    },
    allows: ["owner"],
    body: z.strictObject({ name: z.string().max(63).optional() }),
    answer: z.object({
      results: z.array(
        z.object({ name: z.string(), ok: z.boolean(), error: textShape.optional(), hint: textShape.optional() }),
      ),
    }),
    handle: async ({ garden, gateway, body }) => ({
      results: await testNotify(garden, engineOf(gateway.runs).messenger, body.name),
    }),
  }),
];
