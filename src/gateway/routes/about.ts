import { z } from "zod";
import { processRoles } from "../../domain/peer.ts";
import { withoutPaths } from "../error-answer.ts";
import { gardenHealth } from "../health.ts";
import { openApi } from "../openapi.ts";
import { pageHeaders, plainPage } from "../plain-page.ts";
import { type Route, route } from "../route.ts";
import { peerShape, textShape } from "../shapes.ts";
import { APP } from "../web-app.ts";

const partHealth = z.object({
  status: z.enum(["ok", "slow", "degraded", "off"]),
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
      const [health, styles] = await Promise.all([gardenHealth(garden, gateway), gateway.appStyles()]);
      const page = await plainPage(garden, { health, visitor: visitor?.identity, styles }, language);
      return new Response(page.html, { headers: pageHeaders(page, language) });
    },
  }),
  route("GET /health", {
    summary: {
      en: "health of each part, and the processes that serve the garden (O-10)",
      uk: "у якому стані кожна частина, і процеси, що обслуговують сад (O-10)",
    },
    allows: ["anyone"],
    answer: z.object({
      status: z.enum(["ok", "slow", "degraded"]),
      role: z.enum(processRoles),
      parts: z.record(z.string(), partHealth),
      peers: z.array(peerShape),
    }),
    async handle({ garden, gateway, visitor }) {
      const { serving, peers, ...health } = await gardenHealth(garden, gateway);
      const isOwner = visitor?.identity.type === "owner";
      const told = peers.map(({ url, host, working_on, key_id, ...peer }) => ({
        ...peer,
        ...(isOwner && { url, host, working_on, key_id }),
      }));
      const answer = { ...health, role: gateway.role, peers: told };
      return new Response(withoutPaths(JSON.stringify(answer), garden), {
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
