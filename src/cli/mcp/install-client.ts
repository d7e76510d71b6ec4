import { basename, dirname } from "node:path";
import { Failure } from "../../base/failure.ts";
import { joined, type Text, verbatim } from "../../base/text.ts";
import { isSlug } from "../../domain/contract/slug.ts";
import { invalidSlug } from "../../garden/agents/failures.ts";
import type { Garden } from "../../garden/core/garden.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { unknownSubcommand, usageError } from "../failures.ts";
import { textOption } from "../options.ts";
import { type McpClient, type McpCommand, mcpClients } from "./client-settings.ts";

const MAX_BYTES = 1_000_000;

/** Prints the settings with which a client starts `bloom mcp`, or writes them into the client's file. No token is in them. */
export async function installClient(context: CommandContext, garden: Garden, named: string): Promise<CommandReport> {
  if (!Object.hasOwn(mcpClients, named)) throw unknownSubcommand("mcp install", Object.keys(mcpClients), named);
  const client = mcpClients[named]!;
  const agent = textOption(context, "as") ?? named;
  if (!isSlug(agent)) throw invalidSlug(agent);
  const server = commandFor(context, garden, agent);
  const folder = context.ground.folders.at(context.path(textOption(context, "to") ?? "."));
  const file = `${folder.dir}/${client.file}`;
  const settings = client.snippet(server);
  if (context.options["write"] !== true) {
    const about: Text = {
      en: `Put this into ${client.file} of a project (or add --write), as agent ${agent}:`,
      uk: `Додайте це до ${client.file} у теці проєкту (або вкажіть --write), агент ${agent}:`,
    };
    return {
      text: joined([about, verbatim(settings)], "\n"),
      json: { client: named, agent, file, settings },
      asked: true,
    };
  }
  const { changed, backup } = await writeSettings(context, folder, client, server);
  const kept: Text =
    backup === undefined
      ? verbatim("")
      : { en: ` The file as it was: ${backup}.`, uk: ` Файл, яким він був: ${backup}.` };
  const done: Text = changed
    ? {
        en: `${file} starts \`bloom mcp\` as agent ${agent}.`,
        uk: `${file} запускає \`bloom mcp\` як агента ${agent}.`,
      }
    : { en: `${file} is as it should be.`, uk: `${file} вже такий, як треба.` };
  return {
    text: joined([done, kept], ""),
    json: { client: named, agent, file, settings, changed, ...(backup !== undefined && { backup }) },
  };
}

/** The client starts the program without a shell and often without the PATH of a terminal: by absolute paths. */
function commandFor(context: CommandContext, garden: Garden, agent: string): McpCommand {
  const name = textOption(context, "name") ?? "garden";
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(name))
    throw usageError(
      { en: `--name: not a name for a server: ${name}`, uk: `--name: така назва сервера не годиться: ${name}` },
      { en: "Use letters, digits, - and _.", uk: "Лише латинські літери, цифри, - та _." },
    );
  const [command = "bloom", ...args] = context.machine.launcher ?? [];
  return { name, command, args: [...args, "mcp", "--garden", garden.dir, "--as", agent] };
}

/** Nothing is written if the file has this server already. Otherwise a copy of the file is made first. */
async function writeSettings(
  context: CommandContext,
  folder: ReturnType<CommandContext["ground"]["folders"]["at"]>,
  client: McpClient,
  server: McpCommand,
): Promise<{ readonly changed: boolean; readonly backup?: string }> {
  const bytes = await folder.read(client.file, MAX_BYTES);
  const present = bytes && Buffer.from(bytes).toString();
  const merged = client.merged(present, server);
  if (merged === undefined) throw mustEditByHand(client, server);
  if (merged === present) return { changed: false };
  let backup: string | undefined;
  if (bytes) {
    const time = new Date(context.ground.world.now()).toISOString().slice(0, 19).replaceAll(":", "");
    backup = `${basename(client.file)}.${time}.bak`;
    await folder.create([dirname(client.file), backup].join("/").replace(/^\.\//, ""), bytes);
  }
  await folder.write(client.file, [Buffer.from(merged)]);
  return { changed: true, ...(backup !== undefined && { backup }) };
}

const mustEditByHand = (client: McpClient, server: McpCommand): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${client.file} cannot be merged without losing comments or settings of yours; it is unchanged`,
    uk: `${client.file} не можна доповнити, не втративши ваших коментарів чи налаштувань; файл не змінено`,
    hint: {
      en: `Add by hand:\n${client.snippet(server)}`,
      uk: `Додайте вручну:\n${client.snippet(server)}`,
    },
  });
