import { Failure } from "../../../base/failure.ts";
import type { TokenClaims } from "../../../domain/token-claims.ts";
import { findAgent, noAgent } from "../../records/agents/read-agent.ts";
import { endOauthGrantsOf } from "./oauth/oauth-grants.ts";
import type { AccessDeps } from "./signing-key.ts";
import { expiryOf, lastUsed, listTokens, type MadeToken, makeToken, revokeToken, type TokenRecord } from "./tokens.ts";

const DAY_S = 24 * 60 * 60;

/** A token of an agent that runs outside of the garden, as its owner sees it. Without the token itself. */
export interface AgentTokenCard {
  readonly id: string;
  readonly agent: string;
  readonly name: string;
  readonly made_at: string;
  readonly expires_at: string;
  /** Agents whose runs it may start. */
  readonly starts?: readonly string[];
  /** The last day on which it was used. */
  readonly last_used?: string;
  readonly revoked_at?: string;
}

/**
 * Creates a token with which an agent outside of the garden acts as `slug`: it may do what that contract allows, while the agent is
 * active. Throws NOT_FOUND without such an agent, DUPLICATE_ENTRY if a valid token of it has this name.
 */
export async function issueAgentToken(
  deps: AccessDeps,
  wish: {
    readonly slug: string;
    readonly name: string;
    readonly days?: number | undefined;
    /** Agents whose runs the token may start. */
    readonly starts?: readonly string[] | undefined;
    readonly by: string;
  },
): Promise<MadeToken & { readonly name: string }> {
  const { slug, name, days, starts = [], by } = wish;
  for (const named of [slug, ...starts]) if (!(await findAgent(deps.store, named))) throw noAgent(named);
  if ((await validTokens(deps, slug)).some((claims) => claims.name === name)) throw nameTaken(slug, name);
  const made = await makeToken(
    deps,
    { kind: "outside", slug, name, ...(starts.length > 0 && { starts: [...starts] }) },
    by,
    days === undefined ? undefined : days * DAY_S,
  );
  return { ...made, name };
}

/** Tokens of an agent, oldest first, with those that were revoked or expired within a week. */
export async function listAgentTokens(deps: AccessDeps, slug: string): Promise<AgentTokenCard[]> {
  const cards: AgentTokenCard[] = [];
  for (const record of await listTokens(deps)) {
    const claims = outside(record);
    if (claims?.slug !== slug) continue;
    const used = await lastUsed(deps, claims.id);
    cards.push({
      id: claims.id,
      agent: slug,
      name: claims.name,
      made_at: record.made_at,
      expires_at: expiryOf(claims),
      ...(claims.starts && { starts: claims.starts }),
      ...(used !== undefined && { last_used: used.slice(0, 10) }),
      ...(record.revoked_at !== undefined && { revoked_at: record.revoked_at }),
    });
  }
  return cards;
}

/** Revokes the token of this name at once. Throws NOT_FOUND, and VALIDATION_FAILED if several agents have one and none is named. */
export async function revokeAgentToken(
  deps: AccessDeps,
  { slug, name, by }: { readonly slug: string | undefined; readonly name: string; readonly by: string },
): Promise<{ readonly id: string; readonly agent: string; readonly name: string; readonly revoked_at: string }> {
  const found = (await validTokens(deps, slug)).filter((claims) => claims.name === name);
  const [claims, second] = found;
  if (!claims) throw noTokenNamed(name, slug);
  if (second)
    throw severalAgents(
      name,
      found.map((each) => each.slug),
    );
  const { revoked_at } = await revokeToken(deps, claims.id, by);
  return { id: claims.id, agent: claims.slug, name, revoked_at: revoked_at! };
}

/** Called when an agent is deleted: one of the same name made later must not inherit its tokens. Idempotent. */
export async function revokeTokensOf(deps: AccessDeps, slug: string): Promise<void> {
  await endOauthGrantsOf(deps, slug);
  for (const { id } of await validTokens(deps, slug)) await revokeToken(deps, id, "gateway");
}

type OutsideClaims = Extract<TokenClaims, { kind: "outside" }>;

const outside = ({ claims }: TokenRecord): OutsideClaims | undefined =>
  claims.kind === "outside" ? claims : undefined;

async function validTokens(deps: AccessDeps, slug: string | undefined): Promise<OutsideClaims[]> {
  const now = deps.world.now();
  return (await listTokens(deps))
    .filter(({ revoked_at }) => revoked_at === undefined)
    .flatMap((record) => outside(record) ?? [])
    .filter((claims) => claims.expires * 1000 > now && (slug === undefined || claims.slug === slug));
}

const nameTaken = (slug: string, name: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `${slug} already has a token named ${name}`,
    uk: `${slug} вже має токен із назвою ${name}`,
    hint: {
      en: `Choose another --name, or revoke it: \`bloom agent token ${slug} --revoke ${name}\`.`,
      uk: `Оберіть іншу назву (--name) або відкличте його: \`bloom agent token ${slug} --revoke ${name}\`.`,
    },
    details: { name },
  });

const noTokenNamed = (name: string, slug: string | undefined): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no valid token named ${name}${slug === undefined ? "" : ` of ${slug}`}`,
    uk: `немає чинного токена з назвою ${name}${slug === undefined ? "" : ` агента ${slug}`}`,
    hint: { en: "`bloom agent tokens SLUG` lists them.", uk: "Їх показує `bloom agent tokens SLUG`." },
    details: { name },
  });

const severalAgents = (name: string, slugs: readonly string[]): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `several agents have a token named ${name}: ${slugs.join(", ")}`,
    uk: `токен із назвою ${name} мають кілька агентів: ${slugs.join(", ")}`,
    hint: {
      en: `Name the agent: \`bloom agent token ${slugs[0]} --revoke ${name}\`.`,
      uk: `Назвіть агента: \`bloom agent token ${slugs[0]} --revoke ${name}\`.`,
    },
    details: { name, agents: slugs },
  });
