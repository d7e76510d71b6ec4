import { existsSync, readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../../../base/failure.ts";

/** The release that the conformance suite passes with; package.json names the same one as an optional peer. */
export const MASTRA_VERSION = "1.71.0";

/** True if this release of Mastra is installed where bloom finds it. Loads nothing. */
export function isMastraInstalled(from = import.meta.url): boolean {
  try {
    const manifest = findPackageJSON("@mastra/core", from);
    if (manifest === undefined) return false;
    return (JSON.parse(readFileSync(manifest, "utf8")) as { version?: unknown }).version === MASTRA_VERSION;
  } catch {
    return false; // not found, or its manifest is damaged
  }
}

/** Says that `garden.yaml` asks for Mastra and it is not installed, with the command that installs it beside bloom. */
export const mastraMissing = (from = import.meta.url): Failure => {
  const command = `npm install ${place(from)}@mastra/core@${MASTRA_VERSION}`;
  return new Failure("VALIDATION_FAILED", {
    en: `garden.yaml says \`runtime: { kind: mastra }\`, and Mastra ${MASTRA_VERSION} is not installed`,
    uk: `у garden.yaml записано \`runtime: { kind: mastra }\`, а Mastra ${MASTRA_VERSION} не встановлено`,
    hint: {
      en: `Install it with \`${command}\`, or write \`runtime: { kind: ai-sdk }\`, which needs nothing more.`,
      uk: `Встановіть її командою \`${command}\` або запишіть \`runtime: { kind: ai-sdk }\`: більше нічого не треба.`,
    },
    details: { package: "@mastra/core", version: MASTRA_VERSION, command },
  });
};

/** npm's option for the folder that bloom itself is installed in; empty in the repository. */
function place(from: string): string {
  let folder = dirname(fileURLToPath(from));
  while (basename(folder) !== "node_modules" && dirname(folder) !== folder) folder = dirname(folder);
  const project = dirname(folder);
  if (basename(folder) !== "node_modules") return "";
  return existsSync(join(project, "package.json")) ? `--prefix "${project}" ` : "--global ";
}
