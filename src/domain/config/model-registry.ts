import { didYouMean } from "../../base/did-you-mean.ts";
import type { Text } from "../../base/text.ts";
import modelRegistry from "../../data/model-registry.json" with { type: "json" };
import {
  atEndpoint,
  listedAs,
  MODEL_WITHOUT_NAME,
  MODEL_WITHOUT_PROVIDER,
  notListed,
  OFFLINE_MODEL,
  ONLY_OWN_MODEL,
  unknownProvider,
} from "./model-words.ts";

/**
 * Result of checking a contract's `model` offline, against the bundled list (R-2). A model that is not on the list may be
 * newer than the list (`unlisted`: an error unless the contract says `model_unlisted: true`); a provider that is not on the list is
 * an error (`unknown`).
 */
export type ModelCheck =
  | {
      readonly kind: "known" | "unlisted";
      readonly provider: string;
      readonly model: string;
      /** Environment variables that may hold its key. Empty: it needs no key. */
      readonly keyEnv: readonly string[];
      readonly words: Text;
    }
  | { readonly kind: "unknown"; readonly words: Text; readonly suggestion?: string };

export interface ModelEndpoint {
  readonly url: string;
  readonly key_env?: string | undefined;
}

/** Models without a network: the follower, and the scripted models of tests (`offline/…`). */
export const FOLLOWER = "bloom/follower";
const OFFLINE = "offline";

/** Providers of a model id without a provider: the first of `BARE_ORDER` that lists it, else by the pattern of its name. */
const BARE_ORDER = ["anthropic", "openai", "google", "mistral", "deepseek", "xai", "groq"];
const BARE_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^claude-/, "anthropic"],
  [/^(?:gpt-|chatgpt-|o\d)/, "openai"],
  [/^gemini-/, "google"],
];

/** Providers whose address and protocol are built in. Others need an entry of `models` in garden.yaml. */
const BUILT_IN: Readonly<Record<string, { readonly url: string; readonly variables: readonly string[] } | undefined>> =
  {
    // Without a prototype: a provider may have any name.
    __proto__: null as never,
    anthropic: { url: "https://api.anthropic.com/v1", variables: ["ANTHROPIC_API_KEY"] },
    openai: { url: "https://api.openai.com/v1", variables: ["OPENAI_API_KEY"] },
  };

export interface ModelAddress {
  readonly url: string;
  /** Environment variables that may hold the key; empty: it needs none. */
  readonly variables: readonly string[];
}

/** Where a provider answers: the garden's own endpoint, else the built-in address; undefined if neither is known. */
export function modelAddress(
  provider: string,
  endpoints: Readonly<Record<string, ModelEndpoint>>,
): ModelAddress | undefined {
  const own = BUILT_IN[provider];
  const endpoint = Object.hasOwn(endpoints, provider) ? endpoints[provider] : undefined;
  if (!endpoint) return own;
  return { url: endpoint.url, variables: endpoint.key_env === undefined ? (own?.variables ?? []) : [endpoint.key_env] };
}

/** Ids of the models that answer without another setting: the follower, and those of every provider with an address. */
export const modelChoices = (endpoints: Readonly<Record<string, ModelEndpoint>>): string[] => [
  FOLLOWER,
  ...[...new Set([...Object.keys(endpoints), ...Object.keys(BUILT_IN)])].flatMap((provider) =>
    [...(registry().get(provider)?.models ?? [])].map((model) => `${provider}/${model}`),
  ),
];

/** True for a model that needs no network. */
export const isOfflineModel = (id: string): boolean => id === FOLLOWER || id.startsWith(`${OFFLINE}/`);

/** `endpoints` are the garden's own (`models` in garden.yaml); they override listed providers of the same name. */
export function checkModel(id: string, endpoints: Readonly<Record<string, ModelEndpoint>> = {}): ModelCheck {
  const slash = id.indexOf("/");
  if (slash < 0) return checkBare(id, endpoints);
  const [provider, model] = [id.slice(0, slash), id.slice(slash + 1)];
  if (provider === "" || model === "") return unknown(id, MODEL_WITHOUT_NAME);
  const endpoint = Object.hasOwn(endpoints, provider) ? endpoints[provider] : undefined;
  if (endpoint) {
    const keyEnv = endpoint.key_env === undefined ? [] : [endpoint.key_env];
    return { kind: "known", provider, model, keyEnv, words: atEndpoint(provider, endpoint.url) };
  }
  if (id === FOLLOWER || provider === OFFLINE)
    return { kind: "known", provider, model, keyEnv: [], words: OFFLINE_MODEL };
  const listed = registry().get(provider);
  if (!listed) {
    const names = ["bloom", ...Object.keys(endpoints), ...registry().keys()];
    const meant = provider === "bloom" ? undefined : didYouMean(provider, names);
    if (provider === "bloom") return unknown(id, ONLY_OWN_MODEL, FOLLOWER);
    if (meant === "bloom") return unknown(id, unknownProvider(provider), FOLLOWER);
    return unknown(id, unknownProvider(provider), meant === undefined ? undefined : `${meant}/${model}`);
  }
  return checkListed(provider, model, listed);
}

function checkListed(provider: string, model: string, { keyEnv, models }: Provider): ModelCheck {
  if (models.has(model)) return { kind: "known", provider, model, keyEnv, words: listedAs(provider, model) };
  const meant = didYouMean(model, models);
  return { kind: "unlisted", provider, model, keyEnv, words: notListed(provider, model, meant) };
}

function checkBare(id: string, endpoints: Readonly<Record<string, ModelEndpoint>>): ModelCheck {
  const listing = BARE_ORDER.find((name) => registry().get(name)?.models.has(id));
  const provider = listing ?? BARE_NAMES.find(([pattern]) => pattern.test(id))?.[1];
  const listed = provider === undefined ? undefined : registry().get(provider);
  if (provider !== undefined && listed) return checkListed(provider, id, listed);
  if (id === "follower") return unknown(id, MODEL_WITHOUT_PROVIDER, FOLLOWER);
  if (Object.hasOwn(endpoints, id)) return unknown(id, MODEL_WITHOUT_NAME);
  const candidates = BARE_ORDER.flatMap((name) => [...(registry().get(name)?.models ?? [])]);
  return unknown(id, MODEL_WITHOUT_PROVIDER, didYouMean(id, candidates));
}

interface Provider {
  readonly keyEnv: readonly string[];
  readonly models: ReadonlySet<string>;
}

let read: ReadonlyMap<string, Provider> | undefined;

/** Lists become sets on first use: most commands never check a model. */
function registry(): ReadonlyMap<string, Provider> {
  read ??= new Map(
    Object.entries(modelRegistry.providers).map(([name, { keyEnv, models }]) => [
      name,
      { keyEnv, models: new Set(models) },
    ]),
  );
  return read;
}

const unknown = (id: string, why: Text, suggestion?: string): ModelCheck => ({
  kind: "unknown",
  words: {
    en: `${id}: ${why.en}${suggestion ? `; did you mean ${suggestion}?` : ""}`,
    uk: `${id}: ${why.uk}${suggestion ? `; можливо, ${suggestion}?` : ""}`,
  },
  ...(suggestion !== undefined && { suggestion }),
});
