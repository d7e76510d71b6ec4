/** The launcher on a Node that is too old for the rest. */
import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { installBeside, nodePackage, packagedNode } from "./packaged-node.js";

/** Starts the program again on the packaged Node; without one, says how to get one and sets exit code 1. */
export async function startAgain(program) {
  const node = packagedNode() ?? (await installedNow());
  if (node === undefined) {
    process.exitCode = 1;
    return;
  }
  // The channel closes when this process ends, also by `kill -9`: then the child ends itself.
  const child = spawn(node, [program, ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, BLOOM_LAUNCHED: "1" },
  });
  // A terminal signals the child directly; a signal sent to this process alone is forwarded.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`bloom could not start ${node}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("close", (code, signal) => {
    process.exitCode = code ?? (signal === "SIGINT" ? 130 : signal === "SIGTERM" ? 143 : 1);
  });
}

/** Says what is missing and, in a terminal, installs Node if the person agrees. Returns its path; undefined if there is none. */
async function installedNow() {
  const wanted = nodePackage();
  const args = wanted && installBeside(wanted);
  const command = args && `npm ${args.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(" ")}`;
  const say = (en, uk) => process.stderr.write(`${inUkrainian() ? uk : en}\n`);
  say(
    `bloom needs Node 22.18 or newer; this is ${process.version}. Install Node 24 (https://nodejs.org) and try again.`,
    `bloom потребує Node 22.18 чи новішої; ця ${process.version}. Встановіть Node 24 (https://nodejs.org) і спробуйте ще раз.`,
  );
  if (command === undefined) return undefined;
  say(
    `Or let npm install one for bloom alone (190 MB): ${command}`,
    `Або нехай npm встановить окрему для bloom (190 МБ): ${command}`,
  );
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await new Promise((resolve) => {
    lines.on("close", () => resolve(""));
    lines.question(inUkrainian() ? "Встановити зараз? [т/Н] " : "Install it now? [y/N] ", resolve);
  });
  lines.close();
  if (!/^\s*(?:y|т)/i.test(answer)) return undefined;
  spawnSync("npm", args, { stdio: "inherit", shell: process.platform === "win32" });
  return packagedNode();
}

const inUkrainian = () => {
  const { BLOOM_LANG, LC_ALL, LC_MESSAGES, LANG } = process.env;
  return /^uk\b|^uk_/i.test(BLOOM_LANG || LC_ALL || LC_MESSAGES || LANG || "");
};
