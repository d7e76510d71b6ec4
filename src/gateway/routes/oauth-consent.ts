import { z } from "zod";
import { asFailure, Failure } from "../../base/failure.ts";
import { type Language } from "../../base/text.ts";
import { isSlug } from "../../domain/contract/slug.ts";
import { type Action } from "../../domain/proposal/action.ts";
import { ensureOutsideAgent, grantIn } from "../../garden/agents/access/connect-agent.ts";
import { keepOauthClient } from "../../garden/agents/access/oauth/oauth-clients.ts";
import { makeOauthCode } from "../../garden/agents/access/oauth/oauth-codes.ts";
import { makeOauthGrant } from "../../garden/agents/access/oauth/oauth-grants.ts";
import { agentNotActive } from "../../garden/changes/inbox/failures.ts";
import { findAgent } from "../../garden/records/agents/read-agent.ts";
import {
  type AuthorizeFields,
  type AuthorizeReading,
  type AuthorizeRequest,
  answerAddress,
  authorizeFields,
  mcpResource,
  originOf,
  readAuthorizeRequest,
} from "../oauth/authorize-request.ts";
import { againPage, consentForm, OFFERED_ACTIONS, oauthWords, returnPage, signInFirst } from "../oauth/oauth-pages.ts";
import { readFormLists } from "../oauth/read-form.ts";
import { doorPage, type Html, pageHeaders } from "../plain-page.ts";
import { type Route, type RouteCall, route } from "../route.ts";

/** The page on which the owner connects a program (OAuth 2.1, authorisation code with PKCE). */
export const oauthConsentRoutes: readonly Route[] = [
  route("GET /oauth/authorize", {
    summary: {
      en: "the page on which the owner chooses the grant of a program (OAuth 2.1)",
      uk: "сторінка, на якій власник обирає дозвіл програми (OAuth 2.1)",
    },
    allows: ["anyone"],
    query: authorizeFields.extend({ again: z.literal("1").optional() }),
    answer: "text/html",
    handle: (call) => showConsent(call, call.query),
  }),
  route("POST /oauth/authorize", {
    summary: {
      en: "the owner's answer to a program: its grant and a code, or a refusal",
      uk: "відповідь власника програмі: її дозвіл і код або відмова",
    },
    allows: ["owner"],
    answer: "text/html",
    handle: answerConsent,
  }),
];

async function showConsent(
  call: RouteCall,
  { again, ...fields }: AuthorizeFields & { readonly again?: "1" | undefined },
): Promise<Response> {
  const reading = await readAuthorizeRequest(call.garden, fields, mcpResource(call.request));
  if (reading.kind !== "request") return refusal(call, reading, fields);
  if (call.visitor?.identity.type !== "owner") {
    const address = `/oauth/authorize?${new URLSearchParams(present({ ...fields, again: "1" }))}`;
    return page(call, again === undefined ? againPage(address) : signInFirst(address, call.language));
  }
  const agent = slugFor(reading.client.name);
  return page(call, consentForm({ ...reading, fields, agent }, call.language));
}

async function answerConsent(call: RouteCall): Promise<Response> {
  const { garden, request, language } = call;
  const values = await readFormLists(call);
  const sent = Object.fromEntries(
    Object.keys(authorizeFields.shape).flatMap((name) =>
      values(name)
        .slice(0, 1)
        .map((value) => [name, value]),
    ),
  );
  const parsed = authorizeFields.safeParse(sent);
  const fields = parsed.success ? parsed.data : {};
  const reading = await readAuthorizeRequest(garden, fields, mcpResource(request));
  if (reading.kind !== "request") return refusal(call, reading, fields);
  const { client, redirect } = reading;
  const back = (answer: Readonly<Record<string, string>>): Promise<Response> => {
    const address = answerAddress(redirect, { ...answer, state: fields.state, iss: originOf(request) });
    return page(call, returnPage(client.name, address, language));
  };
  if (values("decision")[0] !== "connect") return back({ error: "access_denied" });
  const agent = (values("agent")[0] ?? "").trim();
  const again = (problem: string | undefined, existing?: Parameters<typeof consentForm>[0]["existing"]) =>
    page(call, consentForm({ ...reading, fields, agent, problem, ...(existing && { existing }) }, language));
  if (values("confirmed")[0] !== "yes") return again(words.tick[language]);
  const known = isSlug(agent) ? await findAgent(garden.store, agent) : undefined;
  if (known && values("existing")[0] !== agent)
    return again(undefined, { actions: known.contract.safe_outputs, folder: known.contract.context.folder });
  try {
    if (known && known.contract.status !== "active") throw agentNotActive(agent, known.contract.status);
    await ensureOutsideAgent(garden, { agent, by: call.identity, grant: known ? undefined : grantOf(values) });
  } catch (error) {
    const failure = asFailure(error);
    if (failure.code === "INTERNAL_ERROR") throw error;
    return again(failure.text[language]);
  }
  await keepOauthClient(garden, client);
  const grant = await makeOauthGrant(garden, { client: client.id, agent });
  return back({
    code: await makeOauthCode(garden, { client: client.id, redirect, challenge: reading.challenge, grant }),
  });
}

function grantOf(values: (name: string) => string[]) {
  const chosen = values("action").filter((name): name is Action => OFFERED_ACTIONS.some((action) => action === name));
  if (chosen.length === 0) throw noActions();
  const [folder = ""] = values("folder").map((text) => text.trim().replace(/\/$/, ""));
  const [rate = ""] = values("per_minute");
  return grantIn({
    actions: chosen,
    folder: folder === "" ? undefined : folder,
    perMinute: /^\d{1,4}$/.test(rate) && Number(rate) >= 1 && Number(rate) <= 1000 ? Number(rate) : undefined,
  });
}

/** A refusal to a program goes to its address only if that is registered; otherwise the person reads it. */
async function refusal(
  { request }: RouteCall,
  reading: Exclude<AuthorizeReading, AuthorizeRequest>,
  fields: AuthorizeFields,
): Promise<Response> {
  if (reading.kind === "shown") {
    const { hint, ...text } = oauthWords[reading.about];
    throw new Failure("VALIDATION_FAILED", { ...text, hint });
  }
  const address = answerAddress(reading.redirect, {
    error: reading.code,
    error_description: reading.about,
    state: fields.state,
    iss: originOf(request),
  });
  return new Response(null, { status: 303, headers: { Location: address } });
}

/** A slug from the name of a program: "Claude Code (laptop)" becomes `claude-code-laptop`. */
const slugFor = (name: string): string => {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replaceAll(/^-|-$/g, "");
  return isSlug(slug) ? slug : "program";
};

const present = (fields: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined));

async function page({ garden, gateway, language }: RouteCall, content: Html): Promise<Response> {
  const made = await doorPage(garden, { content, styles: await gateway.appStyles() }, language satisfies Language);
  return new Response(made.html, { headers: pageHeaders(made, language) });
}

const words = {
  tick: {
    en: "Tick the box: only you know whether you started this.",
    uk: "Поставте позначку: лише ви знаєте, чи почали це самі.",
  },
} as const;

const noActions = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "choose at least one thing that the program may propose",
    uk: "оберіть хоча б одне, що програма може пропонувати",
  });
