import { joined, type Text, verbatim } from "../../base/text.ts";
import { commandLineOwner, identityName } from "../../domain/identity.ts";
import {
  type AgentTokenCard,
  issueAgentToken,
  listAgentTokens,
  revokeAgentToken,
} from "../../garden/agents/access/agent-tokens.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { readAgent } from "../../garden/records/agents/read-agent.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { usageError } from "../failures.ts";
import { textOption } from "../options.ts";
import { alignColumns, formatTime, inBothLanguages } from "../text-layout.ts";

const by = identityName(commandLineOwner);

/** Creates a token for an agent outside of the garden, or revokes one (`--revoke NAME`). */
export async function agentToken(
  context: CommandContext,
  garden: Garden,
  [slug]: readonly string[],
): Promise<CommandReport> {
  const revoke = textOption(context, "revoke");
  if (revoke !== undefined) {
    const gone = await revokeAgentToken(garden, { slug, name: revoke, by });
    const text = { en: `${gone.agent}: ${revoke} is revoked.`, uk: `${gone.agent}: ${revoke} більше не діє.` };
    return { text, json: gone };
  }
  if (slug === undefined)
    throw usageError(
      { en: "agent token: missing argument", uk: "agent token: бракує аргументу" },
      { en: "Usage: bloom agent token SLUG [--name N]", uk: "Використання: bloom agent token SLUG [--name N]" },
    );
  const name = textOption(context, "name") ?? "outside";
  if (!/^[\w.-]{1,63}$/.test(name))
    throw usageError(
      { en: `--name: not a name for a token: ${name}`, uk: `--name: не назва токена: ${name}` },
      { en: "Letters, digits, _ . and -, up to 63.", uk: "Літери, цифри, _ . і -, до 63." },
    );
  const made = await issueAgentToken(garden, { slug, name, days: daysIn(textOption(context, "expires")), by });
  const about: Text = {
    en: `Token ${name} of ${slug}, valid until ${formatTime(made.expires_at)} while the agent is active. It is shown only once:`,
    uk: `Токен ${name} агента ${slug}, діє до ${formatTime(made.expires_at)}, поки агент активний. Його показано лише цього разу:`,
  };
  return { text: joined([about, verbatim(made.token)], "\n"), json: { agent: slug, ...made }, asked: true };
}

export async function printAgentTokens(garden: Garden, slug: string): Promise<CommandReport> {
  const tokens = await listAgentTokens(garden, slug);
  if (tokens.length === 0) await readAgent(garden.store, slug); // a misspelt slug is reported
  const none: Text = {
    en: `${slug} has no tokens. Create one: \`bloom agent token ${slug} --name NAME\`.`,
    uk: `${slug} не має токенів. Створити: \`bloom agent token ${slug} --name НАЗВА\`.`,
  };
  const now = garden.world.now();
  const text = inBothLanguages((language) =>
    alignColumns([HEAD.map((head) => head[language]), ...tokens.map((token) => cells(token, now))]).join("\n"),
  );
  return { text: tokens.length === 0 ? none : text, json: { tokens }, asked: true };
}

const cells = ({ name, made_at, last_used, expires_at, revoked_at }: AgentTokenCard, now: number): string[] => [
  name,
  formatTime(made_at),
  last_used ?? "–",
  formatTime(expires_at),
  revoked_at === undefined && Date.parse(expires_at) > now ? "✓" : "✗",
];

const HEAD: readonly Text[] = [
  { en: "NAME", uk: "НАЗВА" },
  { en: "CREATED", uk: "СТВОРЕНО" },
  { en: "LAST USED", uk: "ВИКОРИСТАНО" },
  { en: "EXPIRES", uk: "ДІЄ ДО" },
  { en: "VALID", uk: "ЧИННИЙ" },
];

/** `90d` or `90`. */
function daysIn(written: string | undefined): number | undefined {
  const days = Number(/^(\d{1,3})d?$/.exec(written ?? "")?.[1]);
  if (written === undefined) return undefined;
  if (days >= 1 && days <= 366) return days;
  throw usageError(
    { en: `--expires: not a number of days: ${written}`, uk: `--expires: це не кількість днів: ${written}` },
    { en: "Write it as 90d, from 1d to 366d.", uk: "Пишіть як 90d, від 1d до 366d." },
  );
}
