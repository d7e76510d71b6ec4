import { z } from "zod";
import { withoutPaths } from "../error-answer.ts";
import { gardenHealth } from "../health.ts";
import { openApi } from "../openapi.ts";
import { pageHeaders, plainPage } from "../plain-page.ts";
import { type Route, route } from "../route.ts";
import { textShape } from "../shapes.ts";
import { APP } from "../web-app.ts";

const partHealth = z.object({
  status: z.enum(["ok", "degraded", "off"]),
  about: z.string(),
  remarks: z.array(textShape),
});

export const aboutRoutes: readonly Route[] = [
  route("GET /", {
    summary: {
      en: "a page that tells how to sign in; the owner is sent to the web app",
      uk: "сторінка про вхід; власника переспрямовує до вебзастосунку",
    },
    allows: ["anyone"],
    answer: "text/html",
    async handle({ garden, gateway, language, visitor }) {
      if (gateway.hasWebApp && visitor?.identity.type === "owner")
        return new Response(null, { status: 302, headers: { Location: APP, Vary: "Cookie" } });
      const [health, styles] = await Promise.all([gardenHealth(garden, gateway.runs), gateway.appStyles()]);
      const page = await plainPage(garden, { health, visitor: visitor?.identity, styles }, language);
      return new Response(page.html, { headers: pageHeaders(page, language) });
    },
  }),
  route("GET /health", {
    summary: { en: "health of each part", uk: "у якому стані кожна частина" },
    allows: ["anyone"],
    answer: z.object({ status: z.enum(["ok", "degraded"]), parts: z.record(z.string(), partHealth) }),
    async handle({ garden, gateway }) {
      const { serving, ...health } = await gardenHealth(garden, gateway.runs);
      return new Response(withoutPaths(JSON.stringify(health), garden), {
        status: serving ? 200 : 503,
        headers: { "Content-Type": "application/json" },
      });
    },
  }),
  route("GET /openapi.json", {
    summary: { en: "this interface as an OpenAPI document", uk: "цей інтерфейс як документ OpenAPI" },
    allows: ["anyone"],
    answer: z.record(z.string(), z.unknown()),
    handle: async ({ gateway, language }) => openApi(gateway.routes, language),
  }),
];
