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
  /** BLOOM_DEBUG=1: failures are printed with their stack. */
  readonly debug: boolean;
  /** NO_COLOR: set to any value. */
  readonly plain: boolean;
  /** VISUAL, else EDITOR: a command of the shell, as git takes it. */
  readonly editor: string | undefined;
  /** For git: PATH, HOME and the like. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function readProcessSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
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
    debug: set("BLOOM_DEBUG") === "1",
    plain: set("NO_COLOR") !== undefined,
    editor: set("VISUAL") ?? set("EDITOR"),
    environment,
  };
}

/** `uk_UA.UTF-8` → `uk`. */
const asLanguage = (value: string | undefined): Language | undefined =>
  languages.find((language) => value?.toLowerCase().split(/[_.@-]/)[0] === language);
