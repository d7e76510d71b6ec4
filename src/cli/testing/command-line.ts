import { fixedWorld } from "../../base/testing/fixed-world.ts";
import { testPorts } from "../../garden/testing/scratch.ts";
import type { HostProcess } from "../command.ts";
import { type CommandLineEnv, runCommandLine } from "../run-command-line.ts";

export interface PrintedCommand {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, with a fixed clock, without a terminal and without a server. */
export async function inProcessBloom(
  cwd: string,
  args: readonly string[],
  change: Partial<CommandLineEnv> & { readonly host?: Partial<HostProcess> } = {},
): Promise<PrintedCommand> {
  const { host, ...environment } = change;
  let [out, err] = ["", ""];
  const ground = testPorts(fixedWorld("2026-02-14T08:00:00Z", 1000));
  const exit = await runCommandLine(args, {
    ground,
    garden: undefined,
    language: undefined,
    systemLanguage: undefined,
    debug: false,
    plain: true,
    terminal: { out: (text) => (out += text), err: (text) => (err += text), interactive: false, columns: 80 },
    machine: {
      cwd,
      version: "1.2.3",
      port: undefined,
      host: undefined,
      allowedHosts: [],
      input: () => Promise.resolve(Buffer.from("")),
      examples: ground.folders.at(cwd),
      serve: () => Promise.reject(new Error("not here")),
      stopRequested: () => Promise.resolve(),
      ...host,
    },
    ...environment,
  });
  return { exit, out, err };
}
