import { Failure } from "../../base/failure.ts";
import { verbatim } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { processToken } from "../../garden/agents/access/process-token.ts";
import type { Garden } from "../../garden/core/garden.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { usageError } from "../failures.ts";
import { installClient } from "../mcp/install-client.ts";
import { example, flag, option, textOption } from "../options.ts";
import { gardenCommand } from "../subcommands.ts";

export const mcpCommand = gardenCommand({
  name: "mcp",
  summary: {
    en: "serve MCP on standard input and output, for programs that start it",
    uk: "MCP через стандартне введення й виведення, для програм, які його запускають",
  },
  usual: "serve",
  subcommands: {
    serve: {
      usage: "[--as AGENT]",
      words: [0, 0],
      does: {
        en: "serve until the client ends, as the agent of BLOOM_TOKEN or of --as",
        uk: "працювати, доки програма не завершить, як агент із BLOOM_TOKEN або --as",
      },
      run: (context, garden) => serve(context, garden),
    },
    install: {
      usage: "claude|codex|cursor|vscode [--as AGENT] [--name NAME] [--to DIR] [--write]",
      words: [1, 1],
      does: {
        en: "print the settings with which a client starts this, or write them",
        uk: "надрукувати налаштування, з якими програма це запускає, або записати їх",
      },
      run: (context, garden, [client]) => installClient(context, garden, client!),
    },
  },
  options: {
    as: option(
      "AGENT",
      "the agent that the client acts as; created with the usual grant if it does not exist",
      "агент, як який діє програма; якщо його немає, буде створено зі звичайним дозволом",
    ),
    name: option(
      "NAME",
      "install: name of the server there (default: garden)",
      "install: назва сервера там (інакше garden)",
    ),
    to: option("DIR", "install: folder of the project (default: this one)", "install: тека проєкту (інакше ця)"),
    write: flag("install: write the file, keeping a copy of it", "install: записати у файл, зберігши його копію"),
  },
  examples: [
    example(
      "bloom mcp install claude --write",
      "Claude Code starts it in this folder",
      "Claude Code запускає його в цій теці",
    ),
    example("bloom mcp --as claude", "serve, as agent claude", "працювати як агент claude"),
  ],
});

/** Writes nothing but the protocol to standard output. */
async function serve(context: CommandContext, garden: Garden): Promise<CommandReport> {
  const { machine } = context;
  const nothing: CommandReport = { text: verbatim(""), json: undefined };
  if (!machine.serveMcp) throw noStreams();
  const as = textOption(context, "as");
  if (as === undefined) {
    const { token } = machine;
    if (token === undefined) throw noCredential();
    await machine.serveMcp(garden, async () => token);
    return nothing;
  }
  const held = await processToken(garden, as, commandLineOwner);
  try {
    await machine.serveMcp(garden, held.current);
  } finally {
    await held.close();
  }
  return nothing;
}

const noCredential = (): Failure =>
  usageError(
    { en: "mcp: no agent to act as", uk: "mcp: не вказано, як який агент діяти" },
    {
      en: "Name one with --as AGENT, or set BLOOM_TOKEN to its token (`bloom token agent NAME`).",
      uk: "Назвіть його: --as AGENT, або задайте його токен у BLOOM_TOKEN (`bloom token agent NAME`).",
    },
  );

const noStreams = (): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: "MCP cannot be served by this process",
    uk: "цей процес не може працювати через MCP",
  });
