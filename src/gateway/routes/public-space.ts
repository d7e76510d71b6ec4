import { z } from "zod";
import { answerFetch } from "../../garden/federation/public-space.ts";
import type { FetchRequest } from "../../ports/repos.ts";
import { type Route, type RouteCall, route } from "../route.ts";

/** The two requests of git's smart HTTP protocol that read. No other address of a repository exists, so nothing can be pushed. */
export const publicSpaceRoutes: readonly Route[] = [
  route("GET /public.git/info/refs", {
    summary: {
      en: "for git: the refs that this garden has published (S-10); 404 unless `federation: { public: true }`",
      uk: "для git: посилання, які оприлюднив цей сад (S-10); 404 без `federation: { public: true }`",
    },
    allows: ["anyone"],
    query: z.strictObject({ service: z.literal("git-upload-pack") }),
    answer: "application/octet-stream",
    handle: (call) => fetchAnswer(call, "list"),
  }),
  route("POST /public.git/git-upload-pack", {
    summary: {
      en: "for git: the objects behind the published refs; bodies of at most 4 MiB, eight fetches at once",
      uk: "для git: об’єкти за оприлюдненими посиланнями; тіло щонайбільше 4 МіБ, вісім отримань водночас",
    },
    allows: ["anyone"],
    rate: "read",
    answer: "application/octet-stream",
    handle: (call) => fetchAnswer(call, "fetch"),
  }),
];

async function fetchAnswer({ garden, request }: RouteCall, step: FetchRequest["step"]): Promise<Response> {
  const { status, headers, body } = await answerFetch(garden, {
    step,
    protocol: request.headers.get("git-protocol") ?? undefined,
    encoding: request.headers.get("content-encoding") ?? undefined,
    body: step === "fetch" ? (request.body ?? undefined) : undefined,
    ended: request.signal,
  });
  return new Response(body, { status, headers });
}
