import { z } from "zod";
import { notifyKinds } from "../../domain/notification.ts";
import { notifyReports, testNotify } from "../../garden/life/notify/notify-status.ts";
import { type Route, route } from "../route.ts";
import { textShape } from "../shapes.ts";
import { engineOf } from "./runs.ts";

export const notifyRoutes: readonly Route[] = [
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
          to: z.enum(["webhook", "command"]),
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
