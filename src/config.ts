import { isAbsolute, join } from "node:path";
import { type Language, languages } from "./base/text.ts";

/** Settings from the environment. The only reader of `process.env`. */
export interface ProcessSettings {
  /** BLOOM_GARDEN: the folder of the garden. */
  readonly garden: string | undefined;
  /** BLOOM_LANG. */
  readonly language: Language | undefined;
  /** The system's language, if it is one of ours. */
  readonly systemLanguage: Language | undefined;
  /** PORT, unparsed. */
  readonly port: string | undefined;
  /** BLOOM_HOST: the address to listen at. */
  readonly host: string | undefined;
  /** BLOOM_ALLOWED_HOSTS: further host names that the gateway accepts. */
  readonly allowedHosts: readonly string[];
  /** BLOOM_TOKEN: the token of an outside agent, for `bloom mcp`. */
  readonly token: string | undefined;
  /** BLOOM_DEBUG=1: failures are printed with their stack. */
  readonly debug: boolean;
  /** NO_COLOR: set to any value. */
  readonly plain: boolean;
  /** VISUAL, else EDITOR: a command of the shell, as git takes it. */
  readonly editor: string | undefined;
  /** The user's state folder for this program, and the home folder that must exist before it is made. */
  readonly state: StatePlace | undefined;
  /** For git: PATH, HOME and the like. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface StatePlace {
  readonly dir: string;
  readonly home?: string;
}

/**
 * XDG_STATE_HOME, else the folder that the system has for it. A home folder that does not exist is not made: the process runs as a user
 * without one.
 */
export function statePlace(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): StatePlace | undefined {
  const { XDG_STATE_HOME: state, LOCALAPPDATA: local, HOME: home } = environment;
  if (state && isAbsolute(state)) return { dir: join(state, NAME) };
  if (platform === "win32") return local ? { dir: join(local, NAME), home: local } : undefined;
  if (!home || !isAbsolute(home)) return undefined;
  const inside = platform === "darwin" ? "Library/Application Support" : ".local/state";
  return { dir: join(home, inside, NAME), home };
}

const NAME = "garden-bloom";

export function readProcessSettings(
  environment: Readonly<Record<string, string | undefined>> = { ...process.env }, // reading a copy needs no system call
): ProcessSettings {
  const set = (name: string): string | undefined => environment[name]?.trim() || undefined;
  return {
    garden: set("BLOOM_GARDEN"),
    language: asLanguage(set("BLOOM_LANG")),
    systemLanguage: asLanguage(set("LC_ALL") ?? set("LC_MESSAGES") ?? set("LANG")),
    port: set("PORT"),
    host: set("BLOOM_HOST"),
    allowedHosts: (set("BLOOM_ALLOWED_HOSTS") ?? "")
      .split(",")
      .map((host) => host.trim().toLowerCase())
      .filter(Boolean),
    token: set("BLOOM_TOKEN"),
    debug: set("BLOOM_DEBUG") === "1",
    plain: set("NO_COLOR") !== undefined,
    editor: set("VISUAL") ?? set("EDITOR"),
    state: statePlace(environment, process.platform),
    environment,
  };
}

/** `uk_UA.UTF-8` → `uk`. */
const asLanguage = (value: string | undefined): Language | undefined =>
  languages.find((language) => value?.toLowerCase().split(/[_.@-]/)[0] === language);
